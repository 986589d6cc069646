#if SQLite
  import Foundation
  import GRDB

  /// A test's own connection to a store's database.
  enum TestDatabase {
    /// Opens the file. A statement waits while a store that is gone closes its last connection, which locks the file.
    static func open(_ url: URL) throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.busyMode = .timeout(60)
      return try DatabaseQueue(path: url.path, configuration: configuration)
    }
  }
#endif

import Foundation
package import OstiaryCore
import OstiarySealing
import OstiaryStores

/// A store that processes can share, by name.
package enum WorkerStore: Codable, Sendable {
  /// Files in a folder.
  case file(String)
  /// Files in a folder, sealed with a key file.
  case encryptedFile(String, keyFile: String)
  /// A database file.
  case sqlite(String)
  /// A connection string, a table, and whether what is kept is sealed with a key file.
  case postgreSQL(String, table: String, connections: Int, keyFile: String?)

  /// A trait is off.
  package struct NotBuilt: Error {}

  /// Makes the store.
  /// - Parameter onStep: hears how far a change of files has come.
  package func make(onStep: @escaping @Sendable (String) -> Void = { _ in }) throws -> any SessionStore {
    switch self {
    case .file(let path):
      return FileStore(folder: URL(filePath: path)) { onStep("file: \($0.rawValue)") }
    case .encryptedFile(let path, let keyFile):
      return SealedStore(
        FileStore(folder: URL(filePath: path)) { onStep("file: \($0.rawValue)") },
        keys: .keyFile(URL(filePath: keyFile)))
    case .sqlite(let path):
      #if SQLite
        return SQLiteStore(at: URL(filePath: path))
      #else
        throw NotBuilt()
      #endif
    case .postgreSQL(let connection, let table, let connections, let keyFile):
      #if PostgreSQL
        let store = PostgreSQLStore(Secret(connection), table: table, connections: connections)
        guard let keyFile else { return store }
        return SealedStore(store, keys: .keyFile(URL(filePath: keyFile)))
      #else
        throw NotBuilt()
      #endif
    }
  }
}

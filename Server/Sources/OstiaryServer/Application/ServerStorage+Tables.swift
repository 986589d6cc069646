public import Foundation

extension ServerStorage {
  /// Opens the database in `folder`, which is made (mode 0700) if it does not exist. Files are made with mode 0600.
  /// - Throws: `storageDenied` if the folder can't be used or others may write to it, `storageCorrupt`,
  ///   `storageTooNew`, or another storage code.
  public convenience init(folder: URL) throws(ServerError) {
    try self.init(folder: folder, migrations: Migrations.all(of: houseDoors))
  }

  /// As ``init(folder:)``, with `busyTimeout` seconds to wait for another process that writes.
  convenience init(folder: URL, busyTimeout: TimeInterval) throws(ServerError) {
    try self.init(folder: folder, migrations: Migrations.all(of: houseDoors), busyTimeout: busyTimeout)
  }

  /// A database in memory, gone with the value: for tests and demonstrations.
  public static func inMemory() throws(ServerError) -> ServerStorage {
    try ServerStorage(inMemory: Migrations.all(of: houseDoors))
  }
}

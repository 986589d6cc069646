import Foundation

/// Where the database of a server is that keeps its data.
enum StoragePlace: Sendable {
  /// SQLite's file in a folder.
  case folder(URL)
  case postgreSQL(PostgreSQLDatabase)

  /// The folder of the key and of files.
  var folder: URL {
    switch self {
    case .folder(let folder): folder
    case .postgreSQL(let database): database.folder
    }
  }

  /// Refuses SQLite's file while another program has it open. Of PostgreSQL the database itself tells which servers use it.
  func demandAlone() throws(ServerError) {
    if case .folder(let folder) = self { try SQLiteEngine.demandAlone(in: folder) }
  }
}

extension ServerStorage {
  /// Opens a database that is no server's yet. It has a look of its own at the database, and no key.
  convenience init(
    _ place: StoragePlace, migrations: [StorageMigration], opening: any StorageOpening
  ) throws(ServerError) {
    try DataFolder.prepare(place.folder)
    do {
      switch place {
      case .folder(let folder):
        let file = try SQLiteEngine.prepareFile(in: folder)
        self.init(
          try SQLiteEngine(
            path: file.path, migrations: migrations, busyTimeout: StorageHabits.standard.busyTimeout, habits: .standard,
            opening: opening),
          key: .temporary(), folder: folder)
      case .postgreSQL(let database):
        self.init(
          try PostgreSQLEngine(database, migrations: migrations, habits: .standard, opening: opening),
          key: .temporary(), folder: database.folder)
      }
    } catch {
      throw .storage(error)
    }
  }
}

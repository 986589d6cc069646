internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// A database of PostgreSQL instead of SQLite's file.
struct DatabaseOptions: ParsableArguments {
  /// The variable with the address, for one that has a password: every user of the machine can see options.
  static let variable = "OSTIARY_DATABASE"

  @Option(
    help: ArgumentHelp(
      "A database of PostgreSQL instead of SQLite's file: postgres://USER@HOST/NAME.",
      discussion: "The data folder has the key then, and files. The variable \(DatabaseOptions.variable) says the same."
    ))
  var database: String?

  @Option(
    help: ArgumentHelp("A file with the database's password, for its owner only.", valueName: "file"),
    completion: .file())
  var databasePasswordFile: String?

  @Option(
    help: ArgumentHelp("How many connections to the database the server opens at most. (default: 8)", valueName: "n"))
  var databaseConnections: Int?

  @Option(
    help: ArgumentHelp("The pooler in front of the database: session or transaction.", valueName: "kind"),
    transform: DatabasePooler.init(option:))
  var databasePooler: DatabasePooler?

  /// Whether a text is the address of a database of PostgreSQL.
  static func isAddress(_ text: String) -> Bool {
    ["postgres://", "postgresql://"].contains { text.hasPrefix($0) }
  }

  /// The password in a file, if one is named.
  /// - Throws: `ValidationError` if the file can't be read, or other users can read it.
  static func password(file: String?, _ environment: CommandEnvironment) throws -> Secret? {
    try file.map { file in
      guard let text = try? OperatorSecret(url: environment.url(path: file), environment: environment).text() else {
        throw ValidationError(ServeMessage.badDatabasePasswordFile(file))
      }
      return Secret(text)
    }
  }

  /// The database that the options or the environment describe, if they do.
  /// - Throws: `ValidationError` for options that don't go together.
  func database(_ environment: CommandEnvironment, folder: URL) throws -> PostgreSQLDatabase? {
    guard let address = database ?? environment.variables[Self.variable], !address.isEmpty else {
      guard databasePasswordFile == nil, databaseConnections == nil, databasePooler == nil else {
        throw ValidationError(ServeMessage.databaseNeedsAddress)
      }
      return nil
    }
    guard Self.isAddress(address) else {
      throw ValidationError(ServeMessage.badDatabase)
    }
    var database = PostgreSQLDatabase(Secret(address), folder: folder)
    database.password = try Self.password(file: databasePasswordFile, environment)
    if let databaseConnections {
      guard (1...1000).contains(databaseConnections) else { throw ValidationError(ServeMessage.badDatabaseConnections) }
      database.connections = databaseConnections
    }
    database.isBehindTransactionPooler = databasePooler == .transaction
    return database
  }
}

/// What stands between the server and PostgreSQL.
enum DatabasePooler: Sendable {
  /// A client keeps its connection, as without a pooler.
  case session
  /// Each transaction may get another connection.
  case transaction

  /// - Throws: `ValidationError` for any other word.
  init(option: String) throws {
    switch option {
    case "session": self = .session
    case "transaction": self = .transaction
    default: throw ValidationError(ServeMessage.badDatabasePooler(option))
    }
  }
}

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

  /// The same for the address beside a pooler.
  static let listenVariable = "OSTIARY_DATABASE_LISTEN"

  @Option(
    help: ArgumentHelp(
      "An address of the same database that leads around a pooler, to hear at once what other servers have ended.",
      discussion: "The variable \(DatabaseOptions.listenVariable) says the same.", valueName: "address"))
  var databaseListen: String?

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

  /// Whether any of the options is there.
  var isGiven: Bool {
    database != nil || databasePasswordFile != nil || databaseConnections != nil || databasePooler != nil
      || databaseListen != nil
  }

  /// Options that do not go together, or say nothing; all of them.
  func contradictions(_ environment: CommandEnvironment) -> [ServeMessage] {
    guard let address = address(environment) else { return isGiven ? [.databaseNeedsAddress] : [] }
    var found: [ServeMessage] = []
    if !Self.isAddress(address) { found.append(.badDatabase) }
    if let databaseConnections, !(1...1000).contains(databaseConnections) { found.append(.badDatabaseConnections) }
    if let listen = listen(environment), !Self.isAddress(listen) { found.append(.badDatabaseListen) }
    return found
  }

  private func listen(_ environment: CommandEnvironment) -> String? {
    (databaseListen ?? environment.variables[Self.listenVariable]).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func address(_ environment: CommandEnvironment) -> String? {
    (database ?? environment.variables[Self.variable]).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The database that the options or the environment describe, if they do.
  /// - Throws: `ValidationError` for options that don't go together.
  func database(_ environment: CommandEnvironment, folder: URL) throws -> PostgreSQLDatabase? {
    if let message = contradictions(environment).first { throw ValidationError(message) }
    guard let address = address(environment) else { return nil }
    var database = PostgreSQLDatabase(Secret(address), folder: folder)
    database.password = try Self.password(file: databasePasswordFile, environment)
    if let databaseConnections { database.connections = databaseConnections }
    database.isBehindTransactionPooler = databasePooler == .transaction
    database.listen = listen(environment).map { Secret($0) }
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

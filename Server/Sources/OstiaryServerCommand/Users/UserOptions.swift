internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// The options of a command that changes an existing user.
struct UserOptions: ParsableArguments {
  @Argument(help: "The user's name.")
  var name: String

  @OptionGroup var tenant: TenantOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var output: OutputOptions

  /// Makes the change and prints what was done with the user.
  /// - Parameter message: what is said of the user with this name.
  func change(
    in environment: CommandEnvironment, isDevelopment: Bool = false, saying message: (String) -> UserMessage,
    _ body: @Sendable (IdentityService) async throws -> User
  ) async throws {
    let user = try await UserAdministration.withIdentity(
      data, environment, isVerbose: output.verbose, isDevelopment: isDevelopment, body)
    try UserAdministration.show(user, message(user.name), asJSON: output.json, environment.console)
  }
}

/// The tenant of a user's name.
struct TenantOptions: ParsableArguments {
  @Option(help: "The tenant that the user belongs to, for doors that have tenants. (default: none)")
  var tenant: String?
}

/// The location of the server's data.
struct DataOptions: ParsableArguments {
  @Option(
    help: "The folder with the server's data. (default: `server` in the platform's data folder)",
    completion: .directory)
  var data: String?

  @OptionGroup var key: KeyOptions
  @OptionGroup(title: "Database options") var database: DatabaseOptions

  /// Where the server's data is: in PostgreSQL if the options or the environment name it, otherwise in the folder.
  /// - Throws: `ValidationError` for options that don't go together.
  func storage(_ environment: CommandEnvironment, _ folders: Folders) throws -> ServerConfiguration.Storage {
    let folder = folder(environment, folders)
    return try database.database(environment, folder: folder).map { .postgreSQL($0) } ?? .folder(folder)
  }

  /// The same, where there has to be a database.
  /// - Throws: also `userNotFound` for a folder without one.
  func existingStorage(_ environment: CommandEnvironment) throws -> ServerConfiguration.Storage {
    let place = try storage(environment, try Folders(environment))
    try place.demandDatabase()
    return place
  }

  /// The folder, which need not exist.
  func folder(_ environment: CommandEnvironment, _ folders: Folders) -> URL {
    data.map { environment.url(path: $0, isFolder: true) } ?? folders.serverData
  }
}

/// Where the server's key is.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the server's key, which only its owner can read. (default: see `ostiary key`)", valueName: "file"),
    completion: .file())
  var keyFile: String?

  /// The places that may have it.
  func sources(_ environment: CommandEnvironment) -> ServerKeySources {
    ServerKeySources(file: keyFile.map { environment.url(path: $0) }, variables: environment.variables)
  }
}

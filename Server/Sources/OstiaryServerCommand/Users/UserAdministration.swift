internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// The common part of the `user` commands.
enum UserAdministration {
  /// Opens the database, works with its users, and closes it.
  /// - Parameters:
  ///   - isNew: whether the folder may be made.
  ///   - changes: whether there may be something to be sealed in the audit trail.
  ///   - command: what the audit trail calls the command.
  static func withIdentity<Result: Sendable>(
    _ data: DataOptions, _ environment: CommandEnvironment, isVerbose: Bool, isNew: Bool = false,
    // data: a name in the audit trail
    isDevelopment: Bool = false, changes: Bool = true, command: String = "ostiary user",
    _ body: @Sendable (IdentityService) async throws -> Result
  ) async throws -> Result {
    let place = try isNew ? data.storage(environment, Folders(environment)) : data.existingStorage(environment)
    let storage = try ServerStorage(place, keys: data.key.sources(environment))
    do {
      let identity = try IdentityService(
        storage: storage, configuration: isDevelopment ? .insecureForDevelopmentOnly : .standard,
        logger: environment.logger(verbose: isVerbose))
      let result = try await AuditOrigin.$current.withValue(.command(command)) { try await body(identity) }
      // No server may run that seals it.
      if changes { try await AuditArchive(storage).seal() }
      try await storage.close()
      return result
    } catch {
      try? await storage.close()
      throw error
    }
  }

  /// Prints what was done with a user.
  static func show(_ user: User, _ message: UserMessage, asJSON: Bool, _ console: Console) throws {
    if asJSON { return try console.print(json: UserReport(user)) }
    try console.print(message)
  }
}

extension ServerConfiguration.Storage {
  /// The path of a data folder in which there is no database yet; nil for every other place.
  var folderWithoutDatabase: String? {
    guard case .folder(let folder) = self else { return nil }
    let database = folder.appending(path: ServerStorage.fileName).path(percentEncoded: false)
    return FileManager.default.fileExists(atPath: database) ? nil : folder.path(percentEncoded: false)
  }

  /// - Throws: `userNotFound` for a data folder without a database.
  func demandDatabase() throws {
    if let folder = folderWithoutDatabase { throw ServerError(.userNotFound, UserMessage.noneInFolder(folder)) }
  }
}

/// A user for people and programs.
struct UserReport: Sendable, Encodable {
  let name: String
  /// The tenant in which the name is unique; `nil` for users without a tenant.
  let tenant: String?
  let displayName: String
  let email: String?
  let disabled: Bool
  /// Whether a mailed code or an administrator has confirmed that the address is the user's.
  let emailVerified: Bool
  /// Whether the user made the account.
  let selfMade: Bool
  /// Whether doors treat it like an account that an administrator has made.
  let admitted: Bool
  let createdAt: Date
  let attributes: [String: JSONValue]

  init(_ user: User) {
    name = user.name
    tenant = user.tenant
    displayName = user.displayName
    email = user.email
    disabled = user.isDisabled
    emailVerified = user.isEmailVerified
    selfMade = user.isSelfMade
    admitted = user.isAdmitted
    createdAt = user.createdAt
    attributes = user.attributes
  }

  /// `enabled`, `not admitted` or `disabled`.
  var state: String { disabled ? "disabled" : admitted ? "enabled" : "not admitted" }  // data: a column

  /// `accessGroup=Uplus:Users`.
  var attributesInWords: String {
    attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.string ?? "…")" }.joined(separator: " ")
  }
}

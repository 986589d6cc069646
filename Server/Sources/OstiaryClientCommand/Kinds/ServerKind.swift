internal import Foundation
internal import OstiaryCore

/// A kind of server that the command can sign in to.
///
/// It must turn a profile into an authenticator and list the methods of signing in; it must never send a request.
protocol ServerKind: Sendable {
  /// Its name on the command line.
  var kind: AuthenticatorKind { get }
  /// Its description, in a few words.
  var summary: String { get }
  /// The methods of signing in, the usual one first; empty if there is only one.
  var methods: [String] { get }
  /// The options of a profile: all required ones must be set, and no others may be.
  var options: [KindOption] { get }

  /// Whether the server identifies users by numbers that people don't know.
  var namesUsersByNumber: Bool { get }

  /// The authenticator for the profile's server.
  /// - Parameter environment: has the person and the files that signing in may need.
  /// - Throws: ``OstiaryError`` `invalidInput` if the server's address or the method is invalid for this kind.
  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator

  /// The same, where the authenticator finds a server by requests of its own. By default it has none.
  /// - Parameter transport: the way that the profile's requests take.
  func authenticator(
    for profile: Profile, in environment: CommandEnvironment, over transport: any Transport
  ) throws -> any Authenticator

  /// The server that is used without `--server`.
  var usualServer: URL? { get }

  /// The kind with what a file of `--config` says. The file is read here, and not again.
  /// - Throws: ``OstiaryError`` if the file can't be read or has settings that do not fit; and for kinds that take no such file.
  func configured(by file: URL) throws -> any ServerKind

  /// What the file says for the profile.
  var configuration: KindConfiguration { get }

  /// Whether a profile signs in with a password that the command asks for. Otherwise the authenticator gets the
  /// credential itself, for example from a browser, and the profile needs no user name.
  func takesPassword(_ profile: Profile) -> Bool

  /// Whether signing in may ask the person at the terminal more than the password.
  var asksWhileSigningIn: Bool { get }

  /// The kind with what a profile's own files say, which are read here and not again. By default there is none.
  /// - Throws: ``OstiaryError`` if one can't be used.
  func used(by profile: Profile, in environment: CommandEnvironment) throws -> any ServerKind

  /// Whether only a session names the server for its requests.
  var isServedElsewhere: Bool { get }

  /// Whether the session travels in the body of a request, which then has to be in memory.
  var isSessionInBody: Bool { get }

  /// The server for a session's requests, if it is not the one that gave the session.
  func server(of session: Session) -> URL?

  /// The transport for requests that carry a session.
  func requests(through manager: SessionManager) -> any Transport

  /// The user's name for people, if the profile has none.
  func username(of session: Session, through manager: SessionManager) async -> String?

  /// What tells a profile's account apart besides its server and its user, for people: without secrets.
  func account(of profile: Profile) -> [(name: String, value: String)]

  /// The token that `ostiary token` prints, if sessions have one.
  func accessToken(of session: Session) -> Secret?

  /// Further values of a session to show, besides the user and the server: by a name for programs and a label for people.
  func highlights(of session: Session) -> [(key: String, label: String, value: String)]
}

extension ServerKind {
  var options: [KindOption] { [] }

  var namesUsersByNumber: Bool { false }

  var usualServer: URL? { nil }

  func authenticator(
    for profile: Profile, in environment: CommandEnvironment, over transport: any Transport
  ) throws -> any Authenticator {
    try authenticator(for: profile, in: environment)
  }

  var configuration: KindConfiguration { KindConfiguration() }

  func configured(by file: URL) throws -> any ServerKind {
    throw OstiaryError.usage(KindMessage.takesNoFile(kind: kind.rawValue))
  }

  func takesPassword(_ profile: Profile) -> Bool { true }

  var asksWhileSigningIn: Bool { false }

  func used(by profile: Profile, in environment: CommandEnvironment) throws -> any ServerKind { self }

  var isServedElsewhere: Bool { false }

  var isSessionInBody: Bool { false }

  func server(of session: Session) -> URL? { nil }

  func requests(through manager: SessionManager) -> any Transport { AuthenticatedTransport(manager) }

  func username(of session: Session, through manager: SessionManager) async -> String? { session.user.displayName }

  func account(of profile: Profile) -> [(name: String, value: String)] { [] }

  func accessToken(of session: Session) -> Secret? { nil }
}

/// The kinds of server that the command supports. A new kind is added here only.
enum ServerKinds {
  static let all: [any ServerKind] = [
    PegaKind(), NewzuluKind(), SalesforceKind(), OpenIDKind(), OAuthKind(), APIKind(), GatewayKind(),
    HTTPKind(),
  ]

  /// The kind of that name.
  /// - Throws: ``OstiaryError`` `unknownKind`, which lists the known ones.
  static func kind(named name: String) throws -> any ServerKind {
    if let kind = all.first(where: { $0.kind.rawValue == name.lowercased() }) { return kind }
    throw OstiaryError(
      .unknownKind, LoginMessage.unknownKind(name, known: all.map(\.kind.rawValue)), disposition: .misuse)
  }

  /// The kind of a profile, with what the profile's files say.
  static func kind(of profile: Profile, in environment: CommandEnvironment) throws -> any ServerKind {
    let kind = try kind(named: profile.kind.rawValue)
    let configured = try profile.configurationURL.map { try kind.configured(by: $0) } ?? kind
    return try configured.used(by: profile, in: environment)
  }

  /// All names, for a sentence.
  static var names: String { all.map(\.kind.rawValue).joined(separator: ", ") }
}

/// What a file with the settings of a server says for its profile. The rest is the kind's.
struct KindConfiguration {
  /// The server's address, if the file names it.
  var server: URL?
  /// The values of options that the profile keeps, since they are a part of the account.
  var options: [String: String] = [:]
  /// Options that the file has values for. They can be left out; one on the command line counts before the file.
  var optionsInFile: Set<String> = []
}

extension Profile {
  /// The file with what the server calls things.
  var configurationURL: URL? { configurationFile.map { URL(filePath: $0) } }

  /// Checks that the file names no other server than the profile: the password goes to the profile's.
  /// - Throws: ``OstiaryError`` `invalidInput`.
  func require(sameOriginAs named: URL?) throws {
    guard let named, Origin(named) != Origin(server) else { return }
    throw OstiaryError.usage(KindMessage.otherServerInFile)
  }
}

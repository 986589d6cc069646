internal import Foundation
internal import OstiaryCore

/// A kind of server that the command can sign in to.
///
/// It must turn a profile into an authenticator and name the ways to sign in; it must never send anything.
protocol ServerKind: Sendable {
  /// Its name on the command line.
  var kind: AuthenticatorKind { get }
  /// What it is, in a few words.
  var summary: String { get }
  /// The ways to sign in, the usual one first; empty when there is only one.
  var methods: [String] { get }
  /// What a profile says besides: all that is required, and nothing that isn't listed.
  var options: [KindOption] { get }

  /// Whether the server knows users by numbers that people don't.
  var namesUsersByNumber: Bool { get }

  /// Knows the profile's server.
  /// - Parameter environment: has the person and the files that signing in may need.
  /// - Throws: ``OstiaryError`` `invalidInput` when the server's address or the method is none for this kind.
  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator

  /// The server that `--server` stands for when it is not given.
  var usualServer: URL? { get }

  /// Whether a profile is signed in with a password that the command asks for; otherwise the authenticator gets what it
  /// needs itself, from a browser for example, and nobody has to be named before.
  func takesPassword(_ profile: Profile) -> Bool

  /// Whether only a session says which server takes its requests.
  var isServedElsewhere: Bool { get }

  /// The server that takes a session's requests, where it is not the one that gave the session.
  func server(of session: Session) -> URL?

  /// The way for requests that carry a session.
  func requests(through manager: SessionManager) -> any Transport

  /// What people call who signed in, where nobody was named before.
  func username(of session: Session, through manager: SessionManager) async -> String?

  /// What `ostiary token` prints, where sessions have such a thing.
  func accessToken(of session: Session) -> Secret?

  /// What is worth showing of a session, beside who is signed in where: by a name for programs and a label for people.
  func highlights(of session: Session) -> [(key: String, label: String, value: String)]
}

extension ServerKind {
  var options: [KindOption] { [] }

  var namesUsersByNumber: Bool { false }

  var usualServer: URL? { nil }

  func takesPassword(_ profile: Profile) -> Bool { true }

  var isServedElsewhere: Bool { false }

  func server(of session: Session) -> URL? { nil }

  func requests(through manager: SessionManager) -> any Transport { AuthenticatedTransport(manager) }

  func username(of session: Session, through manager: SessionManager) async -> String? { session.user.displayName }

  func accessToken(of session: Session) -> Secret? { nil }
}

/// The kinds of server that the command knows. A new kind is added here and nowhere else.
enum ServerKinds {
  static let all: [any ServerKind] = [
    PegaKind(), NewzuluKind(), SalesforceKind(), GatewayKind(), HTTPKind(),
  ]

  /// The kind of that name.
  /// - Throws: ``OstiaryError`` `unknownKind`, which lists the known ones.
  static func kind(named name: String) throws -> any ServerKind {
    if let kind = all.first(where: { $0.kind.rawValue == name.lowercased() }) { return kind }
    throw OstiaryError(
      .unknownKind, "There is no kind of server “\(name)”.", advice: "Known kinds: \(names).",
      disposition: .misuse, requestMayHaveExecuted: false)
  }

  /// All names, for a sentence.
  static var names: String { all.map(\.kind.rawValue).joined(separator: ", ") }
}

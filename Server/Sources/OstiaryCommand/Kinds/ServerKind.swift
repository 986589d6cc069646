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
  /// - Throws: ``OstiaryError`` `invalidInput` when the server's address or the method is none for this kind.
  func authenticator(for profile: Profile) throws -> any Authenticator

  /// The way to the profile's server, where proof travels in a way of the kind's own.
  func transport(over transport: any Transport) -> any Transport

  /// What is worth showing of a session, beside who is signed in where: by a name for programs and a label for people.
  func highlights(of session: Session) -> [(key: String, label: String, value: String)]
}

extension ServerKind {
  var options: [KindOption] { [] }

  var namesUsersByNumber: Bool { false }

  func transport(over transport: any Transport) -> any Transport { transport }
}

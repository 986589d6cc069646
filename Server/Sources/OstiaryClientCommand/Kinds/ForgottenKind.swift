internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// The kind of a profile whose dialect, or whose file with a secret, can't be used any more: its session can be ended here, and nothing else.
struct ForgottenKind: ServerKind {
  let kind: AuthenticatorKind
  let summary = "a server whose dialect can't be used"
  let methods: [String] = []
  let namesUsersByNumber = true
  /// Why it can't be used.
  let reason: OstiaryError

  /// The kind of a profile for ending its session: signing out works here without the file, too.
  static func kind(toEnd profile: Profile, in environment: CommandEnvironment) throws -> any ServerKind {
    do {
      let kind = try ServerKinds.kind(of: profile, in: environment)
      // A file with a secret may be gone or empty. Only the server would have to be shown the secret.
      _ = try kind.authenticator(for: profile, in: environment.toEnd)
      return kind
    } catch let error as OstiaryError where [.dialectChanged, .fileFailed, .invalidInput].contains(error.code) {
      return ForgottenKind(kind: profile.kind, reason: error)
    }
  }

  func authenticator(for profile: Profile, in environment: CommandEnvironment) throws -> any Authenticator {
    ForgottenAuthenticator(kind: kind, server: profile.server, reason: reason)
  }

  func highlights(of session: Session) -> [(key: String, label: String, value: String)] { [] }
}

/// Sends nothing: the server is not told of the end.
private struct ForgottenAuthenticator: Authenticator {
  let kind: AuthenticatorKind
  let server: URL
  let reason: OstiaryError

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    throw reason
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification { throw reason }

  func end(_ session: Session, in context: AuthenticationContext) async throws { throw reason }

  func attachment(for session: Session) -> ProofAttachment { ProofAttachment() }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict { .accepted }
}

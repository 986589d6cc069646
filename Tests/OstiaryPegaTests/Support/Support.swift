import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport

extension PegaStub {
  func authenticator(
    _ method: PegaSignInMethod = .basic, activity: PegaLoginActivity = .mobileAppConfiguration,
    configuration: PegaConfiguration = PegaConfiguration()
  ) throws -> PegaAuthenticator {
    try PegaAuthenticator(server: url, method: method, loginActivity: activity, configuration: configuration)
  }

  var context: AuthenticationContext { AuthenticationContext(transport: transport) }

  func manager(
    _ method: PegaSignInMethod = .basic, credentials: CredentialSource = .manual
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return SessionManager(
      authenticator: try authenticator(method), transport: transport, credentials: credentials,
      configuration: configuration)
  }

  func signIn(
    _ method: PegaSignInMethod = .basic, _ username: String = "jdoe", _ password: Secret = "secret"
  ) async throws -> SessionGrant {
    try await authenticator(method).signIn(with: .password(username: username, password: password), in: context)
  }
}

extension SessionGrant {
  /// The grant as a session, for calls that want one.
  func session(at server: URL) -> Session {
    Session(kind: .pega, server: server, version: ProofVersion(), grant: self, issuedAt: Date())
  }
}

/// The passwords that have broken other clients.
let awkwardPasswords = [
  "100%", "a+b", "a&b=c", "x=y", "a:b:c", "é", "日本", "two words", " ", "line\nbreak", "%41%2B", "\"'<>#?/\\", "+++",
  "ends in space ", "🔑",
]

import Foundation
import OstiaryCore
import OstiaryOAuth

/// Signs in and identifies in one step, for tests of what comes after both.
struct IdentifyingAuthenticator: Authenticator {
  let inner: OAuthAuthenticator

  var kind: AuthenticatorKind { inner.kind }
  var server: URL { inner.server }
  var origins: [Origin] { inner.origins }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    try await inner.identify(inner.signIn(with: credential, in: context), in: context)
  }

  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal {
    try await inner.renew(session, in: context)
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    try await inner.verify(session, in: context)
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {
    try await inner.end(session, in: context)
  }

  func attachment(for session: Session) -> ProofAttachment { inner.attachment(for: session) }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    inner.judge(response, to: request)
  }

  func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    inner.bodyNeeded(toJudge: response, to: request)
  }
}

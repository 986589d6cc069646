internal import Foundation
internal import OstiaryCore

/// Signs in with what the server has given already: whose session it is decides under which name it rests, so that it has
/// to be asked for before there is a session manager.
struct GrantedAuthenticator: Authenticator {
  let inner: SalesforceAuthenticator
  let grant: Locked<SessionGrant?>

  var kind: AuthenticatorKind { inner.kind }
  var server: URL { inner.server }
  var origins: [Origin] { inner.origins }
  var proofNeed: ProofNeed { inner.proofNeed }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    if let grant = grant.withLock({ $0.take() }) { return grant }
    return try await inner.signIn(with: credential, in: context)
  }

  func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant {
    try await inner.identify(grant, in: context)
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

  func isProof(cookieNamed name: String) -> Bool { inner.isProof(cookieNamed: name) }

  func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    inner.bodyNeeded(toJudge: response, to: request)
  }
}

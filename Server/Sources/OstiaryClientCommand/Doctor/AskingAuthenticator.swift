internal import Foundation
internal import OstiaryCore

/// Asks a server about a session as its own kind does, and neither renews nor ends it. The session manager is not told that a
/// server has refused a session, only that nothing is known of it now: the session stays as it is stored, and the next command
/// that uses it does what has to be done.
struct AskingAuthenticator: Authenticator {
  /// What knows the kind of server.
  let inner: any Authenticator
  private let answer = Locked<Verification?>(nil)

  init(_ inner: any Authenticator) {
    self.inner = inner
  }

  /// What the server has said of the session, if it was asked.
  var verification: Verification? { answer.withLock { $0 } }

  var kind: AuthenticatorKind { inner.kind }
  var server: URL { inner.server }
  var origins: [Origin] { inner.origins }
  var proofNeed: ProofNeed { inner.proofNeed }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    let verification = try await inner.verify(session, in: context)
    answer.withLock { $0 = verification }
    if case .invalid = verification { throw Self.onlyAsks }
    return verification
  }

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    throw Self.onlyAsks
  }

  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal { throw Self.onlyAsks }

  func end(_ session: Session, in context: AuthenticationContext) async throws { throw Self.onlyAsks }

  func attachment(for session: Session) -> ProofAttachment { inner.attachment(for: session) }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    let verdict = inner.judge(response, to: request)
    return if case .rejected = verdict { .obstructed(Self.onlyAsks) } else { verdict }
  }

  func isProof(cookieNamed name: String) -> Bool { inner.isProof(cookieNamed: name) }

  func bodyNeeded(toJudge response: StreamingResponse) -> Int { inner.bodyNeeded(toJudge: response) }

  func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    inner.bodyNeeded(toJudge: response, to: request)
  }

  /// Transient, and so no word about the session.
  private static var onlyAsks: OstiaryError {
    OstiaryError(
      .onlyAsks, DoctorMessage.onlyAsks, disposition: .transient(retryAfter: nil),
      requestMayHaveExecuted: false)
  }
}

extension OstiaryError.Code {
  /// A check only asks: it does not renew a session.
  static let onlyAsks = Self("only_asks")
}

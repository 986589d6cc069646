public import Foundation

/// Knows one kind of server: how to sign in, renew, verify and end a session, attach it to a request, and judge a
/// response.
///
/// It must be a value without memory of sessions: everything it needs arrives in its arguments, everything it learns
/// leaves in its results. It must never store, retry, single-flight or ask the user; the session manager does.
///
/// Errors are ``OstiaryError``s. ``OstiaryError/Disposition-swift.enum/terminal`` from ``renew(_:in:)`` or
/// ``signIn(with:in:)`` is the server's definite word; anything else leaves the session alone.
public protocol Authenticator: Sendable {
  /// The name of this kind of server.
  var kind: AuthenticatorKind { get }

  /// The server's base URL.
  var server: URL { get }

  /// The origins that a request must go to for a session to be its business, before a session says so more exactly. By
  /// default the server's.
  var origins: [Origin] { get }

  /// When a request needs the session's proof. By default always.
  var proofNeed: ProofNeed { get }

  /// Exchanges a credential for a session.
  ///
  /// When the sign-in is given up, the task is cancelled, so that a person who is asked can be told. Once a request has left,
  /// this and later ones are sent and answered all the same, for the server may have begun a session; what is returned is then
  /// ended there. Check for a cancellation before asking a person, and before showing a password for the first time.
  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant

  /// Asks the server whose a grant is, or whether it is good, where ``signIn(with:in:)`` returned one with
  /// ``SessionGrant/needsIdentification``: the second step of a sign-in whose first step used up the credential. When
  /// this fails, the manager keeps the grant and repeats only this step.
  /// - Returns: the grant with its user, and with newer proof where the server gave one.
  /// - Throws: ``OstiaryError``; a terminal one is the server's definite word that the grant is worthless.
  func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant

  /// Exchanges a session's proof for a newer one without the user, where the kind of server knows a way.
  func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal

  /// Asks the server whether a session is still good. Must never sign in.
  /// - Throws: when it can't tell.
  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification

  /// Ends a session at the server.
  /// - Throws: when the server was not told, or refused. The session is over on this side all the same.
  func end(_ session: Session, in context: AuthenticationContext) async throws

  /// What to add to requests for this session. Called once per version of the session, not per request.
  func attachment(for session: Session) -> ProofAttachment

  /// What a response means for the session whose proof the request carried.
  ///
  /// Must be pure and quick, and must answer ``Verdict/accepted`` for everything that isn't clearly about the session:
  /// errors of the network, the server or the application are not a challenge.
  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict

  /// Whether a cookie of this name carries the session. A change of such a cookie is durable before the response that
  /// brought it is handed on; other cookies are written when there is time. By default every cookie does. Where the proof is
  /// tokens no cookie does: what a gateway in front of the server sets is no news of this session.
  func isProof(cookieNamed name: String) -> Bool

  /// How much of a streamed response's body ``judge(_:to:)`` has to see, in bytes; 0 when the head is enough.
  func bodyNeeded(toJudge response: StreamingResponse) -> Int

  /// The same, where it depends on the request. By default it doesn't.
  func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int
}

extension Authenticator {
  public var origins: [Origin] { Origin(server).map { [$0] } ?? [] }

  public var proofNeed: ProofNeed { .always }

  public func identify(_ grant: SessionGrant, in context: AuthenticationContext) async throws -> SessionGrant { grant }

  public func renew(_ session: Session, in context: AuthenticationContext) async throws -> Renewal { .needsCredential }

  /// Shows the server the old proof with ``verify(_:in:)``: its refusal confirms the end.
  package func confirmEndByProof(
    of session: Session, in context: AuthenticationContext
  ) async -> EndConfirmation {
    do {
      switch try await verify(session, in: context) {
      case .invalid: return .confirmed(seen: "the server refused the session's proof afterwards")
      case .valid: return .localOnly(reason: "the server still accepts the session's proof")
      }
    } catch {
      let message = (error as? OstiaryError)?.message ?? "\(type(of: error))"
      return .localOnly(reason: "the server could not be asked afterwards: \(message)")
    }
  }

  public func isProof(cookieNamed name: String) -> Bool { true }

  public func bodyNeeded(toJudge response: StreamingResponse) -> Int { 0 }

  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    bodyNeeded(toJudge: response)
  }
}

/// An authenticator of a kind of server that has no call to end a session: its ``Authenticator/end(_:in:)`` does nothing. A sign-in
/// that is given up is cancelled at once, and its request, if it can be, with it.
package protocol AuthenticatorWithoutEnd: Authenticator {}

/// An authenticator that knows more of a session's end than the refusal of the old proof: a kind of server that keeps no session, or
/// has no call to end one, says so without a request, and one whose logout has a documented sign of its own may count that.
package protocol AuthenticatorWithEndConfirmation: Authenticator {
  /// Says what the server has shown of a session's end, after ``Authenticator/end(_:in:)`` has returned. Must never sign in.
  func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation
}

/// When a request needs the proof of a session.
public enum ProofNeed: Sendable, Hashable {
  /// Always: a request waits until a user is signed in.
  case always
  /// Only when the server demands it. A request without a session goes out as it is, and only a challenge begins a
  /// sign-in: a gateway may not be in the way at all, inside the office for example.
  case whenChallenged
}

/// What came of a renewal.
public enum Renewal: Sendable {
  /// The server gave newer proof.
  case renewed(SessionGrant)
  /// Only a credential helps.
  case needsCredential
}

/// What the server said of a session.
public enum Verification: Sendable {
  /// The session is good. Attributes that the server repeated replace the old ones; `nil` leaves them.
  case valid(attributes: [String: JSONValue]?)
  /// The session is over, and why.
  case invalid(reason: String)
}

extension Verification: Redacted {
  /// The answer and its reason; not the attributes, which servers fill as they like.
  public var description: String {
    switch self {
    case .valid(let attributes): "valid, \(attributes?.count ?? 0) attributes"
    case .invalid(let reason): "invalid: \(reason)"
    }
  }
}

/// What a response means for a session. More cases may come: a `switch` needs a `default`.
public enum Verdict: Sendable, Equatable {
  /// The response is the application's business.
  case accepted
  /// The proof was refused, or there was none, for a reason worth showing a person. `mayHaveExecuted` says whether the
  /// server can have acted on the request before refusing.
  case rejected(reason: String, mayHaveExecuted: Bool)
  /// The response looks like a refusal of the proof, but has none of the server's own marks: another application, or a
  /// proxy, may have given it. It refuses nothing by itself: the session manager asks the server with
  /// ``Authenticator/verify(_:in:)``, and takes it for a refusal only when that says so.
  case doubtful(reason: String, mayHaveExecuted: Bool)
  /// The proof is good, but the server wants the user to sign in more strongly or more recently before it acts (RFC 9470
  /// §3). Nothing is renewed and nothing is refused; the application gets the response.
  case insufficient(reason: String)
  /// A party in between answered in the server's place, such as the login page of a wireless network. It says nothing
  /// of the session; the request fails with this error.
  case obstructed(OstiaryError)
}

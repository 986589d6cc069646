internal import HTTPTypes

/// What the user or the app presents to be signed in.
public enum Credential: Sendable {
  /// A user name and a password.
  case password(username: String, password: Secret)
  /// A request that the app has made itself; signing in is sending it.
  case request(TransportRequest)
  /// Proof obtained elsewhere: cookies from the app's own exchange, tokens handed over. It is checked before it is
  /// believed.
  case proof(Proof)
  /// Nothing from the app: a challenge handler gets what it needs itself, by asking a person for example.
  case byHandler
}

extension Credential: Redacted {
  public var description: String {
    switch self {
    case .password(let username, _): "password of \(username)"
    case .request(let request): "request \(request.head.method.rawValue) \(request.head.authority ?? "")"
    case .proof(let proof): "proof with \(proof)"
    case .byHandler: "what the handler asks for"
    }
  }
}

/// Where a session manager gets a credential when a request needs one.
public enum CredentialSource: Sendable {
  /// Nowhere: only the app signs in, by calling `SessionManager.signIn(with:)`. A request that needs a session gets
  /// ``OstiaryError`` `interactionRequired`.
  case manual
  /// Given up front. Nothing is sent until it is needed. It is forgotten when the server refuses it, and at
  /// sign-out, also another process's.
  case upFront(Credential)
  /// Asked for when needed, at most once at a time. Throw ``OstiaryError`` `interactionCancelled` (or any error) to
  /// decline.
  case onRequest(@Sendable (CredentialRequest) async throws -> Credential)
  /// The authenticator's challenge handlers get what they need themselves. While they do, no lock of the store is held.
  case byHandler
}

/// Why a credential is asked for.
public struct CredentialRequest: Sendable {
  /// The kind of server.
  public let kind: AuthenticatorKind
  /// The user who was signed in before; `nil` when there was none.
  public let previousUser: Session.User?
  /// Why a sign-in is needed.
  public let cause: Cause
  /// The error of the attempt before, when the credential given then was refused.
  public let previousError: OstiaryError?
}

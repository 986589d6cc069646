public import Foundation
internal import HTTPTypes
public import OstiaryCore

/// A server, or a proxy in front of one, that takes the schemes of the `Authorization` field (RFC 9110 §11): Basic, Digest
/// and Bearer.
///
/// There is no session at such a server: every request shows the proof again, and there is nothing to renew or to end.
/// What is kept depends on the scheme. For Digest it is `H(username:realm:password)` (token ``digestKeyToken``), which is
/// good for this realm alone and from which the password can only be guessed. For Basic it is user name and password
/// themselves (``basicToken``), for Bearer the token (``accessToken``). They are `Secret`s of the session's proof; keep
/// them in a store that encrypts.
///
/// A request goes out as it is until the server challenges. Then the strongest of the offered schemes is answered, and
/// the proof goes along unasked within the challenge's protection space: the realm at this origin, as far as it is
/// known. A nonce that has become stale is replaced without asking the app and without a change of the session. A 401
/// from another realm is the app's.
public struct HTTPAuthentication: Authenticator, AuthenticatorWithEndConfirmation {
  /// The server's base URL.
  public let server: URL
  /// The choices made.
  public let configuration: HTTPAuthenticationConfiguration

  let origin: Origin
  /// Shared by all copies.
  let memory = SpaceMemory()

  /// Makes an authenticator.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an address without an http or https origin.
  public init(
    server: URL, configuration: HTTPAuthenticationConfiguration = HTTPAuthenticationConfiguration()
  ) throws {
    guard let origin = Origin(server) else {
      throw OstiaryError(
        .invalidInput, "The server's address is not one that HTTP can reach.",
        advice: "Give an address such as https://example.org/.", requestMayHaveExecuted: false)
    }
    self.server = server
    self.configuration = configuration
    self.origin = origin
  }

  public var kind: AuthenticatorKind { .http }

  /// A server that never asks has to be shown the proof with every request.
  public var proofNeed: ProofNeed { configuration.sendsBasicUnasked ? .always : configuration.proofNeed }

  /// Where the proof of a Digest session keeps `H(username:realm:password)`, in hexadecimal digits.
  public static let digestKeyToken = "digest_key"
  /// Where the proof of a Basic session keeps user name and password, as the field has them.
  public static let basicToken = "basic"
  /// Where the proof of a Bearer session keeps the token, and where a credential brings it.
  public static let accessToken = "access_token"

  /// Whether no host on the way can read what is sent: https, or this machine.
  var isConfidential: Bool { origin.isSecure || origin.isLoopback }

  /// There is nothing to end at the server.
  public func end(_ session: Session, in context: AuthenticationContext) async throws {}

  package func confirmEnd(of session: Session, in context: AuthenticationContext) async -> EndConfirmation {
    .localOnly(reason: "the server keeps no session; what was shown with each request is forgotten here")
  }

  public func attachment(for session: Session) -> ProofAttachment {
    // A session that this configuration would not begin any more goes along with nothing, and is challenged.
    ProofAttachment(origins: [origin], perRequest: SchemeSession(session).flatMap(proof))
  }

  /// The proof is shown in a field: cookies that come with answers are a gateway's or the application's.
  public func isProof(cookieNamed name: String) -> Bool { false }

  /// A 401 with a challenge that can be answered. A session's own challenges are told by its proof.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    guard response.status == .unauthorized, Origin(request.head) == origin else { return .accepted }
    do {
      let choice = try SchemeChoice.strongest(
        of: response.head.authenticationChallenges, configuration: configuration, isConfidential: isConfidential)
      guard choice != nil else { return .accepted }
      return .rejected(reason: "the server asks for authentication", mayHaveExecuted: false)
    } catch {
      // Before a handler is asked for a password that would not be sent.
      return .obstructed(Self.unusable(error, request: request.head))
    }
  }

  static func unusable(_ challenge: UnusableChallenge, request: HTTPRequest?) -> OstiaryError {
    OstiaryError(
      .noUsableScheme, "The server asks for authentication in a way that can't be used: \(challenge.reason).",
      advice: challenge.advice, disposition: .misuse, request: request,
      requestMayHaveExecuted: false)
  }

  /// What makes the proof of a session; `nil` for one that this configuration does not allow.
  func proof(of session: SchemeSession) -> (any RequestProof)? {
    let isAllowed = isConfidential || configuration.insecurelySendsSecretsOverHTTP
    let space = memory.space(
      SpaceMemory.Key(user: session.user.id, realm: session.realm ?? "", method: session.method),
      prefixes: session.paths + configuration.preemptivePaths)
    switch session.shown {
    case .digest(let account):
      guard configuration.schemes.contains(.digest), configuration.digestHashes.contains(account.algorithm.hash) else {
        return nil
      }
      return DigestProof(account, origin: origin, space: space, memory: memory, configuration: configuration)
    case .basic(let proof):
      guard configuration.schemes.contains(.basic), isAllowed else { return nil }
      return FieldProof(
        .basic, proof: proof, realm: session.realm, isUnasked: session.isUnasked, space: space, memory: memory)
    case .bearer(let proof):
      guard configuration.schemes.contains(.bearer), isAllowed else { return nil }
      return FieldProof(.bearer, proof: proof, realm: session.realm, space: space, memory: memory)
    }
  }
}

public import Foundation
public import OstiaryCore

/// What ``HTTPAuthentication`` does where there is a choice.
public struct HTTPAuthenticationConfiguration: Sendable {
  /// The schemes that may be used. Of those that a server offers the strongest is: Digest before Basic, and the strongest
  /// hash of Digest. Basic and Digest by default; a program that has a token names ``HTTPAuthenticationScheme/bearer``
  /// instead.
  public var schemes: Set<HTTPAuthenticationScheme> = [.digest, .basic]
  /// The hashes that Digest may use. All by default: MD5 is weak, but Basic, the usual alternative, has none.
  public var digestHashes = Set(DigestHash.allCases)
  /// The realm whose challenges are answered; `nil`, the default, takes the first one that asks.
  public var realm: String?
  /// When a request needs proof. By default only once the server demands it.
  public var proofNeed = ProofNeed.whenChallenged
  /// An address that the server protects, at which user name and password are tried with a `HEAD` request. By default the
  /// one that was challenged, or the server's base URL when the app signs in by itself.
  public var checkURL: URL?
  /// Paths, besides those that have asked for it, that get proof unasked: `["/api/"]`. Proof goes to no other place
  /// before it is challenged there by the same realm (RFC 7617 §2.2).
  public var preemptivePaths: [String] = []
  /// Whether user name and password are sent as Basic without a challenge, for servers that accept Basic and don't say so:
  /// they answer strangers with a 404, a redirect or a bare 401. A sign-in then needs ``checkURL``, or the server's base
  /// URL, to be an address that the server answers only with the right password. A challenge that the server does give is
  /// answered instead. Every request needs a session then, and ``proofNeed`` does not count. `false`.
  public var sendsBasicUnasked = false
  /// Whether Digest covers request bodies where the server can do both (`auth-int`). Requests that an app sends by
  /// itself have to be prepared with their body then.
  public var prefersDigestIntegrity = false
  /// Whether a successful answer to a Digest is believed only with the server's own proof that it knows the password
  /// (`rspauth`). Otherwise a proof that is given is used, and a wrong one only loses the nonce that came with it.
  public var requiresServerProof = false
  /// Who a token belongs to, as it doesn't say itself.
  public var tokenUser = Session.User(id: "bearer")
  /// Sends Basic passwords and tokens over plain http, where any host on the way can read them, to other machines than
  /// this one.
  public var insecurelySendsSecretsOverHTTP = false

  /// The defaults.
  public init() {}
}

/// A scheme of the `Authorization` field that ``HTTPAuthentication`` speaks, the weakest first.
public enum HTTPAuthenticationScheme: String, Sendable, Hashable, CaseIterable {
  /// User name and password, readable in the request (RFC 7617).
  case basic
  /// A hash of user name, password and the request (RFC 7616).
  case digest
  /// A token (RFC 6750), which the app brings.
  case bearer

  /// As it is written in the field.
  var name: String {
    switch self {
    case .basic: "Basic"
    case .digest: "Digest"
    case .bearer: "Bearer"
    }
  }

  var whatIsShown: String { self == .bearer ? "the token" : "the user name or password" }
}

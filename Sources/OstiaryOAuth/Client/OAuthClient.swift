internal import Foundation
internal import OstiaryCore

/// A client of an authorization server: asks for tokens, revokes them, looks at them.
///
/// It is a value without memory of tokens, and sends each request once. ``OAuthAuthenticator`` with a session manager
/// keeps the tokens and renews them. No redirect is followed: neither codes nor secrets may go elsewhere.
///
/// ```swift
/// let client = try OAuthClient(
///   id: "orders-app",
///   endpoints: OAuthEndpoints(token: issuer.appending(path: "token"), authorization: issuer.appending(path: "authorize")))
/// ```
public struct OAuthClient: Sendable {
  /// The identifier that the server has given this client (RFC 6749 §2.2).
  public let id: String
  /// How the client says that it is itself.
  public let authentication: ClientAuthentication
  /// Where the server does what. Of a client that was made from an issuer and is not ``located()``, nothing but the issuer counts.
  public internal(set) var endpoints: OAuthEndpoints
  /// What the server says of itself; `nil` for endpoints that were given.
  public internal(set) var metadata: ServerMetadata?
  /// Finds the server, and the keys that it signs with.
  public var directory: ServerDirectory?
  /// Whether the endpoints are known.
  public internal(set) var isLocated = true
  var convention = ServerDirectory.Convention.openID
  /// What the server's vendor does otherwise than the specifications; chosen by the issuer of a client that was made from one.
  public internal(set) var preset: ServerPreset?
  /// The APIs that tokens are asked for, by their resource indicators: absolute URIs without a fragment (RFC 8707 §2). They go
  /// with each request for authorization and for tokens that names none itself.
  public var resources: [String] = []
  /// Further ones that a user is asked for, and whose tokens are asked for later.
  var otherResources: [String] = []
  /// All that a user is asked for. Who names none leaves it to the server what a session is for.
  var askedResources: [String] {
    resources.isEmpty ? [] : resources + otherResources.filter { !resources.contains($0) }
  }
  /// Whether authorization requests are handed to the server beforehand where it has an endpoint for that (RFC 9126). A server that
  /// demands it gets them so in any case.
  public var pushesAuthorizationRequests = true
  /// Whether each callback of the server names its issuer: one without is refused, as another server could have sent it (RFC 9207
  /// §2.4). Where the server's metadata promise it, `false` changes nothing.
  public var requiresIssuerInCallback = false
  /// How ID tokens are verified; `nil` where they are only kept. A client that was made from an issuer verifies them by the issuer's keys once
  /// it is ``located()``.
  public var idTokens: IDTokenPolicy?
  /// How tokens are bound to a key of this client's own (RFC 9449); `nil` for bearer tokens.
  public var dpop: DPoP?
  /// The key that requests are proven with.
  var binding: DPoPBinding?
  /// What servers have said for proofs: copies of a client have it in common.
  package var proofMemory = DPoPMemory()
  /// The refusals that are the server's definite word.
  public var terminalRefusals = TerminalRefusals.standard
  /// Whether a 400 or 401 to a refresh token is the server's definite word, though its body is empty or can't be read.
  /// `false`: such an answer ends nothing by itself (`OstiaryError.Code.unclearRefusal`).
  public var takesUnclearRefusalsForRefusals = false
  /// How long each request may take. 30 seconds.
  public var timeout: Duration = .seconds(30)
  /// How long the server may take to confirm that a token is revoked. 10 seconds.
  public var revocationTimeout: Duration = .seconds(10)

  /// Makes a client.
  /// - Parameter insecurelyAllowsPlainHTTP: lets endpoints be `http` addresses, where any host on the way can read and
  ///   change codes, tokens and secrets (RFC 6749 §10.4 forbids it). On this machine itself it needs no permission.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an empty identifier and for endpoints that are not
  ///   `https` URLs.
  public init(
    id: String, authentication: ClientAuthentication = .none, endpoints: OAuthEndpoints,
    insecurelyAllowsPlainHTTP: Bool = false
  ) throws {
    guard !id.isEmpty else {
      throw OstiaryError.invalidOAuthInput("The client has no identifier.", "Give the one that the server registered.")
    }
    if let secret = authentication.secret, secret.isEmpty {
      throw OstiaryError.invalidOAuthInput("The client's secret is empty.", "Use no client authentication instead.")
    }
    let rule = EndpointRule(allowsPlainHTTP: insecurelyAllowsPlainHTTP)
    for endpoint in endpoints.all {
      switch rule.problem(of: endpoint) {
      case nil: break
      case .notAbsolute:
        throw OstiaryError.invalidOAuthInput(
          "An endpoint is not an absolute https URL without a user name and fragment.", "Check the endpoints.")
      case .notEncrypted(let origin):
        throw OstiaryError.invalidOAuthInput(
          "The endpoint at \(origin) is not encrypted.",
          "Use https, or allow plain http if no other host can listen on the way.")
      }
    }
    self.id = id
    self.authentication = authentication
    self.endpoints = endpoints
  }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
  /// The client's identifier and the server's host.
  public var description: String { "OAuthClient(\(id) at \(endpoints.token.host() ?? "?"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

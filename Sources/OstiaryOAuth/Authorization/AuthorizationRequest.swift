public import Foundation
public import OstiaryCore

/// What a user is asked to authorize, for one time (RFC 6749 §4.1.1 with RFC 7636 §4.3).
///
/// Its state and code verifier are made for it alone. ``url`` is what a browser shows; ``check(_:)`` tells whether an
/// address that the browser was sent to is the answer.
public struct AuthorizationRequest: Sendable, Hashable {
  /// The address for the user's browser. Of a request that was pushed, it names nothing but the client and the request.
  public private(set) var url: URL
  /// Where the server sends the browser afterwards.
  public let redirectURI: URL
  /// Ties the answer to this request (RFC 6749 §10.12).
  public let state: Secret
  /// Ties the code to this client (RFC 7636).
  public let pkce: PKCE
  /// The issuer that has to be named in the answer, if it names one (RFC 9207).
  public let issuer: String?
  /// Ties the ID token to this request (OpenID Connect Core §3.1.2.1); `nil` where none is verified.
  public let nonce: IDTokenNonce?
  /// What the ID token is judged by; `nil` where none is asked for, or none is verified.
  let expectation: IDTokenExpectation?
  /// The same page for a browser that sends a form to it; `nil` for one that is only visited.
  private(set) var postedPage: PostedPage?

  /// Makes a request.
  /// - Parameters:
  ///   - client: who asks. Its ``OAuthEndpoints/authorization`` must be there.
  ///   - redirectURI: exactly as it was registered, but for the port of a loopback address (RFC 8252 §7.3).
  ///   - scope: what for, in words separated by spaces (RFC 6749 §3.3).
  ///   - parameters: extras: `prompt`, `login_hint`, `resource` (RFC 8707), `audience`. `response_mode` may be `query` or
  ///     `fragment`.
  ///   - state: for tests and for requests that another process goes on with; by default a random one.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`.
  public init(
    _ client: OAuthClient, redirectURI: URL, scope: String? = nil, parameters: OAuthParameters = [:],
    state: Secret? = nil, pkce: PKCE = PKCE()
  ) throws {
    let (scope, parameters) = client.adapted(scope, parameters)
    guard let endpoint = client.endpoints.authorization else {
      throw OstiaryError.invalidOAuthInput(
        "The client knows no authorization endpoint.", "Give one among the endpoints.")
    }
    guard redirectURI.scheme != nil, redirectURI.fragment() == nil else {
      throw OstiaryError.invalidOAuthInput(
        "A redirect URI is absolute and has no fragment (RFC 6749 §3.1.2).", "Give the one that is registered.")
    }
    let state = state ?? Secret(RandomText.make())
    guard !state.isEmpty else {
      throw OstiaryError.invalidOAuthInput("The state is empty.", "Leave it out, and one is made.")
    }
    var form: OAuthParameters = [
      "response_type": "code", "client_id": client.id, "redirect_uri": redirectURI.absoluteString,
    ]
    form.add("scope", scope)
    form.add("state", state.reveal())
    form.add("code_challenge", pkce.challenge)
    form.add("code_challenge_method", "S256")
    // The code is then of no use without the key (RFC 9449 §10).
    form.add("dpop_jkt", client.binding?.key.thumbprint)
    let asksForID = client.idTokens != nil && (scope ?? "").split(separator: " ").contains("openid")
    let nonce = asksForID ? parameters["nonce"].map { IDTokenNonce(Secret($0)) } ?? IDTokenNonce() : nil
    if parameters["nonce"] == nil { form.add("nonce", nonce?.value.reveal()) }
    try form.add(extras: parameters)
    try form.add(resources: client.askedResources)
    self.form = form
    requiresIssuer = client.expectsIssuerInCallback
    url = try Self.page(endpoint, form)
    self.redirectURI = redirectURI
    self.state = state
    self.pkce = pkce
    issuer = client.endpoints.issuer
    self.nonce = nonce
    expectation = nonce.map { IDTokenExpectation($0, parameters) }
    terminalRefusals = client.terminalRefusals
    proofKey = client.binding?.key.stored
  }

  let terminalRefusals: TerminalRefusals
  /// What is kept of the key that the code is tied to (RFC 9449 §10); `nil` for none.
  let proofKey: Secret?
  /// All that is asked for.
  let form: OAuthParameters
  /// Whether an answer that names no issuer is refused (RFC 9207 §2.4).
  let requiresIssuer: Bool
}

extension AuthorizationRequest {
  /// A request that was begun, to finish it.
  init(_ begun: BegunAuthorization, _ client: OAuthClient, page: URL) {
    url = page
    form = [:]
    redirectURI = begun.redirectURI
    state = begun.state
    pkce = begun.pkce
    issuer = client.endpoints.issuer
    nonce = begun.expectation?.nonce.map { IDTokenNonce($0) }
    expectation = begun.expectation
    requiresIssuer = client.expectsIssuerInCallback
    terminalRefusals = client.terminalRefusals
    proofKey = begun.proofKey
  }

  /// The same request as the server knows it after it was pushed (RFC 9126 §4).
  init(_ request: AuthorizationRequest, at page: URL, posting postedPage: PostedPage? = nil) {
    self = request
    url = page
    self.postedPage = postedPage
  }

  /// A page of the server with parameters. The endpoint's own query stays (RFC 6749 §3.1).
  static func page(_ endpoint: URL, _ form: OAuthParameters) throws -> URL {
    let query = form.all.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
    let base = endpoint.absoluteString
    let separator = endpoint.query == nil ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
    guard let url = URL(string: base + separator + query.joined(separator: "&")) else {
      throw OstiaryError.invalidOAuthInput("The authorization request makes no URL.", "Check the parameters.")
    }
    return url
  }
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The server's host; the query has the state.
  public var description: String { "AuthorizationRequest(at \(url.host() ?? "?"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// A page of a server that a browser sends a form to.
struct PostedPage: Sendable, Hashable {
  /// Where the form goes. Its own query stays.
  let action: URL
  let parameters: OAuthParameters
}

internal import Foundation
public import OstiaryCore

extension OAuthClient {
  /// Exchanges an authorization code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
  /// - Parameters:
  ///   - response: a callback that ``AuthorizationRequest/check(_:)`` has found to be right.
  ///   - request: the request that it answers.
  ///   - parameters: extras, such as `resource`.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  public func tokens(
    for response: AuthorizationResponse, to request: AuthorizationRequest, parameters: OAuthParameters = [:],
    in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = [
      "grant_type": "authorization_code", "code": response.code.reveal(),
      "redirect_uri": request.redirectURI.absoluteString, "code_verifier": request.pkce.verifier.reveal(),
    ]
    try form.add(extras: parameters)
    // A request that was begun in another process has its key.
    let client = try request.proofKey.map { try proving(keyStoredAs: $0) } ?? self
    var tokens = try await client.tokens(.grant, form, secrets: [response.code, request.pkce.verifier], context)
    tokens.expectation = request.expectation
    return tokens
  }

  /// Exchanges a refresh token for newer tokens (RFC 6749 §6).
  ///
  /// A server that rotates its refresh tokens sends a new one, and the old one is dead: write the answer down before
  /// using it. Where the answer has none, ``TokenSet/keeping(from:)`` keeps the old one.
  /// - Parameter scope: less than what was granted; `nil` asks for the same.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `grantRefused` as the server's word on the refresh token.
  public func refresh(
    _ refreshToken: Secret, scope: String? = nil, parameters: OAuthParameters = [:], in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = ["grant_type": "refresh_token", "refresh_token": refreshToken.reveal()]
    form.add("scope", scope)
    try form.add(extras: parameters)
    return try await tokens(.refresh, form, secrets: [refreshToken], context)
  }

  /// Exchanges an assertion, a signed JWT as a rule, for tokens (RFC 7523 §2.1).
  /// - Throws: ``/OstiaryCore/OstiaryError``; `grantRefused` as the server's word on the assertion.
  public func tokens(
    forAssertion assertion: Secret, scope: String? = nil, parameters: OAuthParameters = [:],
    in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = [
      "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion.reveal(),
    ]
    form.add("scope", scope)
    try form.add(extras: parameters)
    return try await tokens(.grant, form, secrets: [assertion], context)
  }

  /// Exchanges a user's name and password for tokens (RFC 6749 §4.3), for servers that know nothing better.
  ///
  /// Insecure: the program sees the password, the user can't know what it does with it, and no second factor fits in.
  /// RFC 9700 §2.4 says that it must not be used.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `invalidCredentials` as the server's word.
  public func insecureTokens(
    forUsername username: String, password: Secret, scope: String? = nil, parameters: OAuthParameters = [:],
    in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = [
      "grant_type": "password", "username": username, "password": password.reveal(),
    ]
    form.add("scope", scope)
    try form.add(extras: parameters)
    return try await tokens(.password, form, secrets: [password], context)
  }

  /// Exchanges any other grant for tokens (RFC 6749 §4.5).
  /// - Parameters:
  ///   - type: the grant's name, such as `client_credentials`.
  ///   - parameters: the grant's own, and extras.
  ///   - secrets: what of them must never be shown, should the server quote it.
  /// - Throws: ``/OstiaryCore/OstiaryError``.
  public func tokens(
    forGrant type: String, parameters: OAuthParameters, secrets: [Secret] = [], in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = ["grant_type": type]
    try form.add(extras: parameters)
    return try await tokens(.grant, form, secrets: secrets, context)
  }

  /// Sends a request for tokens that the app has made itself.
  func tokens(sending request: TransportRequest, in context: AuthenticationContext) async throws -> TokenSet {
    try requireKey()
    let call = OAuthCall(self, to: endpoints.token, for: .grant, [:], secrets: [])
    let answered = try await exchange(at: Origin(request.head), provesKey: true, in: context) { _ in request }
    return try TokenSet(call.read(answered), to: self)
  }

  func tokens(
    _ purpose: OAuthPurpose, _ form: OAuthParameters, secrets: [Secret], _ context: AuthenticationContext
  ) async throws -> TokenSet {
    // A session from before keys were wanted keeps its tokens as they are.
    if purpose != .refresh { try requireKey() }
    var form = form
    try form.add(resources: resources)
    let call = OAuthCall(self, to: endpoints.token, for: purpose, form, secrets: secrets)
    return try TokenSet(try await call.send(in: context), to: self)
  }
}

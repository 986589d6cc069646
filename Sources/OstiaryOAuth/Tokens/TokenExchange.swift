public import OstiaryCore

/// One token for another (RFC 8693 §2.1): to call an API for a user, as the user (impersonation) or in the user's name (delegation).
///
/// ```swift
/// // A service that was called with a user's token calls another one in the user's name.
/// let exchange = TokenExchange(of: .init(userToken), by: .init(ownToken), for: ["https://orders.example/"])
/// let tokens = try await client.tokens(exchanging: exchange, in: context)
/// ```
public struct TokenExchange: Sendable, Hashable {
  /// Whom the new token is about.
  public var subject: Token
  /// Who acts for them. Without an actor the new token is as if the subject had got it (RFC 8693 §1.1).
  public var actor: Token?
  /// The APIs that it is for, as addresses (RFC 8707).
  public var resources: [String]
  /// The APIs that it is for, by the names that the server has for them.
  public var audiences: [String]
  /// What it is for, in words separated by spaces.
  public var scope: String?

  /// Makes an exchange.
  /// - Parameters:
  ///   - subject: whom the new token is about.
  ///   - actor: who acts for them.
  ///   - resources: the APIs that it is for, as addresses.
  public init(
    of subject: Token, by actor: Token? = nil, for resources: [String] = [], audiences: [String] = [],
    scope: String? = nil
  ) {
    self.subject = subject
    self.actor = actor
    self.resources = resources
    self.audiences = audiences
    self.scope = scope
  }

  /// A token that is shown.
  public struct Token: Sendable, Hashable {
    /// The token.
    public var token: Secret
    /// What it is.
    public var kind: Kind

    /// A token of a kind.
    public init(_ token: Secret, kind: Kind = .accessToken) {
      self.token = token
      self.kind = kind
    }
  }

  /// What a token is (RFC 8693 §3). An open set.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An access token.
    public static let accessToken = Kind(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token.
    public static let refreshToken = Kind(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token.
    public static let idToken = Kind(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A signed token of another kind.
    public static let jwt = Kind(rawValue: "urn:ietf:params:oauth:token-type:jwt")
    /// A SAML 2.0 assertion, in base64url.
    public static let saml2 = Kind(rawValue: "urn:ietf:params:oauth:token-type:saml2")
  }
}

extension OAuthClient {
  /// Exchanges a token for an access token (RFC 8693).
  /// - Throws: ``/OstiaryCore/OstiaryError``: `clientRefused` when the server does not accept a token that was shown, which it says as of
  ///   a wrong request (RFC 8693 §2.2.2); `unexpectedResponse` for a token that is no access token.
  public func tokens(
    exchanging exchange: TokenExchange, parameters: OAuthParameters = [:], in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = [
      "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
      "requested_token_type": TokenExchange.Kind.accessToken.rawValue,
      "subject_token": exchange.subject.token.reveal(), "subject_token_type": exchange.subject.kind.rawValue,
    ]
    form.add("actor_token", exchange.actor?.token.reveal())
    form.add("actor_token_type", exchange.actor?.kind.rawValue)
    form.add("scope", exchange.scope)
    try form.add(resources: exchange.resources)
    for audience in exchange.audiences { form.add("audience", audience) }
    try form.add(extras: parameters)
    let secrets = [exchange.subject.token, exchange.actor?.token].compactMap { $0 }
    let tokens = try await tokens(.grant, form, secrets: secrets, context)
    // A server that does not say what it gave has given what was asked for, though it has to say it (RFC 8693 §2.2.1).
    let kind = tokens.members["issued_token_type"]?.word.map { TokenExchange.Kind(rawValue: $0) } ?? .accessToken
    guard kind == .accessToken || kind == .jwt else {
      throw OstiaryError(
        .unexpectedResponse, "The authorization server gave another kind of token than was asked for (RFC 8693 §2.2.1)."
      )
    }
    return tokens
  }
}

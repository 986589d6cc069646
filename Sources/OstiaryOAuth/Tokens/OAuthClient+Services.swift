internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension OAuthClient {
  /// Revokes a token (RFC 7009 §2). Does nothing where the server has no endpoint for that.
  ///
  /// A token that the server does not know is as good as revoked (RFC 7009 §2.2); so is one of a kind that it does not
  /// revoke, for there is no more to be done.
  /// - Parameter kind: what the token is, so that the server finds it sooner.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when the server was not told, or refused.
  public func revoke(_ token: Secret, kind: TokenKind, in context: AuthenticationContext) async throws {
    guard let endpoint = endpoints.revocation else { return }
    let call = OAuthCall(
      self, to: endpoint, for: .service, ["token": token.reveal(), "token_type_hint": kind.rawValue],
      secrets: [token], timeout: revocationTimeout)
    do {
      _ = try await call.send(in: context)
    } catch let error as OstiaryError {
      guard let refusal = error.underlying as? OAuthRefusal, (200..<500).contains(refusal.status ?? 0),
        refusal.code == .invalidToken || refusal.code == .unsupportedTokenType
      else { throw error }
    }
  }

  /// Asks the server about a token (RFC 7662 §2.1).
  /// - Throws: ``/OstiaryCore/OstiaryError``; `clientRefused` when the server doesn't tell this client; `invalidInput`
  ///   without an endpoint.
  public func introspect(
    _ token: Secret, kind: TokenKind = .accessToken, in context: AuthenticationContext
  ) async throws -> TokenIntrospection {
    guard let endpoint = endpoints.introspection else {
      throw OstiaryError.invalidOAuthInput(
        "The client knows no introspection endpoint.", "Give one among the endpoints.")
    }
    let call = OAuthCall(
      self, to: endpoint, for: .service, ["token": token.reveal(), "token_type_hint": kind.rawValue],
      secrets: [token])
    let answer = try await call.send(in: context)
    let members = try answer.requireMembers()
    guard let isActive = members["active"]?.bool else {
      throw answer.unexpected("The server did not say whether the token is active.")
    }
    return TokenIntrospection(isActive: isActive, members: members)
  }

  /// Asks the server whose token it is (OpenID Connect Core §5.3). An answer that is signed is verified (``OAuthClient/idTokens``).
  /// - Returns: what the server said of the user; `sub` is who it is.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `grantRefused` when the server says that the token is not good (OpenID Connect
  ///   Core §5.3.3); `invalidInput` without an endpoint.
  public func userInfo(
    with accessToken: Secret, in context: AuthenticationContext
  ) async throws -> [String: JSONValue] {
    guard let endpoint = endpoints.userInfo else {
      throw OstiaryError.invalidOAuthInput("The client knows no userinfo endpoint.", "Give one among the endpoints.")
    }
    if binding?.tokens == .unusable { throw OstiaryError.tokenNotBound }
    let isBound = binding?.tokens == .bound
    let scheme = isBound ? "DPoP " : "Bearer "
    let answered = try await exchange(
      at: Origin(endpoint), provesKey: isBound, accessToken: accessToken, in: context
    ) { _ in
      var request = try TransportRequest.get(endpoint)
      request.head.headerFields[.accept] = "application/json"
      request.head.headerFields[.authorization] = scheme + accessToken.reveal()
      request.timeout = timeout
      request.responseBodyLimit = 1 << 20
      return request
    }
    let (request, response) = (answered.request, answered.response)
    // What is wrong with a proof says nothing about the token.
    if let refusal = DPoPRefusal(response.head) { throw OstiaryError.proofRefused(refusal.rawValue) }
    // A proxy's 401 is no word about the token, and neither is a portal's page. This endpoint looks at the token and at nothing
    // else, so that its 401 is one without a challenge, too.
    let isRefused =
      switch TokenJudge.bearer.judge(response, request) {
      case .rejected: true
      case .doubtful: response.mediaType != "text/html"
      case .accepted, .insufficient, .obstructed: false
      }
    if isRefused {
      throw OstiaryError(
        .grantRefused, "The server does not accept the access token.", disposition: .terminal, request: request.head)
    }
    if let signed = try await signedUserInfo(response, to: request.head, in: context) { return signed }
    let call = OAuthCall(self, to: endpoint, for: .service, [:], secrets: [accessToken])
    return try call.read(answered).requireMembers()
  }
}

/// What a token is, as hints to a server name it (RFC 7009 §2.1). An open set.
public struct TokenKind: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An access token: what requests carry.
  public static let accessToken = TokenKind(rawValue: "access_token")
  /// A refresh token: what newer tokens are given for.
  public static let refreshToken = TokenKind(rawValue: "refresh_token")
}

/// What a server says of a token (RFC 7662 §2.2).
public struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token is good now.
  public let isActive: Bool
  /// Everything that the server said: `scope`, `sub`, `exp` and others.
  public let members: [String: JSONValue]

  /// Makes an answer.
  public init(isActive: Bool, members: [String: JSONValue]) {
    self.isActive = isActive
    self.members = members
  }

  /// Whose token it is, where the server said so.
  public var subject: String? { members["sub"]?.identifier }
}

extension TokenIntrospection: CustomStringConvertible, CustomReflectable {
  /// Whether the token is good; not what else the server said.
  public var description: String { isActive ? "active" : "not active" }
  public var customMirror: Mirror { Mirror(self, children: ["isActive": isActive], displayStyle: .struct) }
}

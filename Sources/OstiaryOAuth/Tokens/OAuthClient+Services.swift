internal import Foundation
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

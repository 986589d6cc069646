public import Foundation
internal import HTTPTypes
internal import OstiaryCore
public import OstiaryOAuth

/// Where a user's token comes from.
public struct FacebookTokenSource: Sendable {
  let token: @Sendable (FacebookConfiguration, AuthenticationContext) async throws -> FacebookToken

  /// The user logs in on Facebook's page, in a browser: authorization code with PKCE.
  ///
  /// Without an app secret the app must be allowed to do without one ("Login with an OIDC token" with a code verifier).
  /// - Parameters:
  ///   - userAgent: shows the page.
  ///   - redirectURI: as registered with Facebook, such as `fb1234567://authorize`.
  public static func browser(_ userAgent: any UserAgent, redirectURI: URL) -> FacebookTokenSource {
    FacebookTokenSource { configuration, context in
      let version = configuration.version
      var client = try OAuthClient(
        id: configuration.appID, authentication: configuration.appSecret.map { .secretPost($0) } ?? .none,
        endpoints: OAuthEndpoints(
          token: configuration.graph.appending(path: "\(version)/oauth/access_token"),
          authorization: configuration.dialog.appending(path: "\(version)/dialog/oauth")))
      client.timeout = configuration.timeout
      let asked = configuration.permissions.joined(separator: ",")
      let extras: OAuthParameters = configuration.asksAgainForDeclinedPermissions ? ["auth_type": "rerequest"] : [:]
      let visit = try await userAgent.visit(redirectURI) { [client] uri in
        try AuthorizationRequest(client, redirectURI: uri, scope: asked.isEmpty ? nil : asked, parameters: extras)
      }
      let response = try visit.request.check(visit.callback)
      let exchange = GraphExchange(inner: context.transport)
      let tokens = try await client.tokens(
        for: response, to: visit.request,
        in: AuthenticationContext(transport: exchange, clock: context.clock, logger: context.logger))
      return FacebookToken(tokens.accessToken, expiresAt: tokens.expiresAt)
    }
  }

  /// Another library has the token, as Facebook's own SDK in an app that already uses it.
  ///
  /// ```swift
  /// FacebookTokenSource.handedOver { permissions in
  ///   let token = try await logIn(permissions)       // LoginManager().logIn(permissions:from:)
  ///   return FacebookToken(Secret(token.tokenString), userID: token.userID)
  /// }
  /// ```
  /// - Parameter token: gets the permissions to ask for; throws `OstiaryError` `interactionCancelled` when the user
  ///   declines.
  public static func handedOver(
    _ token: @escaping @Sendable (_ permissions: [String]) async throws -> FacebookToken
  ) -> FacebookTokenSource {
    FacebookTokenSource { configuration, _ in try await token(configuration.permissions) }
  }
}

/// Reads what Facebook's token endpoint says when it refuses to exchange a code: a Graph error (Graph API, "Handling errors"),
/// where OAuth has a word (RFC 6749 §5.2).
private struct GraphExchange: Transport {
  let inner: any Transport

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await inner.send(request)
    let answer = JSONValue(json: response.body)
    guard (400..<500).contains(response.status.code), !response.head.saysUnavailable, let refusal = GraphRefusal(answer)
    else { return response }
    switch refusal.code {
    case 101, 102, 190: throw refusal.appRefused(request.head)
    // A wrong secret has the number of an unknown error, and no more of its own than these words.
    case 1 where answer?["error"]?["message"]?.string?.hasPrefix("Error validating client secret") == true:
      throw refusal.appRefused(request.head)
    // Of a code that is not good Facebook has published no number.
    case 100: return response
    default: throw refusal.error(request.head, to: .app)
    }
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(request) }
}

internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension OAuthClient {
  /// Asks the server whose token it is (OpenID Connect Core §5.3). An answer that is signed is verified (``OAuthClient/idTokens``).
  /// - Returns: what the server said of the user; `sub` is who it is.
  /// - Throws: ``/OstiaryCore/OstiaryError``; `grantRefused` when the server says that the token is not good (OpenID Connect
  ///   Core §5.3.3); `invalidInput` without an endpoint.
  public func userInfo(
    with accessToken: Secret, in context: AuthenticationContext
  ) async throws -> [String: JSONValue] {
    switch try await userInfoAnswer(with: accessToken, in: context) {
    case .tells(let members): return members
    case .tellsNothing(let error): throw error
    }
  }

  /// What the userinfo endpoint answers.
  /// - Throws: as ``userInfo(with:in:)``, for what is no answer of this endpoint.
  func userInfoAnswer(
    with accessToken: Secret, in context: AuthenticationContext
  ) async throws -> UserInfoAnswer {
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
    if let signed = try await signedUserInfo(response, to: request.head, in: context) { return .tells(signed) }
    let call = OAuthCall(self, to: endpoint, for: .service, [:], secrets: [accessToken])
    do {
      return .tells(try call.read(answered).requireMembers())
    } catch let error as OstiaryError where UserInfoAnswer.isNothing(response) {
      return .tellsNothing(error)
    }
  }
}

/// What a userinfo endpoint answers to a token.
enum UserInfoAnswer: Sendable {
  /// What the server says of the token's user.
  case tells([String: JSONValue])
  /// The token is good for something else.
  case tellsNothing(OstiaryError)

  /// Whether an answer says that it has nothing to tell of a good token: its scope does not suffice (RFC 6750 §3.1). A 403 that says no more may
  /// be of a firewall in between, and a 404 of a deployment: neither may change who a user is.
  static func isNothing(_ response: TransportResponse) -> Bool {
    guard [401, 403].contains(response.status.code) else { return false }
    return response.head.authenticationChallenges.contains { $0.parameters["error"] == insufficientScope }
      || OAuthAnswer.members(of: response)?["error"]?.string == insufficientScope
  }

  private static let insufficientScope = "insufficient_scope"
}

internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryOAuth

/// Signs a community's member in with a name and a password, without a page (`code_credentials`): the authorization
/// endpoint takes them and gives a code, which PKCE ties to this client.
struct HeadlessSignIn: Sendable {
  let host: SalesforceLoginHost
  let redirectURI: URL

  func flow(username: String, password: Secret) -> OAuthFlow {
    OAuthFlow(needsPerson: true) { client, context in
      let pkce = PKCE()
      let answer = try await authorize(client.id, username, password, pkce, context)
      guard let code = answer["code"]?.string, !code.isEmpty,
        let address = answer[SalesforceTokens.Name.communityURL]?.string.flatMap(SalesforceTokens.url),
        let community = SalesforceLoginHost(address)
      else { throw OstiaryError(.unexpectedResponse, "The server gave no code and no site to redeem it at.") }
      var site = try OAuthClient(id: client.id, authentication: client.authentication, endpoints: community.endpoints)
      site.terminalRefusals = .salesforce
      var tokens = try await site.proving(as: client).tokens(
        forGrant: "authorization_code",
        parameters: [
          "code": code, "redirect_uri": redirectURI.absoluteString, "code_verifier": pkce.verifier.reveal(),
        ], secrets: [Secret(code), pkce.verifier], in: context)
      for name in [SalesforceTokens.Name.communityURL, SalesforceTokens.Name.communityID] {
        tokens.members[name] = tokens.members[name] ?? answer[name]
      }
      return tokens
    }
  }

  private func authorize(
    _ clientID: String, _ username: String, _ password: Secret, _ pkce: PKCE, _ context: AuthenticationContext
  ) async throws -> [String: JSONValue] {
    // The same rules as for any Basic field; only the alphabet is another.
    let basic = try BasicCredentials.authorization(username: username, password: password).reveal()
    let encoded = Base64URL.alphabet(fromBase64: basic.dropFirst("Basic ".count))
    let form = FormEncoding.serialize([
      (name: "response_type", value: "code_credentials"), (name: "client_id", value: clientID),
      (name: "redirect_uri", value: redirectURI.absoluteString), (name: "code_challenge", value: pkce.challenge),
    ])
    var request = try TransportRequest.post(
      host.address("services/oauth2/authorize"), body: Data(form.utf8), contentType: FormEncoding.mediaType)
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = "Basic " + encoded
    if let type = HTTPField.Name("Auth-Request-Type") { request.head.headerFields[type] = "Named-User" }
    request.responseBodyLimit = 1 << 20
    let response = try await context.transport.send(request)
    if let error = OstiaryError(unavailable: response.head, to: request.head, now: context.clock.now) { throw error }
    let codes = SalesforceFailure(response)?.codes ?? []
    switch response.status.code {
    case 200:
      if let members = JSONValue(json: response.body)?.object { return members }
      throw OstiaryError(.unexpectedResponse, "The server's answer is not a JSON object.", request: request.head)
    case 400...403 where response.status == .unauthorized || !codes.isDisjoint(with: Self.refusals):
      throw OstiaryError(
        .invalidCredentials, "The server does not accept the user name and password.", request: request.head)
    default:
      throw OstiaryError(
        .clientRefused, "The server does not let this app sign users in so (\(response.status.code)).",
        advice: "Check that the community allows headless sign-in for the connected app.", disposition: .misuse,
        request: request.head)
    }
  }

  /// How the server says that it is the password, and not the app.
  private static let refusals: Set<String> = [
    "invalid_grant", "invalid_credentials", "login_failed", "access_denied", "authentication_failure",
  ]
}

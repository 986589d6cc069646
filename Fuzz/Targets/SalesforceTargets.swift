import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting

extension FuzzTarget {
  /// A Salesforce server's answer to a sign-in, a refresh and a call: one byte for the status and the media type, and the
  /// body.
  static let salesforceAnswer = FuzzTarget(name: "salesforce-answer") { bytes in
    guard let first = bytes.first, let url = URL(string: "https://na1.salesforce.com/id/x") else { return }
    let statuses: [HTTPResponse.Status] = [.ok, .badRequest, .unauthorized, .forbidden, .tooManyRequests, .badGateway]
    let types = ["application/json", "application/xml", "application/x-www-form-urlencoded", "text/html"]
    let status = statuses[Int(first) % statuses.count]
    let type = types[Int(first) / statuses.count % types.count]
    let response = TransportResponse(
      HTTPResponse(status: status, headerFields: [.contentType: type]), body: Data(bytes.dropFirst()), url: url)
    if case .rejected = TokenJudge.salesforce.judge(response, try .get(url)) {
      try require(status == .unauthorized || status == .forbidden, "only a refusal refuses")
    }
    if let failure = SalesforceFailure(response) {
      try require(!failure.codes.isEmpty && status.code >= 400, "a failure has a code")
    }
    if let members = JSONValue(json: response.body)?.object, let document = SalesforceIdentityDocument(members) {
      try require(document.identity.name.utf8.count == 37, "an identity is org and user")
      _ = (document.username, document.displayName, document.url("rest", version: "58.0"))
    }

    let network = ScriptedTransport(handler: { _ in response })
    let context = AuthenticationContext(transport: network)
    let flow = OAuthFlow(needsPerson: true) { client, context in
      try await client.tokens(forGrant: "authorization_code", parameters: ["code": "fuzzing"], in: context)
    }
    let authenticator = try SalesforceAuthenticator(host: .production, clientID: "fuzz", flow: flow)
    do {
      let grant = try await authenticator.signIn(with: .byHandler, in: context)
      try require(status == .ok, "only a success signs in")
      let session = Session(
        kind: .salesforce, server: url, version: ProofVersion(), grant: grant, issuedAt: context.clock.now)
      try require(
        grant.needsIdentification || SalesforceUserIdentity(session.user) != nil, "a session has a user")
      guard let tokens = SalesforceTokens(session) else { throw PropertyBroken("a session has tokens") }
      let origin = Origin(tokens.instanceURL)
      try require(origin?.isSecure == true || origin?.isLoopback == true, "an instance is encrypted")
      _ = (authenticator.attachment(for: session), session.salesforceIssuedAt, tokens.loginHost)
    } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing"), "an error holds no code")
    }
  }

  /// What apps and users write: identifiers, login hosts, identity URLs, settings, payloads.
  static let salesforceName = FuzzTarget(name: "salesforce-name") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let id = SalesforceID(text) {
      try require(SalesforceID(id.id15) == id && SalesforceID(id.id18) == id, "both spellings are one identifier")
      try require(SalesforceID(id.id18.lowercased()) == id, "the suffix keeps the case")
    }
    if let host = SalesforceLoginHost(text) {
      try require(SalesforceLoginHost(host.url) == host, "an address is its own")
      try require(Origin(host.url)?.isSecure == true || Origin(host.url)?.isLoopback == true, "a host is encrypted")
      _ = (host.endpoints, host.description)
    }
    if let url = URL(string: text) { _ = SalesforceUserIdentity(identityURL: url) }
    let members = ["access_token": "a", "instance_url": text, "id": text, "sfdc_community_url": text]
    if let tokens = SalesforceTokens(members, clientID: "fuzz") { _ = (tokens.loginHost, tokens.apiURL) }
    if let payload = JSONValue(json: Data(bytes))?.object { _ = SalesforceNotification(payload: payload) }
    _ = SalesforceSignature.isValid(text, identityURL: text, issuedAt: text, clientSecret: "fuzz")
  }
}

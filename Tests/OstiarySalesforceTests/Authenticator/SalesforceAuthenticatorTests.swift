import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("The dialect", .timeLimit(.minutes(20)))
struct SalesforceAuthenticatorTests {
  /// The sample of the vendor's documentation.
  private static let members: [String: JSONValue] = [
    "access_token": "00Dx0000000BV7z!AR8AQP0jITN80ESEsj5EbaZTFG0RNBaT1cyWk7T",
    "refresh_token": "5Aep8614iLM.Dq661ePDmPEgaAW9Oh_L3JKkDpB4xReb54_pZfVti1dPEk8aimw4Hr9ne7VXXVSIQ==",
    "instance_url": "https://na1.salesforce.com", "id": .string(SalesforceStub.Person.ann.identityURL),
    "issued_at": "1278448384422", "signature": "ODfDp5Nx0Z4OmSqYxRpBcIi/n9Y+mcG4mRH4rPc+kFo=",
    "scope": "id api refresh_token", "token_type": "Bearer", "lightning_sid": "planted-sid",
    "csrf_token": "planted-csrf",
  ]

  private func authenticator(
    _ authentication: ClientAuthentication = .none, flow: OAuthFlow? = nil
  ) throws -> SalesforceAuthenticator {
    try SalesforceAuthenticator(
      host: .production, clientID: SalesforceStub.clientID, authentication: authentication, flow: flow)
  }

  private func grant(
    _ response: TransportResponse, _ authentication: ClientAuthentication = .none
  ) async throws -> SessionGrant {
    let network = ScriptedTransport()
    network.on(.post, "/services/oauth2/token") { _ in response }
    let flow = OAuthFlow(needsPerson: true) { client, context in
      try await client.tokens(forGrant: "authorization_code", parameters: ["code": "aPrx%3D%3D=+/!"], in: context)
    }
    return try await authenticator(authentication, flow: flow)
      .signIn(with: .byHandler, in: AuthenticationContext(transport: network))
  }

  private func session(_ grant: SessionGrant) -> Session {
    Session(
      kind: .salesforce, server: SalesforceLoginHost.production.url, version: ProofVersion(), grant: grant,
      issuedAt: Date(timeIntervalSince1970: 1_800_000_000))
  }

  @Test("OAuth-O18, O10: JSON, form and XML say the same; there is no end date, and issued_at is in milliseconds")
  func formats() async throws {
    let form = FormEncoding.serialize(Self.members.compactMap { name, value in value.string.map { (name, $0) } })
    let xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <access_token>no</access_token> --><OAuth>"
      + Self.members.compactMap { name, value in
        value.string.map { "<\(name)>\($0.replacingOccurrences(of: "=", with: "&#61;"))</\(name)>" }
      }.joined() + "<empty/></OAuth>"
    func response(_ type: String, _ text: String) -> TransportResponse {
      TransportResponse(HTTPResponse(status: .ok, headerFields: [.contentType: type]), body: Data(text.utf8))
    }
    for answer in [
      TransportResponse.json(Self.members), response("application/x-www-form-urlencoded", form),
      response("application/xml;charset=UTF-8", xml),
    ] {
      let session = session(try await grant(answer))
      let tokens = try #require(SalesforceTokens(session))
      #expect(tokens.accessToken.reveal() == Self.members["access_token"]?.string)
      #expect(tokens.refreshToken?.reveal() == Self.members["refresh_token"]?.string)
      #expect(tokens.identity == SalesforceUserIdentity(userID: "005x00000012Q9P", orgID: "00Dx0000000BV7z"))
      #expect(session.user.id == "00Dx0000000BV7zEAG/005x00000012Q9PAAU")
      #expect(session.expiresAt == nil)
      #expect(session.salesforceIssuedAt == Date(timeIntervalSince1970: 1_278_448_384.422))
      #expect(session.proof.tokens["lightning_sid"] == "planted-sid")
      #expect(session.attributes["lightning_sid"] == nil)
      #expect(session.attributes["csrf_token"] == nil)
    }
  }

  @Test("OAuth-O18: errors are read from XML as well")
  func errorFormats() async throws {
    let xml = "<OAuth><error>invalid_grant</error><error_description>expired</error_description></OAuth>"
    let answer = TransportResponse(
      HTTPResponse(status: .badRequest, headerFields: [.contentType: "text/xml"]), body: Data(xml.utf8))
    let error = await failure { try await grant(answer) }
    #expect(error?.code == .grantRefused)
    #expect((error?.underlying as? OAuthRefusal)?.explanation == "expired")
  }

  @Test("OAuth-O11: the signature is checked where the app has a secret, and a wrong one is not believed")
  func signatures() async throws {
    let url = SalesforceStub.Person.ann.identityURL
    #expect(
      SalesforceSignature.make(identityURL: url, issuedAt: "1278448384422", clientSecret: "s3cr3t")
        == "ODfDp5Nx0Z4OmSqYxRpBcIi/n9Y+mcG4mRH4rPc+kFo=")
    _ = try await grant(.json(Self.members), .secretPost("s3cr3t"))
    for (name, value) in [
      ("id", "https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9Q"), ("issued_at", "1278448384423"),
      ("signature", "ODfDp5Nx0Z4OmSqYxRpBcIi/n9Y+mcG4mRH4rPc+lFo="), ("signature", "?"), ("signature", ""),
    ] {
      var members = Self.members
      members[name] = .string(value)
      let error = await failure { try await grant(.json(members), .secretPost("s3cr3t")) }
      #expect(error?.code == .unexpectedResponse, "\(name)")
    }
    var unsigned = Self.members
    unsigned["signature"] = nil
    _ = try await grant(.json(unsigned), .secretPost("s3cr3t"))
  }

  @Test(
    "Tokens for an org at an address that is not encrypted are not used",
    arguments: [nil, "", "http://na1.salesforce.com"] as [String?])
  func plainInstance(_ instance: String?) async throws {
    var members = Self.members
    members["instance_url"] = instance.map { .string($0) }
    #expect(await failure { try await grant(.json(members)) }?.code == .unexpectedResponse)
  }

  @Test(
    "Transcript A1, OAuth-O12: a refresh keeps its token, encodes it right, and follows the org to its new instance")
  func refresh() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    let refreshToken = try required(connection.tokens?.refreshToken?.reveal())
    #expect(refreshToken.hasSuffix("=="))
    #expect(try await connection.send(.get(SalesforceStub.cases)).status == .ok)
    stub.dropAccessTokens()
    stub.state.withLock { $0.instance = "https://na2.salesforce.com" }
    #expect(try await connection.send(.get(SalesforceStub.cases)).status == .ok)

    let request = try required(stub.transport.requests.first { SalesforceStub.form($0)["grant_type"] != nil })
    #expect(request.head.authority == "login.salesforce.com")
    #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    #expect(String(decoding: request.body ?? Data(), as: UTF8.self).contains("refresh_token=5Aep8614iLM.Dq1%3D%3D"))
    let form = SalesforceStub.form(request)
    #expect(form["format"] == "json")
    #expect(form["grant_type"] == "refresh_token")
    #expect(form["client_id"] == SalesforceStub.clientID)
    #expect(connection.tokens?.refreshToken?.reveal() == refreshToken)
    #expect(connection.tokens?.instanceURL.absoluteString == "https://na2.salesforce.com")
    // The call that met the move is sent again where the org is now, and so are all others.
    #expect(stub.state.withLock { $0.hosts } == ["na1.salesforce.com": 2, "na2.salesforce.com": 1])
    #expect(!stub.transport.requests.contains { $0.head.headerFields.contains { $0.name.rawName.contains("Ostiary") } })
    #expect(try await connection.send(.get(SalesforceStub.cases)).status == .ok)
    #expect(stub.state.withLock { $0.hosts["na2.salesforce.com"] } == 2)
  }

  @Test("Transcript A1: a dead refresh token is the server's word, and an empty one none", arguments: [true, false])
  func deadToken(_ isDead: Bool) async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    if isDead { stub.dropTokens() } else { stub.dropAccessTokens() }
    stub.state.withLock { state in
      state.alter = { members in .json(members.merging(["refresh_token": ""]) { $1 }) }
    }
    let before = connection.tokens?.refreshToken
    let error = await failure { try await connection.send(.get(SalesforceStub.cases)) }
    #expect(error?.code == (isDead ? .interactionRequired : nil))
    #expect(connection.tokens?.refreshToken == (isDead ? nil : before))
  }

  @Test(
    "What says nothing for good ends no session",
    arguments: [
      ("invalid_grant", "Failed: Token request is already being processed."),
      ("invalid_grant", "ip restricted or invalid login hours"),
      ("rate_limit_exceeded", "login rate exceeded"), ("inactive_org", "org locked"),
      ("invalid_client_id", "client identifier invalid"),
    ])
  func passing(_ code: String, _ words: String) async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    stub.state.withLock { state in
      state.alter = { _ in
        .json(["error": .string(code), "error_description": .string(words)], status: .badRequest)
      }
    }
    let error = await failure { try await connection.send(.get(SalesforceStub.cases)) }
    #expect(error?.isTransient == true)
    #expect(connection.tokens != nil || !connection.manager.status.isSignedIn)
    #expect(connection.manager.lastSignOut == nil)
  }

  @Test("An inactive user's session is over")
  func inactive() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    stub.state.withLock { $0.alter = { _ in .json(["error": "inactive_user"], status: .badRequest) } }
    #expect(await failure { try await connection.send(.get(SalesforceStub.cases)) }?.code == .interactionRequired)
    #expect(connection.manager.lastSignOut != nil)
  }

  @Test("A renewal with another user's tokens is not believed")
  func anotherUser() async throws {
    let stub = SalesforceStub()
    let connection = try stub.connection(refreshToken: true)
    try await connection.verify()
    stub.dropAccessTokens()
    stub.state.withLock { state in
      state.alter = { .json($0.merging(["id": .string(SalesforceStub.Person.bob.identityURL)]) { $1 }) }
    }
    #expect(await failure { try await connection.send(.get(SalesforceStub.cases)) }?.code == .unexpectedResponse)
    #expect(connection.manager.lastSignOut == nil)
  }

  @Test("Transcript A4: the refresh token is revoked with a reason; an unknown one is as good as revoked")
  func revocation() async throws {
    let stub = SalesforceStub()
    let tokens = try stub.tokens(refreshToken: true)
    let refreshToken = try required(tokens.refreshToken)
    try await SalesforceRevocation.revoke(refreshToken, reason: .refreshTokenRotated, at: .production, in: stub.context)
    #expect(stub.state.withLock { $0.revoked } == [refreshToken.reveal(): "refresh_token_rotated"])
    try await SalesforceRevocation.revoke(refreshToken, at: .production, in: stub.context)
    for response in [
      SalesforceStub.text("", status: .serviceUnavailable), .json(["error": "invalid_client"], status: .badRequest),
    ] {
      stub.transport.on(.post, "/services/oauth2/revoke") { _ in response }
      #expect(
        await failure { try await SalesforceRevocation.revoke(refreshToken, at: .production, in: stub.context) } != nil)
    }
  }

  @Test(
    "Transcript A5: headless sign-in sends the password to the authorization endpoint and redeems the code at the site")
  func headless() async throws {
    let stub = SalesforceStub()
    stub.transport.on(.post, "/services/oauth2/authorize") { request in
      guard request.head.headerFields[.authorization] == "Basic dXNlckBhY21lLmNvbTpwYXNz" else {
        return .status(.unauthorized)
      }
      return .json([
        "sfdc_community_url": "https://acme.my.site.com/customers", "sfdc_community_id": "0DBx000000000Xy",
        "code": "aPrx",
      ])
    }
    var authenticator = try SalesforceAuthenticator(
      host: required(SalesforceLoginHost("acme.my.site.com")), clientID: SalesforceStub.clientID)
    authenticator.passwords = .headless(redirectURI: try url("app://done"))
    let grant = try await authenticator.signIn(
      with: .password(username: "user@acme.com", password: "pass"), in: stub.context)
    #expect(grant.attributes["sfdc_community_id"] == "0DBx000000000Xy")

    let requests = stub.transport.requests
    let asked = SalesforceStub.form(requests[0])
    #expect(requests[0].head.authority == "acme.my.site.com")
    #expect(
      requests[0].head.headerFields.contains { $0.name.rawName == "Auth-Request-Type" && $0.value == "Named-User" })
    #expect(asked["response_type"] == "code_credentials")
    #expect(asked["redirect_uri"] == "app://done")
    let redeemed = SalesforceStub.form(requests[1])
    #expect(requests[1].head.path == "/customers/services/oauth2/token")
    #expect(redeemed["grant_type"] == "authorization_code")
    #expect(redeemed["code"] == "aPrx")
    let verifier = try PKCE(verifier: Secret(required(redeemed["code_verifier"])))
    #expect(verifier.challenge == asked["code_challenge"])

    let error = await failure {
      try await authenticator.signIn(with: .password(username: "user@acme.com", password: "wrong"), in: stub.context)
    }
    #expect(error?.code == .invalidCredentials)
    // Passwords are taken only where the app has said so.
    authenticator.passwords = .refused
    let refused = await failure {
      try await authenticator.signIn(with: .password(username: "user@acme.com", password: "pass"), in: stub.context)
    }
    #expect(refused?.code == .unsupportedCredential)
  }

  @Test("The username-password flow adds the security token, and has no refresh token")
  func usernamePassword() async throws {
    let stub = SalesforceStub()
    var authenticator = try authenticator()
    authenticator.passwords = .insecureUsernamePassword(securityToken: "+token")
    let grant = try await authenticator.signIn(
      with: .password(username: "ann@acme.test", password: "secretpassword"), in: stub.context)
    #expect(grant.proof.tokens["refresh_token"] == nil)
    let error = await failure {
      try await authenticator.signIn(with: .password(username: "ann@acme.test", password: "no"), in: stub.context)
    }
    #expect(error?.code == .invalidCredentials)
  }

  @Test("Transcript A6: the device flow begins and ends at the token endpoint, in Salesforce's words")
  func device() async throws {
    let network = ScriptedTransport()
    let pending = Locked(0)
    network.on(.post, "/services/oauth2/token") { request in
      let form = SalesforceStub.form(request)
      if form["response_type"] == "device_code" {
        #expect(form["client_id"] == SalesforceStub.clientID)
        #expect(form["scope"] == "id refresh_token")
        return .json([
          "device_code": "dev1ce+code=", "user_code": "ABCD1234",
          "verification_uri": "https://login.salesforce.com/setup/connect", "interval": 5,
        ])
      }
      #expect(form["grant_type"] == "device")
      #expect(form["code"] == "dev1ce+code=")
      let turn = pending.withLock { turn in
        turn += 1
        return turn
      }
      guard turn > 2 else {
        return .json(
          ["error": turn == 1 ? "authorization_pending" : "slow_down"], status: .badRequest)
      }
      return .json(Self.members)
    }
    let clock = ManualClock()
    let shown = Locked<String?>(nil)
    let flow = OAuthFlow.device(scope: "id refresh_token") { device in shown.withLock { $0 = device.userCode } }
    let authenticator = try authenticator(flow: flow)
    let signIn = Task {
      try await authenticator.signIn(with: .byHandler, in: AuthenticationContext(transport: network, clock: clock))
    }
    for wait in [5, 5, 10] {
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(wait))
    }
    #expect(try await signIn.value.user.id == "00Dx0000000BV7zEAG/005x00000012Q9PAAU")
    #expect(shown.withLock { $0 } == "ABCD1234")
  }

  @Test("Whoever says no has said no, in either spelling that the server's pages have", arguments: ["_", "-"])
  func denied(mark: String) throws {
    var client = try OAuthClient(id: SalesforceStub.clientID, endpoints: SalesforceLoginHost.production.endpoints)
    client.terminalRefusals = .salesforce
    let request = try AuthorizationRequest(client, redirectURI: url("app:/done"))
    let callback = try url("app:/done?error=access\(mark)denied&state=\(request.state.reveal())")
    #expect(throws: OstiaryError(.interactionCancelled, "")) { try request.check(callback) }
  }
}

import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Assertions", .timeLimit(.minutes(20)))
struct AssertionTests {
  @Test("OAuth-O20: the app vouches for a user in a signed JWT, and again when the session is over")
  func assertion() async throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let stub = org()
    let flow = OAuthFlow.salesforceAssertion(
      username: "ann@acme.test", privateKeyPEM: Secret(key.pemRepresentation), host: .sandbox)
    let manager = SessionManager(
      authenticator: try SalesforceAuthenticator(host: .sandbox, clientID: SalesforceStub.clientID, flow: flow),
      transport: stub.transport, credentials: .byHandler, clock: stub.clock)
    let connection = SalesforceConnection(manager, clock: stub.clock)
    #expect(try await connection.send(.get(SalesforceStub.cases)).status == .ok)
    stub.dropAccessTokens()
    #expect(try await connection.send(.get(SalesforceStub.cases)).status == .ok)

    let forms = stub.transport.requests.map(SalesforceStub.form).filter { $0["assertion"] != nil }
    #expect(forms.count == 2)
    for form in forms {
      #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
      let parts = try required(form["assertion"]).split(separator: ".").map(String.init)
      try #require(parts.count == 3)
      let claims = try required(JSONValue(json: data(parts[1])))
      #expect(claims["iss"] == .string(SalesforceStub.clientID))
      #expect(claims["sub"] == "ann@acme.test")
      #expect(claims["aud"] == "https://test.salesforce.com")
      #expect(claims["exp"]?.double == stub.clock.now.timeIntervalSince1970 + 180)
      #expect(JSONValue(json: try data(parts[0]))?["alg"] == "RS256")
      let signature = _RSA.Signing.RSASignature(rawRepresentation: try data(parts[2]))
      let signed = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
      #expect(key.publicKey.isValidSignature(signature, for: signed, padding: .insecurePKCS1v1_5))
    }
  }

  @Test(
    "Bug-F14: an assertion counts by the server's clock: a device that is minutes off signs in and stays signed in",
    arguments: [600, -600, 45, 0] as [TimeInterval])
  func wrongClock(_ ahead: TimeInterval) async throws {
    let stub = org()
    let key = Secret(try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation)
    let org = DatedOrg(stub, ahead: ahead)
    let accounts = SalesforceAccounts(
      clientID: SalesforceStub.clientID, loginHost: .sandbox, transport: org, clock: stub.clock)
    let account = try await accounts.signIn(
      with: .salesforceAssertion(username: "ann@acme.test", privateKeyPEM: key, host: .sandbox))
    let first = org.assertions
    #expect(first == (abs(ahead) > 100 ? 2 : 1))
    stub.dropAccessTokens()
    try await expectServed(account.send)
    // The session knows the difference by now.
    #expect(org.assertions == first + 1)
    #expect(account.loginState == .loggedIn)
    // The device's clock is set right meanwhile, as far as it was wrong.
    org.ahead.withLock { $0 = 0 }
    stub.dropAccessTokens()
    try await expectServed(account.send)
    #expect(account.loginState == .loggedIn && org.assertions <= first + 3)
  }

  @Test("Bug-F14: a refusal that is not about the clock is told after one assertion")
  func refusedForGood() async throws {
    let stub = org()
    stub.state.withLock { $0.alter = { _ in .json(["error": "invalid_grant"], status: .badRequest) } }
    let key = Secret(try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation)
    let org = DatedOrg(stub, ahead: 3)
    let accounts = SalesforceAccounts(
      clientID: SalesforceStub.clientID, loginHost: .sandbox, transport: org, clock: stub.clock)
    let flow = OAuthFlow.salesforceAssertion(username: "ann@acme.test", privateKeyPEM: key, host: .sandbox)
    #expect(await failure { try await accounts.signIn(with: flow) }?.code == .grantRefused)
    #expect(org.assertions == 1)
  }

  /// An org whose answers have neither a refresh token nor a time, as they are for assertions.
  private func org() -> SalesforceStub {
    let stub = SalesforceStub()
    stub.state.withLock { state in
      state.alter = { .json($0.filter { $0.key != "refresh_token" && $0.key != "issued_at" }) }
    }
    return stub
  }

  @Test("Another run of the app renews the accounts that assertions signed in, with the key that it hands over again")
  func restart() async throws {
    let stub = org()
    let store = EphemeralStore()
    let key = Secret(try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation)
    let first = stub.accounts(store: store)
    first.loginHost = .sandbox
    try await first.signIn(
      with: .salesforceAssertion(username: "ann@acme.test", privateKeyPEM: key, host: .sandbox))

    let asked = Notes<[SalesforceRenewalRequest]>([])
    let second = stub.accounts(store: store) { request in
      asked.append(request)
      return request.username.map { .salesforceAssertion(username: $0, privateKeyPEM: key, host: request.host) }
    }
    let account = try required(try await second.restore().first)
    #expect(account.username == "ann@acme.test")
    stub.dropAccessTokens()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await expectServed(account.send) } }
      try await group.waitForAll()
    }
    #expect(
      asked.value == [
        SalesforceRenewalRequest(identity: account.identity, username: "ann@acme.test", host: .sandbox)
      ])
    #expect(stub.transport.requests.filter { SalesforceStub.form($0)["assertion"] != nil }.count == 2)

    // What the renewal gave is stored: a third run that hands over nothing goes on until it is refused.
    let third = stub.accounts(store: store)
    let again = try required(try await third.restore().first)
    try await expectServed(again.send)
    stub.dropAccessTokens()
    #expect(await failure { try await again.send(.get(SalesforceStub.cases)) }?.code == .interactionRequired)
  }

  @Test("A signer that can't sign now, or one for somebody else, ends no session")
  func noSigner() async throws {
    let stub = org()
    let store = EphemeralStore()
    try await stub.accounts(store: store).signIn(with: stub.browser())
    let accounts = stub.accounts(store: store) { _ in
      .assertion { _ in throw OstiaryError(.serverUnavailable, "The key's service does not answer.") }
    }
    let account = try required(try await accounts.restore().first)
    stub.dropAccessTokens()
    #expect(await failure { try await account.send(.get(SalesforceStub.cases)) }?.code == .serverUnavailable)
    #expect(account.loginState == .loggedIn)

    // The org gives the tokens of whom the assertion names; they are not this account's.
    let wrong = stub.accounts(store: store) { _ in stub.browser(.bob) }
    let other = stub.accounts(store: store) { _ in
      OAuthFlow(needsPerson: false) { client, context in
        try await client.tokens(
          forGrant: "authorization_code", parameters: ["code": SalesforceStub.Person.bob.id], in: context)
      }
    }
    let same = try required(try await other.restore().first)
    #expect(await failure { try await same.send(.get(SalesforceStub.cases)) }?.code == .unexpectedResponse)
    #expect(same.loginState == .loggedIn)
    // A flow that takes a person is no way to renew.
    let last = try required(try await wrong.restore().first)
    #expect(await failure { try await last.send(.get(SalesforceStub.cases)) }?.code == .interactionRequired)
  }

  @Test("The name to sign in with is known after asking the server, and to the next run")
  func username() async throws {
    let stub = SalesforceStub()
    let store = EphemeralStore()
    let account = try await stub.accounts(store: store).signIn(with: stub.browser())
    #expect(account.username == nil)
    try await account.connection.verify()
    #expect(account.username == "ann@acme.test")
    try await account.connection.manager.flush()
    let next = try required(try await stub.accounts(store: store).restore().first)
    #expect(next.username == "ann@acme.test")
  }

  @Test("A key that is none is misuse, and is not shown")
  func noKey() async throws {
    let stub = SalesforceStub()
    let flow = OAuthFlow.salesforceAssertion(username: "ann", privateKeyPEM: "planted-key", host: .sandbox)
    let authenticator = try SalesforceAuthenticator(host: .sandbox, clientID: "app", flow: flow)
    let error = await failure { try await authenticator.signIn(with: .byHandler, in: stub.context) }
    #expect(error?.code == .invalidInput)
    #expect(!"\(error as Any)".contains("planted"))
    #expect(stub.transport.count == 0)
  }

  private func data(_ text: String) throws -> Data {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return try required(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
  }
}

/// An org whose clock is ahead of this device's. It refuses assertions that have ended by it, and those that would live long.
private final class DatedOrg: Transport {
  let ahead: Locked<TimeInterval>
  private let stub: SalesforceStub
  private let count = Locked(0)

  init(_ stub: SalesforceStub, ahead: TimeInterval) {
    self.stub = stub
    self.ahead = Locked(ahead)
  }

  /// How many assertions it was shown.
  var assertions: Int { count.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let now = stub.clock.now.addingTimeInterval(ahead.withLock { $0 })
    var response: TransportResponse
    if let assertion = SalesforceStub.form(request)["assertion"], !lives(assertion, at: now) {
      response = .json(["error": "invalid_grant", "error_description": "expired authorization"], status: .badRequest)
    } else {
      response = try await stub.transport.send(request)
    }
    response.head.headerFields[.date] = HTTPDate.format(now)
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }

  private func lives(_ assertion: String, at now: Date) -> Bool {
    count.withLock { $0 += 1 }
    let part = String(assertion.split(separator: ".")[1]).replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    let padded = part + String(repeating: "=", count: (4 - part.count % 4) % 4)
    guard let end = Data(base64Encoded: padded).flatMap({ JSONValue(json: $0)?["exp"]?.double }) else { return false }
    return (0...300).contains(end - now.timeIntervalSince1970)
  }
}

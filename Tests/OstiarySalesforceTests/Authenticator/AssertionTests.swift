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

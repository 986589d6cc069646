import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import SalesforceTestSupport
import Testing

@Suite("Assertions", .timeLimit(.minutes(20)))
struct AssertionTests {
  @Test("OAuth-O20: the app vouches for a user in a signed JWT, and again when the session is over")
  func assertion() async throws {
    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let stub = SalesforceStub()
    let flow = OAuthFlow.salesforceAssertion(
      username: "ann@acme.test", privateKeyPEM: Secret(key.pemRepresentation), host: .sandbox)
    let manager = SessionManager(
      authenticator: try SalesforceAuthenticator(host: .sandbox, clientID: SalesforceStub.clientID, flow: flow),
      transport: stub.transport, credentials: .byHandler, clock: stub.clock)
    stub.state.withLock { state in
      // This grant has neither a refresh token nor a time.
      state.alter = { members in
        .json(members.filter { $0.key != "refresh_token" && $0.key != "issued_at" })
      }
    }
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

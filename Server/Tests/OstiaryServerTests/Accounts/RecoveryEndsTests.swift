import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// "Every device has been signed out", says the mail about a new password.
@Suite("What a recovery ends", .timeLimit(.minutes(20)))
struct RecoveryEndsTests {
  private static let address = "jane@example.com"

  /// A way to be signed in.
  enum Proof: String, CaseIterable, Sendable {
    case pegaCookie, newzuluToken, gatewayCookie, accountCookie, accountToken
    case salesforceAccessToken, salesforceRefreshToken, salesforceCode, salesforceBrowser
  }

  /// Signs in, and returns what tells whether that is still good.
  private static func signIn(_ proof: Proof, _ tester: SalesforceTester) async throws
    -> @Sendable () async throws -> Bool
  {
    let (server, client, password) = (tester.server, tester.server.client(), TestServer.janesPassword)
    switch proof {
    case .pegaCookie:
      try await client.login(address, password)
      return { try await client.whoAmI() == address }
    case .newzuluToken:
      let newzulu = NewzuluTester(server: server)
      let token = try await newzulu.token(address, password)
      return { try await newzulu.call("users.getLoggedInUser", token: token).result != nil }
    case .gatewayCookie:
      let gateway = GatewayTester(server: server, client: client)
      try await gateway.submit(try await gateway.page(), address)
      return { try await gateway.whoAmI() == address }
    case .accountCookie:
      let form = try #require(GatewayTester.Form(try await client.get("/account/login")))
      try await client.post(
        form.action, form: form.fields + [("identifier", address), ("password", password), ("action", "login")])
      return { try await client.get("/account").body.contains("Jane Doe") }
    case .accountToken:
      let token = try await AccountCalls(server: server).logIn(address)
      return { try await client.get("/flows/session", headers: ["Authorization": "Bearer \(token)"]).status == 200 }
    case .salesforceAccessToken:
      let token = try await tester.signIn()["access_token"]?.string
      return { try await tester.call("/services/data/v59.0/limits", token).status == 200 }
    case .salesforceRefreshToken:
      let token = try await tester.signIn()["refresh_token"]?.string
      return { try await tester.refresh(token).status == 200 }
    case .salesforceCode:
      let code = try await tester.code()
      return { try await tester.redeem(code).status == 200 }
    case .salesforceBrowser:
      _ = try await tester.authorize(SalesforceTester.authorizeTarget(.web), browser: client)
      return {
        let page = try await client.get(SalesforceTester.authorizeTarget(.web))
        return page.status < 400 && !page.body.contains("id=\"login\"")
      }
    }
  }

  private static func run(_ body: (SalesforceTester) async throws -> Void) async throws {
    try await SalesforceTester.run(server: {
      $0.newzulu?.vhosts = ["1281"]
      $0.newzulu?.keys = [NewzuluKey(Secret(NewzuluTester.appKey))]
    }) { try await body($0) }
  }

  @Test("Bug-C13: a recovered password signs every device out, at every door", arguments: Proof.allCases)
  func recovery(_ proof: Proof) async throws {
    try await Self.run { tester in
      let isGood = try await Self.signIn(proof, tester)
      // A code is good once.
      if proof != .salesforceCode { #expect(try await isGood()) }
      let bob = try await tester.signIn(user: "bob@example.com")
      try await AccountCalls(server: tester.server).recover(Self.address)
      #expect(try await !isGood())
      // Another user's go on.
      #expect(try await tester.call("/services/data/v59.0/limits", bob["access_token"]?.string).status == 200)
      #expect(try await tester.refresh(bob["refresh_token"]?.string).status == 200)
    }
  }

  @Test("Bug-C13: so does a password that is changed with the old one, which says the same")
  func change() async throws {
    try await Self.run { tester in
      let tokens = try await tester.signIn()
      let token = try await AccountCalls(server: tester.server).logIn(Self.address)
      let headers = ["Authorization": "Bearer \(token)", "Content-Type": "application/json"]
      let client = tester.server.client()
      let flow = try #require(try await client.get("/flows/profile", headers: headers).json["flow"]?["id"]?.string)
      let fields: JSONValue = .object([
        "current_password": .string(TestServer.janesPassword), "new_password": .string(AccountCalls.newPassword),
      ])
      let body = JSONValue.object(["flow": .string(flow), "action": "change_password", "fields": fields])
      let answer = try await client.send(
        "POST", "/flows/profile", headers: headers,
        body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
      #expect(answer.status == 200, "\(answer.body)")
      #expect(try await tester.call("/services/data/v59.0/limits", tokens["access_token"]?.string).status == 401)
      #expect(try await tester.refresh(tokens["refresh_token"]?.string).error == "invalid_grant")
      #expect(try await client.get("/flows/session", headers: headers).status == 401)
    }
  }
}

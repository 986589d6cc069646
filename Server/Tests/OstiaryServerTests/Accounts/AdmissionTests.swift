import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Who is admitted: proven addresses, and accounts that people make themselves", .timeLimit(.minutes(20)))
struct AdmissionTests {
  private static let boss = "boss@corp.example"

  private static func gateway(_ server: TestServer) -> GatewayTester {
    GatewayTester(server: server, client: server.client())
  }

  /// Whether a user passes the gateway.
  private static func passes(
    _ name: String, _ server: TestServer, password: String = TestServer.janesPassword
  ) async throws -> Bool {
    let gateway = gateway(server)
    try await gateway.submit(try await gateway.page(), name, password)
    return try await gateway.whoAmI() == name
  }

  @Test("Bug-C11: an address that nobody has proven is on no list of the gateway's, until a mailed code is shown")
  func gatewayList() async throws {
    try await TestServer.run({
      $0.accounts?.offersSignUp = true
      $0.gateway?.admitted = ["@corp.example"]
    }) { server in
      let calls = AccountCalls(server: server)
      #expect(try await calls.signUpByApp(Self.boss).status == 200)
      #expect(try await !Self.passes(Self.boss, server))
      try await calls.recover(Self.boss)
      #expect(try await Self.passes(Self.boss, server, password: AccountCalls.newPassword))
      // Proven by the code of the sign-up; set by an administrator.
      try await calls.signUp("ann@corp.example")
      #expect(try await Self.passes("ann@corp.example", server))
      try await server.identity.addUser(
        name: "carl", email: "carl@corp.example", password: Secret(TestServer.janesPassword))
      #expect(try await Self.passes("carl", server))
      try await calls.signUp("eve@elsewhere.example")
      #expect(try await !Self.passes("eve@elsewhere.example", server))
    }
  }

  @Test(
    "Bug-C11: userinfo and the identity document say of an address whether it is proven, upstreams hear of no other")
  func userInfo() async throws {
    try await SalesforceTester.run(server: { $0.accounts?.offersSignUp = true }) { tester in
      func verified(_ user: String) async throws -> [JSONValue?] {
        let tokens = try await tester.signIn(user: user)
        let token = tokens["access_token"]?.string
        let id = try #require(tokens["id"]?.string)
        return [
          try await tester.call("/services/oauth2/userinfo", token).json["email_verified"],
          try await tester.call(id, token).json["email_verified"],
        ]
      }
      let calls = AccountCalls(server: tester.server)
      #expect(try await calls.signUpByApp(Self.boss).status == 200)
      #expect(try await verified(Self.boss) == [false, false])
      #expect(try await verified("jane@example.com") == [true, true])
      let identity = GatewayIdentity(GatewayIdentityHeader.standard, style: .ostiary)
      let boss = try #require(try await tester.server.identity.user(named: Self.boss))
      #expect(!identity.fields(of: boss).contains { $0.name.rawName == "Remote-Email" })
      let admitted = try await tester.server.identity.admitUser(named: Self.boss, answersForAddress: true)
      #expect(identity.fields(of: admitted).contains { $0.name.rawName == "Remote-Email" })
      #expect(try await verified(Self.boss) == [true, true])
    }
  }

  @Test("Bug-C12: people make themselves no account before the server is told to let them")
  func off() async throws {
    try await TestServer.run { server in
      let calls = AccountCalls(server: server)
      let refused = try await calls.signUpByApp(Self.boss)
      #expect(refused.json["code"] == "flow.disabled")
      let client = server.client()
      #expect(try await client.get("/flows/signup").json["code"] == "flow.disabled")
      #expect(try await client.get("/account/signup").status == 404)
      #expect(try await !client.get("/account/login").body.contains("/account/signup"))
      #expect(try await server.identity.users().isEmpty)
      #expect(!server.logs.text.contains("Sign-up is on"))
    }
    try await TestServer.run({ $0.accounts?.offersSignUp = true }) { server in
      #expect(server.logs.text.contains("Sign-up is on"))
      let begun = try await server.client().get("/flows/signup")
      #expect(begun.status == 200)
    }
  }

  @Test(
    "Bug-C12: an account that its owner has made passes a gateway without a list only while sign-up is on, and proven")
  func gatewayWithoutList() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func run(offersSignUp: Bool, _ body: (TestServer) async throws -> Void) async throws {
      try await TestServer.run({
        $0.storage = .folder(folder.url)
        $0.accounts?.offersSignUp = offersSignUp
      }) { try await body($0) }
    }
    try await run(offersSignUp: true) { server in
      let calls = AccountCalls(server: server)
      try await calls.signUp("ann@corp.example")
      #expect(try await calls.signUpByApp(Self.boss).status == 200)
      #expect(try await Self.passes("ann@corp.example", server))
      #expect(try await !Self.passes(Self.boss, server))
    }
    try await run(offersSignUp: false) { server in
      #expect(try await !Self.passes("ann@corp.example", server))
      try await server.identity.admitUser(named: "ann@corp.example", answersForAddress: false)
      #expect(try await Self.passes("ann@corp.example", server))
    }
  }

  @Test("Bug-C12: at the Salesforce door such an account sees and changes its own records alone, until it is admitted")
  func salesforce() async throws {
    try await SalesforceTester.run(server: { $0.accounts?.offersSignUp = true }) { tester in
      let data = "/services/data/v59.0"
      func token(_ user: String) async throws -> String? { try await tester.signIn(user: user)["access_token"]?.string }
      func query(_ text: String, _ token: String?) async throws -> Int? {
        let answer = try await tester.call("\(data)/query?q=\(Client.encode(text))", token)
        guard case .integer(let size)? = answer.json["totalSize"] else { return nil }
        return Int(size)
      }
      let jane = try await token("jane@example.com")
      let made = try await tester.call("POST", "\(data)/sobjects/Case", jane, body: #"{"Subject":"Jane's"}"#)
      let id = try #require(made.json["id"]?.string)
      #expect(try await AccountCalls(server: tester.server).signUpByApp("eve@evil.example").status == 200)
      let eve = try await token("eve@evil.example")
      #expect(try await query("SELECT Username FROM User", eve) == 1)
      #expect(try await query("SELECT Id FROM Case", eve) == 0)
      let path = "\(data)/sobjects/Case/\(id)"
      #expect(try await tester.call(path, eve).status == 404)
      #expect(try await tester.call("PATCH", path, eve, body: #"{"Subject":"Eve's"}"#).status == 404)
      #expect(try await tester.call("DELETE", path, eve).status == 404)
      #expect(try await tester.call("\(data)/sobjects/User", eve).json["recentItems"]?.array?.count == 1)
      #expect(try await tester.call(path, jane).json["Subject"] == "Jane's")
      try await tester.call("POST", "\(data)/sobjects/Case", eve, body: #"{"Subject":"Eve's"}"#)
      #expect(try await query("SELECT Id FROM Case", eve) == 1)
      #expect(try await query("SELECT Id FROM Case", jane) == 2)
      // The token that she has is enough then.
      try await tester.server.identity.admitUser(named: "eve@evil.example", answersForAddress: false)
      #expect(try await query("SELECT Username FROM User", eve) == 3)
      #expect(try await query("SELECT Id FROM Case", eve) == 2)
    }
  }

  @Test("Bug-C12: an account that an app registers at the Newzulu door is its owner's, and its address isn't proven")
  func newzulu() async throws {
    try await NewzuluTester.run { tester in
      let answer = try await tester.call(
        "users.register",
        [
          "vhost": "1281",
          "userData": .object([
            "user": "new", "email": "new@example.com", "password": .string(NewzuluTester.janesPassword),
          ]),
        ], key: NewzuluTester.developerKey)
      #expect(answer.result != nil, "\(answer.body)")
      let user = try #require(try await tester.server.identity.user(named: "new", tenant: "1281"))
      #expect(user.isSelfMade && !user.isEmailVerified && !user.isAdmitted)
      let bob = try #require(try await tester.server.identity.user(named: "bob", tenant: "1281"))
      #expect(!bob.isSelfMade && bob.isAdmitted && !bob.isEmailVerified)
    }
  }

  @Test(
    "Accounts of before count as an administrator's, but for those that look as if their owners had made them",
    TestDatabase.forSQLite)
  func earlierAccounts() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let all = Migrations.all(of: houseDoors)
    let earlier = Array(all.prefix { !$0.name.hasPrefix("12:") })
    let storage = try ServerStorage(folder: folder.url, migrations: earlier)
    let rows: [(String, String?, String?)] = [
      ("ann", nil, "ann@example.org"), ("self@example.org", nil, "self@example.org"), ("bob", nil, nil),
      ("tina", "t", "tina@example.org"),
    ]
    try await storage.write { db in
      for (name, tenant, email) in rows {
        try db.test.execute(
          """
          INSERT INTO users (id, tenant, name_key, email_key, name, display_name, email, attributes, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, '{}', 0, 0)
          """,
          name, tenant, NameKey(name, tenant: tenant).data, email.map { NameKey($0, tenant: tenant).data }, name, name,
          email)
      }
    }
    try await storage.close()
    let now = try ServerStorage.forTest(in: folder.url)
    let users = try await now.read { db in try db.all(UserStatements.sql.byName) { try UserRow(&$0).user } }
    let found = users.map { "\($0.name) \($0.isEmailVerified) \($0.isSelfMade) \($0.isAdmitted)" }
    #expect(
      found == [
        "ann true false true", "bob false false true", "self@example.org false true false", "tina false false true",
      ])
    try await now.close()
  }
}

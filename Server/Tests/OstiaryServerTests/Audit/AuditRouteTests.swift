import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Walks the routes of every door through what can come of them, and holds what the trail says to what the door declares.
@Suite("Audit of routes", .timeLimit(.minutes(20)))
struct AuditRouteTests {
  private static func routes<Module: DoorModule>(of kind: Module.Type, _ server: TestServer) -> Set<String> {
    Set(
      server.application.doors.routes(of: kind).flatMap { route in
        route.receivers.keys.map { "\($0.rawValue) \(route.pattern)" }
      })
  }

  @Test("Bug-C16: every route of every door says what it tells the audit trail")
  func declared() async throws {
    try await TestServer.run({ $0.administration = AdministrationOptions() }) { server in
      for kind in houseDoors {
        let registered = Self.routes(of: kind, server)
        let declared = kind.audit.flatMap(\.routes)
        #expect(!registered.isEmpty)
        #expect(registered.subtracting(declared).sorted() == [], "\(kind) has routes that no entry is about")
        #expect(Set(declared).subtracting(registered).sorted() == [], "\(kind) has entries that no route is about")
        #expect(Set(declared).count == declared.count, "\(kind) has a route twice")
      }
    }
  }

  /// What may end with any request, because its time was up or another took its place.
  private static let anyTime: Set = [
    "session_ended: expired", "session_ended: too_many_sessions", "grant_ended: expired",
    "grant_ended: too_many_sessions",
  ]

  /// Whether the events that requests have caused are those that the door declares, no more and no fewer.
  static func expect<Module: DoorModule>(
    _ kind: Module.Type, toTell server: TestServer, only prefix: String? = nil
  ) async throws {
    try await server.application.storage.noteCountedRefusals(all: true)
    let told = try await AuditEvents(server.application.storage).records().filter { $0.actor == "request" }
    var found: [Set<String>] = Array(repeating: [], count: kind.audit.count)
    for record in told where !anyTime.contains(record.word) {
      let place = record.place ?? ""
      guard let index = kind.audit.firstIndex(where: { $0.routes.contains(place) }) else {
        Issue.record("\(place) told \(record.word), and is no route of \(kind)")
        continue
      }
      found[index].insert(record.word)
    }
    for (entry, words) in zip(kind.audit, found) {
      // Of two ways that tell the same, one is walked at a time.
      guard prefix.map({ start in entry.routes.contains { $0.contains(" " + start) } }) ?? true else { continue }
      let declared = Set(entry.outcomes.map(\.word))
      let name = entry.routes.first ?? ""
      #expect(declared.subtracting(words).sorted() == [], "\(name) declares what it did not tell")
      #expect(words.subtracting(declared).sorted() == [], "\(name) told what it does not declare")
    }
  }

  static let password = TestServer.janesPassword

  /// A server with users for whom a password is right, disabled and out of attempts.
  static func run(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, tenant: String? = nil,
    body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run({ configuration in
      configuration.loginLimits.addressBurst = 100_000
      configuration.trustedProxies = ["127.0.0.1"]
      configuration.accounts?.offersSignUp = true
      configure(&configuration)
    }) { server in
      for name in ["jane", "off", "often"] {
        try await server.identity.addUser(
          name: name, tenant: tenant, displayName: name, email: "\(name)@example.com", password: Secret(password))
      }
      try await server.identity.disableUser(named: "off", tenant: tenant)
      try await body(server)
    }
  }

  /// Every outcome of a password. The right one comes last.
  static func tryPasswords(
    _ server: TestServer, tenant: String? = nil, _ attempt: (_ name: String, _ password: String) async throws -> Answer
  ) async throws -> Answer {
    _ = try await attempt("off", password)
    for number in 0..<7 { _ = try await attempt("often", "wrong \(number)") }
    try await server.identity.unlock(userNamed: "often", tenant: tenant)
    return try await attempt("jane", password)
  }

  /// Headers of a page of another site.
  static let elsewhere = ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"]
  private static let json = ["Content-Type": "application/json"]

  // MARK: Doors

  @Test("The start page tells the audit trail nothing")
  func startPage() async throws {
    try await TestServer.run { server in
      for target in ["/", "/?still"] {
        #expect(try await server.client().get(target).status == 200)
        #expect(try await server.client().get(target, headers: Self.elsewhere).status == 200)
      }
      try await server.application.storage.noteCountedRefusals(all: true)
      let told = try await AuditEvents(server.application.storage).records().filter { $0.actor == "request" }
      #expect(told.map(\.word) == [])
    }
  }

  @Test("Bug-C16: Pega")
  func pega() async throws {
    try await Self.run { server in
      func login(_ name: String, _ password: String, _ client: Client) async throws -> Answer {
        try await client.get(
          "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration", headers: Client.basic(name, password))
      }
      let client = server.client()
      #expect(try await Self.tryPasswords(server) { try await login($0, $1, client) }.status == 200)
      #expect(try await login("jane", Self.password, client).status == 200)
      _ = try await client.get("/prweb/PRServlet?pyActivity=Code-Security.LogOff")
      _ = try await server.client().get("/prweb", headers: ["Authorization": "Basic none"])
      _ = try await server.client().get(
        "/prweb/PRServlet?pyActivity=Data-Portal.ShowDesktop", headers: ["Authorization": "Basic none"])
      let guest = server.client()
      let page = try await guest.get("/prweb/PRServlet")
      let form = [
        ("UserIdentifier", "jane"), ("Password", "wrong"), ("pyActivity=Code-Security.Login", ""),
      ]
      _ = try await guest.post(page.header("Location") ?? "", form: form, headers: Self.elsewhere)
      for path in ["/authenticate", "/cases"] {
        let path = "/prweb/api/v1" + path
        for method in path.hasSuffix("cases") ? ["GET", "POST"] : ["GET"] {
          let right = try await Self.tryPasswords(server) {
            try await server.client().send(method, path, headers: Client.basic($0, $1))
          }
          #expect(right.status == 200 || right.status == 201)
          _ = try await server.client().send(method, path, headers: ["Authorization": "Basic none"])
        }
      }
      _ = try await server.client().send("POST", "/prweb/api/v1/cases", headers: Self.elsewhere)
      try await Self.expect(PegaModule.self, toTell: server)
    }
  }

  @Test("Bug-C16: Newzulu")
  func newzulu() async throws {
    try await Self.run(
      {
        $0.newzulu?.vhosts = ["1281"]
        $0.newzulu?.keys = [
          NewzuluKey(Secret(NewzuluTester.appKey)),
          NewzuluKey(Secret(NewzuluTester.developerKey), permissions: [.registerUsers]),
        ]
      }, tenant: "1281"
    ) { server in
      let tester = NewzuluTester(server: server)
      let right = try await Self.tryPasswords(server, tenant: "1281") { try await tester.confirm($0, $1) }
      #expect(right.json["result"]?["sessiontoken"] != nil)
      _ = try await tester.call("users.verifyUserEmail", key: "4" + NewzuluTester.appKey.dropFirst())
      func register(_ name: String, key: String, activate: Bool = true) async throws {
        _ = try await tester.call(
          "users.register",
          [
            "vhost": "1281", "activate": .bool(activate),
            "userData": .object(["user": .string(name), "password": .string(Self.password)]),
          ], key: key)
      }
      try await register("nele", key: NewzuluTester.appKey)
      try await register("nele", key: NewzuluTester.developerKey)
      try await register("nele", key: NewzuluTester.developerKey)
      try await register("later", key: NewzuluTester.developerKey, activate: false)
      try await Self.expect(NewzuluModule.self, toTell: server)
    }
  }

  @Test("Bug-C16: Primer")
  func primer() async throws {
    try await Self.run({ $0.primer?.apps[0].token = PrimerTester.token }) { server in
      let tester = PrimerTester(server: server)
      let identity: JSONValue = .object(["userId": "u"])
      for (path, body) in [("/v1/events", JSONValue.object(["batch": .array([])])), ("/v1/users/a/identify", identity)]
      {
        _ = try await tester.post(path, body, headers: ["X-Primer-Token": "none"])
        _ = try await tester.post(path, body, headers: Self.elsewhere)
      }
      _ = try await tester.experience("", ["X-Primer-Token": "none"])
      let right = try await Self.tryPasswords(server) { name, password in
        try await tester.post(
          "/login", .object(["email": .string("\(name)@example.com"), "password": .string(password)]))
      }
      #expect(right.status == 200)
      let new: JSONValue = .object(["email": "new@example.com", "password": .string(Self.password)])
      for path in ["/login", "/signup", "/validate", "/recover"] {
        _ = try await tester.post(path, new, headers: Self.elsewhere)
      }
      for _ in 0..<2 { _ = try await tester.post("/signup", new) }
      for _ in 0..<61 { _ = try await tester.post("/validate", .object([:]), from: "192.0.2.9") }
      _ = try await tester.post("/signup", new, from: "192.0.2.9")
      let flow = try #require(
        try await tester.post("/recover", .object(["email": "jane@example.com"])).json["flow"])
      let code = try #require(try await tester.code(for: "jane@example.com"))
      _ = try await tester.post("/recover", .object(["flow": flow, "code": .string(Self.wrong(code))]))
      let set = try await tester.post(
        "/recover", .object(["flow": flow, "code": .string(code), "password": "another fine long password"]))
      #expect(set.status == 200, "\(set.body)")
      try await Self.expect(PrimerModule.self, toTell: server)
    }
  }

  @Test("Bug-C16: the administrators' door")
  func administration() async throws {
    try await Self.run({ $0.administration = AdministrationOptions() }) { server in
      let administrators = server.identity.administrators
      let (right, over) = (
        try await administrators.add("right").token, try await administrators.add("over", lifetime: .seconds(60)).token
      )
      func ask(_ token: Secret?, from address: String, _ scheme: String = "https") async throws -> Int {
        var headers = ["X-Forwarded-For": address, "X-Forwarded-Proto": scheme]
        headers["Authorization"] = token.map { "Bearer \($0.reveal())" }
        return try await server.client().get("/administration/why?user=jane", headers: headers).status
      }
      #expect(try await ask(right, from: "192.0.2.1") == 200)
      #expect(try await ask(nil, from: "192.0.2.1") == 401)
      #expect(try await ask(right, from: "192.0.2.1", "http") == 403)
      server.clock.advance(by: 61)
      #expect(try await ask(over, from: "192.0.2.1") == 401)
      for _ in 0..<11 { _ = try await ask("wrong", from: "198.51.100.1") }
      try await Self.expect(AdministrationModule.self, toTell: server)
    }
  }

  /// A code of the same kind that is another.
  static func wrong(_ code: String) -> String {
    String(code.reversed()) == code ? String(code.dropFirst()) + "7" : String(code.reversed())
  }

  @Test("Bug-C16: the gateway")
  func gateway() async throws {
    try await Self.run({
      $0.gateway?.admitted = ["jane@example.com", "off@example.com", "often@example.com"]
    }) { server in
      try await server.identity.addUser(
        name: "stranger", email: "stranger@example.net", password: Secret(Self.password))
      func signIn(_ name: String, _ password: String, _ client: Client) async throws -> Answer {
        let gateway = GatewayTester(server: server, client: client)
        return try await gateway.submit(
          try await client.get("/gateway/login?rd=/jct/echo", headers: GatewayTester.html), name, password)
      }
      let browser = server.client()
      let right = try await Self.tryPasswords(server) { try await signIn($0, $1, server.client()) }
      #expect(right.status == 303)
      // Two pages of one browser.
      let (one, other) = (
        try await browser.get("/gateway/login", headers: GatewayTester.html),
        try await browser.get("/gateway/login", headers: GatewayTester.html)
      )
      let gateway = GatewayTester(server: server, client: browser)
      for page in [one, other] { _ = try await gateway.submit(page, "jane", Self.password) }
      _ = try await signIn("", "", server.client())
      _ = try await signIn("stranger", Self.password, server.client())
      _ = try await server.client().post(
        "/gateway/login", form: [("username", "jane"), ("password", Self.password)], headers: Self.elsewhere)
      for (method, path) in [
        ("DELETE", "/gateway/session"), ("POST", "/gateway/continue"), ("POST", "/gateway/logout"),
      ] {
        _ = try await browser.send(method, path, headers: Self.elsewhere)
      }
      // Let in before the list was what it is: a session of a user who is on no list.
      let stranger = try #require(try await server.identity.user(named: "stranger"))
      let parts = try #require(server.running.doors.compactMap { $0 as? GatewayDoor }.first).parts
      let proof = Secret(RandomBytes.make(32).base64URL)
      _ = try await parts.sessions.begin(
        for: stranger, derivedID: GatewayCookies.sessionID(of: proof), attributes: [:])
      let strangers = server.client()
      await strangers.setCookie("ostiary-gateway", proof.reveal())
      #expect(try await strangers.get("/gateway/auth").status == 403)
      let home = try await browser.get("/gateway")
      let form = try #require(GatewayTester.Form(home))
      #expect(try await browser.post("/gateway/logout", form: form.fields).status == 200)
      try await Self.expect(GatewayModule.self, toTell: server)
    }
  }
}

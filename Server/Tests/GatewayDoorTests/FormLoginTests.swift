import Foundation
import HTTPTypes
import Ostiary
import OstiaryGateway
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("Form login against the gateway door", .serialized, .timeLimit(.minutes(20)))
struct FormLoginTests {
  @Test(
    "GS3: a challenged POST is sent once more, whatever the gateway does; signing in again is not needed",
    arguments: GatewayVariant.all)
  func everyVariant(variant: GatewayVariant) async throws {
    try await GatewayServer.run(variant) { server in
      let ann = try server.client()
      let post = try await ann.post("a=1")
      #expect(post.status == .ok)
      #expect(post["user"] == "ann")
      #expect(post["body"] == "a=1")
      #expect(post["number"] == 1)
      let get = try await ann.get("/jct/echo?x=%C3%A9")
      #expect(get["query"]?.array?.first?["value"] == "é")
      #expect(try await ann.get("/jct/page").text.contains("id=\"user\">Ann<"))
      #expect(try await ann.post("b=2")["number"] == 2)
      #expect(server.forms == 1)
      #expect(ann.signIns == 1)
      #expect(ann.manager.current?.user.id == "ann")
    }
  }

  @Test("Invariant 10: a POST is not sent again after a redirect of which nobody said that it is a challenge")
  func unknownRedirect() async throws {
    try await GatewayServer.run(GatewayVariant(challenge: .redirect)) { server in
      let ann = try server.client(login: try server.login(knowsPage: false))
      #expect(await failure { try await ann.post("a=1") }?.code == .replayUnsafe)
      // The session is there, and a GET would have been sent again.
      #expect(try await ann.post("b=2")["number"] == 1)
      #expect(server.forms == 1)
      #expect(try await server.client(login: try server.login(knowsPage: false)).get()["user"] == "ann")
    }
  }

  @Test("GS3: the app signs in by itself, before anything was asked for", arguments: GatewayVariant.each)
  func beforehand(variant: GatewayVariant) async throws {
    try await GatewayServer.run(variant) { server in
      let ann = try server.client(.manual)
      _ = try await ann.manager.signIn(with: .password(username: "ann", password: GatewayServer.password))
      #expect(try await ann.get()["user"] == "ann")
      #expect(server.forms == 1)
    }
  }

  @Test(
    "GS3: a wrong password, which is a 200, is a wrong password; nothing of it is kept", arguments: GatewayVariant.each)
  func wrongPassword(variant: GatewayVariant) async throws {
    try await GatewayServer.run(variant) { server in
      let ann = try server.client("not hers")
      #expect(await failure { try await ann.get() }?.code == .invalidCredentials)
      #expect(server.forms == 1)
      #expect(ann.manager.current == nil)
      let answer = try await server.firstGet()
      #expect(answer["user"] == "ann")
    }
  }

  @Test(
    "GS3: an account that is locked early or late is locked, and opens again",
    arguments: [GatewayStyle.webSEAL, .ltpa],
    [GatewayDoorConfiguration.Lockout.early, .late])
  func lockedAccount(style: GatewayStyle, when: GatewayDoorConfiguration.Lockout) async throws {
    try await GatewayServer.run(
      GatewayVariant(style: style, challenge: .form), { $0.lockout = when },
      server: { $0.loginLimits.freeFailures = 2 }
    ) { server in
      #expect(await failure { try await server.firstGet("wrong") }?.code == .invalidCredentials)
      let second = await failure { try await server.firstGet("wrong") }
      #expect(second?.code == (when == .early ? .accountLocked : .invalidCredentials))
      // The right password doesn't open it either.
      #expect(await failure { try await server.firstGet() }?.code == .accountLocked)
      server.clock.advance(by: .seconds(3600))
      let answer = try await server.firstGet()
      #expect(answer["user"] == "ann")
    }
  }

  @Test("LO-02: Ostiary's own gateway says how long to wait, and that says nothing about the password")
  func throttled() async throws {
    try await GatewayServer.run(server: { $0.loginLimits.freeFailures = 1 }) { server in
      #expect(await failure { try await server.firstGet("wrong") }?.code == .invalidCredentials)
      let wait = await failure { try await server.firstGet() }
      #expect(wait?.code == .serverUnavailable)
      #expect(wait?.retryAfter == .seconds(30))
      server.clock.advance(by: .seconds(30))
      let answer = try await server.firstGet()
      #expect(answer["user"] == "ann")
    }
  }

  @Test(
    "GS3: one-time tokens and the secret token are taken from the page, of every style",
    arguments: GatewayStyle.allCases, GatewayDoorConfiguration.Challenge.allCases)
  func tokens(style: GatewayStyle, challenge: GatewayDoorConfiguration.Challenge) async throws {
    try await GatewayServer.run(
      GatewayVariant(style: style, challenge: challenge), { $0.validatesSecretToken = true }
    ) { server in
      let answer = try await server.firstPost("a=1")
      #expect(answer["number"] == 1)
      #expect(server.forms == 1)
    }
  }

  @Test(
    "GS3: a form that has gone stale while the person thought is a 400 or 403; it is fetched and sent again, once",
    arguments: GatewayStyle.allCases)
  func staleForm(style: GatewayStyle) async throws {
    try await GatewayServer.run(
      GatewayVariant(style: style, challenge: .form), { $0.validatesSecretToken = true }
    ) { server in
      let ann = try server.client(
        .onRequest { _ in
          server.clock.advance(by: .seconds(2 * 3600))
          return .password(username: "ann", password: GatewayServer.password)
        })
      #expect(try await ann.get()["user"] == "ann")
      #expect(server.forms == 2)
    }
  }

  @Test(
    "GS3, G12: an expired session, its cookies deleted or not, is replaced by one form; the request goes out again",
    arguments: GatewayVariant.each, [true, false])
  func expired(variant: GatewayVariant, deletes: Bool) async throws {
    try await GatewayServer.run(
      variant,
      {
        $0.deletesStaleCookies = deletes
        $0.sessionLimits.idle = .seconds(600)
      }
    ) { server in
      let ann = try server.client()
      #expect(try await ann.post("a=1")["number"] == 1)
      server.clock.advance(by: .seconds(601))
      #expect(try await ann.post("b=2")["number"] == 2)
      #expect(try await ann.get()["user"] == "ann")
      #expect(server.forms == 2)
      #expect(ann.signIns == 2)
    }
  }

  @Test(
    "GS3, G13: signing out ends the session at the gateway, whose cookie then opens nothing",
    arguments: GatewayStyle.allCases)
  func signOut(style: GatewayStyle) async throws {
    try await GatewayServer.run(GatewayVariant(style: style, challenge: .redirect)) { server in
      let logout: GatewayLogout =
        switch style {
        case .ostiary: .submitForm(at: try server.address("/gateway"))
        case .webSEAL: .visit(try server.address("/pkmslogout"))
        case .ltpa: .visit(try server.address("/ibm_security_logout"))
        case .classic: .visit(try server.address("/apps/services/logout"))
        }
      let ann = try server.client(logout: logout)
      #expect(try await ann.get()["user"] == "ann")
      let session = try #require(ann.manager.current)
      let report = await ann.manager.signOut()
      #expect(report.serverError == nil)
      #expect(ann.manager.current == nil)
      let thief = try server.client(.manual)
      #expect(
        await failure { try await thief.manager.signIn(with: .proof(session.proof)) }?.code == .invalidCredentials)
      // And the next request asks anew.
      #expect(try await ann.get()["user"] == "ann")
      #expect(server.forms == 2)
    }
  }

  @Test("Invariant 6: a logout that the gateway refuses for want of its token is told, and nothing is left here")
  func refusedLogout() async throws {
    try await GatewayServer.run(GatewayVariant(style: .webSEAL), { $0.validatesSecretToken = true }) { server in
      let ann = try server.client(logout: .visit(try server.address("/pkmslogout")))
      #expect(try await ann.get()["user"] == "ann")
      #expect(await ann.manager.signOut().serverError?.code == .unexpectedResponse)
      #expect(ann.manager.current == nil)
    }
  }

  @Test(
    "GS3: behind a junction the form's relative action leads to the gateway; the upstream is told who it is",
    arguments: GatewayStyle.allCases, ["/app/orders", "/app/deep/er/orders?x=a/b"])
  func junction(style: GatewayStyle, path: String) async throws {
    let upstream = try LoopbackServer { request in
      [
        .response(
          200, body: request.target + " " + (HTTPField.Name("Remote-User").flatMap { request.fields[$0] } ?? "?"))
      ]
    }
    defer { upstream.stop() }
    try await GatewayServer.run(
      GatewayVariant(style: style, challenge: .form),
      {
        $0.usesRelativeFormAction = true
        $0.junctions = [GatewayJunction(path: "/app", upstream: upstream.url("/base"))]
      }
    ) { server in
      let ann = try server.client()
      let rest = String(path.dropFirst("/app".count))
      #expect(try await ann.get(path).text == "/base\(rest) ann")
      #expect(try await ann.post("a=1", to: path).text == "/base\(rest) ann")
      #expect(upstream.requests.map(\.text) == ["", "a=1"])
      #expect(upstream.requests.allSatisfy { $0.fields[.cookie] == nil })
      #expect(server.forms == 1)
    }
  }

  @Test("GS3: WebSEAL's pages as redirects with a TAM_OP: let in, refused, locked")
  func localResponses() async throws {
    try await GatewayServer.run(
      GatewayVariant(style: .webSEAL, challenge: .redirect), { $0.redirectsLocalResponses = true },
      server: { $0.loginLimits.freeFailures = 2 }
    ) { server in
      let answer = try await server.firstPost("a=1")
      #expect(answer["number"] == 1)
      for _ in 1...2 {
        #expect(await failure { try await server.firstGet("wrong") }?.code == .invalidCredentials)
      }
      #expect(await failure { try await server.firstGet() }?.code == .accountLocked)
    }
  }

  @Test("GW-05: a program's typed challenge says why, and leads to the form")
  func demand() async throws {
    try await GatewayServer.run(GatewayVariant(), { $0.sessionLimits.idle = .seconds(600) }) { server in
      let plain = PlatformTransport()
      let first = try await plain.send(.get(try server.address("/jct/echo")))
      let demand = try #require(GatewayDemand(first))
      #expect(demand.gateway == "Ostiary")
      let page = try server.address("/gateway/login")
      #expect(demand.login == page)
      #expect(demand.reason == .noSession)
      let ann = try server.client()
      _ = try await ann.get()
      let cookie = try #require(
        ann.manager.current?.proof.cookies.cookies.first { $0.name == "ostiary-gateway" })
      server.clock.advance(by: .seconds(601))
      var request = try TransportRequest.get(try server.address("/jct/echo"))
      request.head.headerFields[.cookie] = "ostiary-gateway=\(cookie.value.reveal())"
      #expect(GatewayDemand(try await plain.send(request))?.reason == .sessionExpired)
    }
  }

  @Test("GW-09: a user who isn't admitted is told so, and isn't asked again")
  func notAdmitted() async throws {
    try await GatewayServer.run(GatewayVariant(), { $0.admitted = ["@example.org"] }) { server in
      let ann = try server.client()
      #expect(await failure { try await ann.get() } != nil)
      #expect(server.forms <= 2)
      #expect(ann.manager.current == nil)
    }
  }
}

import Foundation
import HTTPTypes
import NIOHTTP1
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Pega door: sessions", .timeLimit(.minutes(10)))
struct PegaSessionTests {
  private let password = TestServer.janesPassword
  private let recognized = "<div id=\"error\">The information you entered was not recognized.</div>"
  private let tooMany = "<div id=\"error\" data-code=\"TooManyAttempts\">"

  @Test(
    "PS3: a wrong or blank field is a 200 with the form again",
    arguments: [("jdoe", "x"), ("", "x"), ("jdoe", ""), (" ", " ")])
  func formAgain(name: String, password: String) async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let answer = try await client.loginByForm(name, password)
      #expect(answer.status == 200)
      #expect(answer.body.contains(recognized))
      #expect(answer.body.contains("id=\"credentialsForm\""))
      #expect(answer.headers["set-cookie"].isEmpty)
      #expect(try await client.submit(answer, "jdoe", self.password).status == 303)
    }
  }

  @Test("PS3: three failures in one guest session lead to the error page, and not even the right password out of it")
  func threeAttempts() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let first = try await client.loginByForm("jdoe", "wrong")
      let second = try await client.submit(first, "jdoe", "wrong")
      #expect(second.body.contains(recognized))
      let third = try await client.submit(second, "jdoe", "wrong")
      #expect(third.status == 200)
      #expect(third.body.contains(tooMany))
      #expect(!third.body.contains("<form"))
      #expect(try await client.submit(second, "jdoe", password).body.contains(tooMany))
      let location = try #require(try await client.get("/prweb/PRServlet").header("Location"))
      #expect(try await client.get(location).body.contains(tooMany))
      #expect(try await client.whoAmI() == nil)
    }
  }

  @Test("PS3: a new guest session has new attempts; the error page's link gives one")
  func restart() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      var answer = try await client.loginByForm("jdoe", "wrong")
      answer = try await client.submit(answer, "jdoe", "wrong")
      answer = try await client.submit(answer, "jdoe", "wrong")
      let link = try #require(answer.body.firstMatch(of: /href="([^"]+)"/)?.1)
      try await client.get(String(link).replacingOccurrences(of: "&amp;", with: "&"))
      #expect(try await client.loginByForm("jdoe", password).status == 303)
    }
  }

  @Test("PS3: attempts made at once can't exceed the three")
  func parallelAttempts() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let first = try await client.get("/prweb/PRServlet")
      let page = try await client.get(first.header("Location") ?? "")
      let cookies = await client.cookies
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<12 {
          group.addTask {
            let other = server.client()
            for (name, value) in cookies { await other.setCookie(name, value) }
            let answer = try await other.submit(page, "jdoe", "wrong")
            #expect(answer.status == 200)
          }
        }
        try await group.waitForAll()
      }
      #expect(server.logs.text.matches(of: /authentication refused/).count == 3)
    }
  }

  @Test("PS3: the number of attempts can be set")
  func attemptsConfigured() async throws {
    try await TestServer.runWithJane({ $0.pega?.loginAttempts = 1 }) { server in
      let answer = try await server.client().loginByForm("jdoe", "wrong")
      #expect(answer.body.contains(tooMany))
    }
  }

  @Test("PS4: after the idle limit a page is the login form, an activity and the API are 401")
  func idle() async throws {
    try await TestServer.runWithJane({ $0.pega?.sessionLimits.idle = .seconds(600) }) { server in
      let client = server.client()
      let base = try #require(try await client.login("jdoe", password).json["baseURL"]?.string)
      server.clock.advance(by: 599)
      #expect(try await client.get(base).body.contains("Jane Doe"))
      server.clock.advance(by: 599)
      #expect(try await client.whoAmI() == "jdoe")
      server.clock.advance(by: 601)
      let activity = try await client.get(Client.loginActivity)
      #expect(activity.status == 401)
      #expect(activity.header("WWW-Authenticate") == "Basic realm=\"Pega 7\"")
      let api = try await client.get("/prweb/api/v1/authenticate")
      #expect(api.status == 401)
      #expect(api.json["errors"] != nil)
      let page = try await client.get(base)
      #expect(page.status == 200)
      #expect(page.body.contains("id=\"credentialsForm\""))
      #expect(page.cookie("Pega-RULES") != nil)
      #expect(try await client.submit(page, "jdoe", password).status == 303)
    }
  }

  @Test("PS4: a login form whose guest session has ended says so and verifies nothing")
  func expiredForm() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let first = try await client.get("/prweb/PRServlet")
      let page = try await client.get(first.header("Location") ?? "")
      server.clock.advance(by: 31 * 60)
      let answer = try await client.submit(page, "jdoe", password)
      #expect(answer.status == 200)
      #expect(answer.body.contains("data-code=\"SessionExpired\""))
      #expect(!server.logs.text.contains("authentication accepted"))
      #expect(try await client.submit(answer, "jdoe", password).status == 303)
    }
  }

  @Test("PS5: log-off ends the session, leads back as a guest, and takes every cookie back")
  func logOff() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", password)
      let before = await client.cookies
      let answer = try await client.get("/prweb/PRServlet?pyActivity=Code-Security.LogOff")
      #expect(answer.status == 200)
      let refresh = try #require(
        answer.body.firstMatch(of: /<meta http-equiv="refresh" content="0;URL=([^"]+)">/)?.1)
      let next = String(refresh).replacingOccurrences(of: "&amp;", with: "&")
      #expect(next == "/prweb/PRServlet?pyActivity=Code-Security.EndSession&pzAuth=guest&ShowLogoffScreen")
      let deleted = Set(
        answer.headers["set-cookie"].map { line in
          line.split(separator: "; ").prefix(2).joined(separator: " ")
        })
      for name in ["Pega-RULES=", "PegaRULES=", "JSESSIONID="] {
        for path in ["/", "/prweb", "/prweb/"] {
          #expect(deleted.contains("\(name) Path=\(path)"))
        }
      }
      #expect(await client.cookies.isEmpty)
      let ended = try await client.get(next)
      #expect(ended.status == 200)
      #expect(ended.body.contains("Your session has ended."))
      for (name, value) in before { await client.setCookie(name, value) }
      #expect(try await client.get(Client.loginActivity).status == 401)
      await client.forgetCookies()
      #expect(try await client.get("/prweb/PRServlet").status == 302)
    }
  }

  @Test("PS5: log-off without a session is as good")
  func logOffTwice() async throws {
    try await TestServer.runWithJane { server in
      for _ in 0..<2 {
        let status = try await server.client().get("/prweb/PRServlet?pyActivity=Code-Security.LogOff").status
        #expect(status == 200)
      }
    }
  }

  @Test(
    "PS6: unknown, wrong, disabled and password-less cost the same hashes by every pathway",
    arguments: Pathways.allCases)
  func equalWork(pathway: Pathways) async throws {
    let costs = Locked<[HashParameters]>([])
    let storage = try ServerStorage.forTest()
    let identity = try IdentityService(
      storage: storage, configuration: .insecureForDevelopmentOnly, clock: .system, logger: LogCollector().logger,
      hashObserver: { cost in costs.withLock { $0.append(cost) } })
    for name in ["jdoe", "locked"] { try await identity.addUser(name: name, password: Secret(password)) }
    try await identity.addUser(name: "bare")
    try await identity.disableUser(named: "locked")
    let origin = try #require(Origin(scheme: "http", host: "127.0.0.1", port: 1))
    let door = PegaDoor(
      configuration: .init(), origin: origin, identity: identity, sessions: ServerSessions(storage: storage))
    let table = RouteTable(door.routes)
    var seen: Set<[HashParameters]> = []
    for (name, password) in [("jdoe", "wrong"), ("nobody", password), ("locked", password), ("bare", password)] {
      costs.withLock { $0 = [] }
      let request = try await pathway.request(name, password, through: door)
      guard case .found(.whole(let handler), let parameters, _) = table.match(request.method, request.path) else {
        Issue.record("no route")
        return
      }
      var routed = request
      routed.parameters = parameters
      let status = try await handler(routed).status.code
      #expect(status == 200 || status == 401)
      let cost = costs.withLock { $0 }
      #expect(!cost.isEmpty)
      seen.insert(cost)
    }
    #expect(seen.count == 1)
  }
}

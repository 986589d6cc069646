import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import ServiceLifecycle
import Testing

@testable import OstiaryServer

@Suite("Application", .timeLimit(.minutes(10)))
struct OstiaryApplicationTests {
  @Test("Starts on a free port, tells where and what it speaks, and stops")
  func lifecycle() async throws {
    let port = try await TestServer.run { server in
      #expect(server.running.port != 0)
      #expect(server.origin == "http://127.0.0.1:\(server.running.port)")
      #expect(server.running.doors.map(\.name) == ["pega", "newzulu", "gateway", "salesforce", "primer"])
      let door = try #require(server.running.doors.first)
      #expect(door.address == server.origin + "/prweb")
      #expect(door.signIn(as: "o'neil") == "ostiary login pega --server \(door.address) --user 'o'\\''neil'")
      return server.running.port
    }
    await #expect(throws: (any Error).self) { try await Client(origin: "http://127.0.0.1:\(port)").get("/healthz") }
  }

  @Test("Runs once")
  func once() async throws {
    try await TestServer.run { server in
      let again = { try await server.application.start() }
      await #expect(throws: ServerError(.startedBefore, "")) { try await again() }
    }
  }

  @Test("A server that is stopped while it starts does not listen afterwards")
  func stoppedWhileStarting() async throws {
    for round in 0..<20 {
      var configuration = ServerConfiguration()
      configuration.port = 0
      let application = try OstiaryApplication(configuration, logger: LogCollector().logger)
      async let started = try? application.start()
      for _ in 0..<round { await Task.yield() }
      await application.stop()
      if let running = await started {
        await #expect(throws: (any Error).self) {
          try await Client(origin: "http://127.0.0.1:\(running.port)").get("/healthz")
        }
      }
      #expect(application.running == nil)
    }
  }

  @Test("A port that is taken is a readable error")
  func portTaken() async throws {
    try await TestServer.run { server in
      var configuration = ServerConfiguration()
      configuration.port = server.running.port
      let other = try OstiaryApplication(configuration)
      let error = await #expect(throws: ServerConfigurationError.self) { try await other.start() }
      #expect(error?.problems.first?.contains("127.0.0.1:\(server.running.port) can't be listened on") == true)
      await other.stop()
    }
  }

  @Test("An address that isn't this machine's is a readable error")
  func foreignAddress() async throws {
    var configuration = ServerConfiguration()
    configuration.host = "192.0.2.1"
    configuration.publicOrigin = "https://id.example.org"
    configuration.port = 0
    let application = try OstiaryApplication(configuration)
    await #expect(throws: ServerConfigurationError.self) { try await application.start() }
  }

  @Test("A host without an address is a readable error")
  func unknownHost() async throws {
    var configuration = ServerConfiguration()
    configuration.host = "nowhere.invalid"
    configuration.publicOrigin = "https://id.example.org"
    configuration.port = 0
    let application = try OstiaryApplication(configuration, logger: LogCollector().logger)
    let error = await #expect(throws: ServerConfigurationError.self) { try await application.start() }
    let problems = error?.problems
    #expect(problems == ["nowhere.invalid:0 can't be listened on: the name has no address."])
    await application.stop()
  }

  @Test("LO-09: a trusted proxy's clients are limited one by one, and nobody else can say who he is")
  func proxiedClients() async throws {
    let login = "/prweb/api/v1/authenticate"
    func attempt(_ server: TestServer, _ password: String, from client: String, at number: Int = 0) async throws -> Int
    {
      var headers = Client.basic(password == TestServer.janesPassword ? "jdoe" : "nobody\(number)", password)
      headers["X-Forwarded-For"] = client
      return try await server.client().get(login, headers: headers).status
    }
    for trusts in [true, false] {
      try await TestServer.runWithJane({
        $0.loginLimits.addressBurst = 3
        $0.trustedProxies = trusts ? ["::1", "127.0.0.1"] : ["192.0.2.7"]
      }) { server in
        // What stands before the proxy's own entry is the attacker's invention.
        for number in 0..<3 {
          let status = try await attempt(server, "wrong", from: "10.0.0.\(number), 198.51.100.1", at: number)
          #expect(status == 401)
        }
        #expect(try await attempt(server, TestServer.janesPassword, from: "198.51.100.1") == 429)
        #expect(try await attempt(server, TestServer.janesPassword, from: "198.51.100.2") == (trusts ? 200 : 429))
      }
    }
  }

  @Test("Users and sessions in a folder are there after a restart")
  func persistence() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let cookie = try await TestServer.runWithJane({ $0.storage = .folder(folder) }) { server in
      try await server.client().login("jdoe", TestServer.janesPassword).cookie("Pega-RULES")
    }
    try await TestServer.run({ $0.storage = .folder(folder) }) { server in
      let client = server.client()
      await client.setCookie("Pega-RULES", try #require(cookie))
      #expect(try await client.whoAmI() == "jdoe")
    }
  }

  @Test("A stop lets requests in flight finish")
  func gracefulStop() async throws {
    let gate = Gate()
    let slow = Route(
      "/slow",
      [
        .get: { _ in
          try? await gate.pass()
          return DoorResponse(status: .ok, body: Array("done".utf8))
        }
      ])
    try await TestServer.run(furtherRoutes: [slow]) { server in
      async let answer = server.client().get("/slow")
      try await gate.waitForArrivals()
      async let stopped: Void = server.application.stop()
      // It is closed to newcomers before the one inside has left.
      do {
        try await waitUntil("the end of the listener") { (try? await server.client().get("/healthz")) == nil }
      } catch {
        Issue.record(error)
      }
      gate.open()
      let body = try await answer.body
      #expect(body == "done")
      await stopped
    }
  }

  @Test("A stop does not wait for ever")
  func boundedStop() async throws {
    let gate = Gate(isOpen: true)
    let endless = Route(
      "/endless",
      [
        .get: { _ in
          try await gate.pass()
          try await Task.sleep(for: .seconds(3600))
          return DoorResponse(status: .ok)
        }
      ])
    try await TestServer.run({ $0.stopTime = .milliseconds(100) }, furtherRoutes: [endless]) { server in
      async let answer = try? server.client().get("/endless")
      try await gate.waitForArrivals()
      await server.application.stop()
      let status = await answer?.status
      #expect(status != 200)
    }
  }

  @Test("As a service it stops with its group and by cancellation", arguments: [true, false])
  func service(gracefully: Bool) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    let application = try OstiaryApplication(configuration)
    let group = ServiceGroup(
      configuration: .init(services: [application], logger: LogCollector().logger))
    let task = Task { try await group.run() }
    try await waitUntil("the server") { application.running != nil }
    if gracefully { await group.triggerGracefulShutdown() } else { task.cancel() }
    _ = await task.result
    #expect(application.running == nil)
    await #expect(throws: ServerError(.storageClosed, "")) { try await application.identity.users() }
  }

  @Test("OP-06: a storage that fails is 503 with Retry-After, never 401 or 200, and readiness says so")
  func storageFault() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      try await client.login("jdoe", TestServer.janesPassword)
      #expect(try await client.ready().status == 200)
      try await server.application.storage.close()
      for pathway in Pathways.allCases where pathway != .form {
        for password in [TestServer.janesPassword, "wrong"] {
          let answer = try await pathway.send(server.client(), "jdoe", password)
          #expect(answer.status == 503, "\(pathway)")
          #expect(answer.header("Retry-After") != nil)
        }
      }
      for target in ["/prweb/PRServlet", Client.loginActivity, "/prweb/api/v1/cases", "/readyz"] {
        let answer = try await client.get(target)
        #expect(answer.status == 503, "\(target)")
        #expect(answer.header("Retry-After") != nil)
      }
      #expect(try await client.get("/healthz").status == 200)
    }
  }

  @Test("OP-05: an unexpected error is generic, with an id that the log has, too")
  func unexpectedError() async throws {
    struct Broken: Error { let secret = "canary" }
    let route = Route("/broken", [.get: { _ in throw Broken() }])
    try await TestServer.run(furtherRoutes: [route]) { server in
      let page = try await server.client().get("/broken")
      #expect(page.status == 500)
      let id = try #require(page.body.firstMatch(of: /Request ([0-9a-f]+)/)?.1)
      #expect(server.logs.text.contains(id))
      #expect(!(page.body + server.logs.text).contains("canary"))
      let json = try await server.client().get("/broken", headers: ["Accept": "application/json"])
      #expect(json.json["error"]?["status"] == 500)
      #expect(json.json["error"]?["requestId"]?.string?.isEmpty == false)
    }
  }

  @Test("The journal has method, path and status, and is absent outside development")
  func journal() async throws {
    try await TestServer.run { server in
      try await server.client().get("/healthz?token=canary")
      try await server.client().get("/nowhere")
      let journal = try #require(server.application.journal)
      #expect(
        journal.entries == [
          .init(method: "GET", path: "/healthz", status: 200), .init(method: "GET", path: "/nowhere", status: 404),
        ])
      #expect(journal.count(ofPath: "/healthz") == 1)
      #expect(journal.total == 2)
    }
    #expect(try OstiaryApplication(ServerConfiguration()).journal == nil)
  }
}

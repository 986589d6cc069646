import BrowserTestSupport
import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("The start page", .timeLimit(.minutes(20)))
struct StartPageTests {
  private static let html = ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]
  private static let markup = "\"><script>window.pwned=1</script><img src=x onerror=window.pwned=1>"

  // MARK: What it says

  @Test("Bug-C19: a newcomer's browser learns what this is, which doors are open, and what to paste")
  func page() async throws {
    try await TestServer.runWithJane { server in
      server.application.announce(user: "jdoe", authorityFile: nil)
      let answer = try await server.client().get("/", headers: Self.html)
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
      #expect(answer.header("Content-Security-Policy") == Page.contentSecurityPolicy)
      #expect(answer.header("X-Content-Type-Options") == "nosniff" && answer.header("Vary") == "Accept")
      #expect(answer.header("Cache-Control") == "no-store" && answer.header("Server") == nil)
      #expect(answer.body.contains("This is Ostiary") && answer.body.contains("Development mode"))
      #expect(answer.body.contains("<meta http-equiv=\"refresh\" content=\"5\">"))
      for door in server.running.doors {
        let told = DoorAnnouncement(door, user: "jdoe", authorityFile: nil)
        #expect(answer.body.contains("<h3>\(Self.escaped(door.title))</h3>"), "\(door.name)")
        #expect(answer.body.contains("<code>\(Self.escaped(door.address))</code>"), "\(door.name)")
        #expect(!told.commands.isEmpty)
        for command in told.commands {
          #expect(answer.body.contains("<pre class=\"command\">\(Self.escaped(command.text))</pre>"), "\(door.name)")
        }
        let documentation = try #require(told.documentation, "\(door.name)")
        #expect(answer.body.contains(documentation))
        #expect(FileManager.default.fileExists(atPath: Self.repository + documentation), "\(documentation)")
      }
      #expect(answer.body.contains(server.origin + "/account"))
      #expect(answer.body.contains(server.origin + "/insecure-development-mailbox"))
      let held = try await server.client().get("/?still", headers: Self.html)
      #expect(held.status == 200 && !held.body.contains("http-equiv"))
      #expect(try await server.client().send("POST", "/", headers: Self.html).status == 405)
    }
  }

  private static func escaped(_ text: String) -> String { ("\(text)" as HTML).source }

  private static let repository =
    URL(filePath: #filePath).path(percentEncoded: false)
    .components(separatedBy: "Server/Tests/").first ?? ""

  @Test("Bug-C19: a terminal gets lines, with the commands as they stand there, and a program data")
  func negotiation() async throws {
    try await TestServer.runWithJane { server in
      server.application.announce(user: "o'neil", authorityFile: "/a folder/authority.pem")
      let announcement = ServerAnnouncement(
        server.running, storage: .memory, user: "o'neil", authorityFile: "/a folder/authority.pem")
      let commands = announcement.doors.flatMap(\.commands).map(\.text)
      #expect(commands.count >= 5 && commands.allSatisfy { $0.contains("'/a folder/authority.pem'") })
      for accept in [["Accept": "*/*"], [:], ["Accept": "text/plain"]] as [[String: String]] {
        let answer = try await server.client().get("/", headers: accept)
        #expect(answer.status == 200 && answer.header("Content-Type") == "text/plain; charset=utf-8")
        let lines = answer.body.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for command in commands { #expect(lines.contains(command), "\(command)") }
      }
      let data = try await server.client().get("/", headers: ["Accept": "application/json"])
      #expect(data.header("Content-Type") == "application/json")
      let doors = try #require(data.json["doors"]?.array)
      #expect(doors.compactMap { $0["name"]?.string } == server.running.doors.map(\.name))
      #expect(doors.flatMap { $0["commands"]?.array ?? [] }.compactMap(\.string) == commands)
    }
  }

  @Test("Bug-C19: beyond development there are no commands, no log, no reload and no version")
  func production() async throws {
    try await TestServer.run({ $0.development = nil }) { server in
      let client = server.client()
      try await client.get("/prweb/PRServlet?token=canary")
      for (headers, type) in [
        (Self.html, "text/html; charset=utf-8"), (["Accept": "*/*"], "text/plain; charset=utf-8"),
        (["Accept": "application/json"], "application/json"),
      ] {
        let answer = try await client.get("/", headers: headers)
        #expect(answer.status == 200 && answer.header("Content-Type") == type)
        #expect(answer.body.contains("Ostiary") && answer.body.contains(server.origin + "/prweb"))
        let rest = answer.body.replacing(server.origin, with: "").replacing(/<style>[\s\S]*<\/style>/, with: "")
        for word in [
          "ostiary login", "curl ", "http-equiv", "just happened", "events", "Development", "mailbox", "PRServlet",
          "canary",
          "--user", "token",
        ] {
          #expect(!rest.contains(word), "\(word) \(type)")
        }
        // No number with a dot in it but the address.
        #expect(!rest.contains(/[0-9]+\.[0-9]+/), "\(type)")
      }
    }
  }

  @Test("Bug-C19: only this machine sees what happens on a development server")
  func elsewhere() async throws {
    let recent = RecentEvents(clock: AdjustableClock())
    let announcement = ServerAnnouncement(
      origin: "http://127.0.0.1:1", doors: [], accounts: nil, mailbox: "http://127.0.0.1:1/mail",
      addUser: "ostiary user add")
    let route = try #require(StartRoutes(announcement: { announcement }, recent: recent).routes.first)
    guard case .whole(let handler) = route.receivers[.get] else { throw Missing() }
    for (address, isHere) in [("127.0.0.1", true), ("::1", true), ("192.0.2.1", false), ("2001:db8::1", false)] {
      let request = DoorRequest(
        method: .get, path: "/", query: .none, headers: [:], body: [], parameters: [:], clientAddress: address, id: "1")
      let text = String(decoding: try await handler(request).body, as: UTF8.self)
      for word in ["ostiary user add", "/mail", "What just happened"] {
        #expect(text.contains(word) == isHere, "\(word) \(address)")
      }
    }
  }

  private struct Missing: Error {}

  @Test("Bug-C19: hosts are checked here, too, and a gateway's upstream at / stays where it is")
  func neighbours() async throws {
    try await TestServer.run { server in
      let answer = try await RawConnection(port: server.running.port).exchange(
        "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 421 "))
    }
    try await withUpstream { upstream in
      try await GatewayTester.run({ $0.junctions = [GatewayJunction(path: "/", upstream: upstream.url())] }) {
        gateway in
        let answer = try await gateway.client.get("/", headers: Self.html)
        #expect(answer.status == 302 && answer.header("Location")?.contains("/gateway/login") == true)
      }
    }
  }

  // MARK: The log

  @Test("Bug-C19: the log tells requests, decisions and causes, newest first, and never a secret")
  func log() async throws {
    try await TestServer.runWithJane { server in
      let client = server.client()
      let secrets = (0..<8).map { "canary\($0)" + RandomBytes.make(12).base64URL }
      await client.setCookie("Pega-RULES", secrets[0])
      try await client.get("/prweb/PRServlet?token=\(secrets[1])")
      try await client.get(
        "/services/oauth2/userinfo", headers: ["Authorization": "Bearer \(secrets[2])", "Referer": "/\(secrets[3])"])
      try await client.get("/prweb/api/v1/authenticate", headers: Client.basic("jdoe", secrets[4]))
      try await client.post("/services/oauth2/token", form: [("client_secret", secrets[5]), ("code", secrets[6])])
      try await client.send(
        "POST", "/flows/login", headers: ["Content-Type": "application/json"], body: "{\"flow\": \"\(secrets[7])\"}")
      try await client.get(
        "/prweb/api/v1/authenticate", headers: Client.basic("jdoe", TestServer.janesPassword))
      let page = try await client.get("/", headers: Self.html)
      let (text, data) = (
        try await client.get("/"), try await client.get("/", headers: ["Accept": "application/json"])
      )
      for answer in [page, text, data] {
        for secret in secrets + [TestServer.janesPassword] { #expect(!answer.body.contains(secret)) }
      }
      let events = try #require(data.json["events"]?.array)
      let shown = events.map { "\($0["what"]?.string ?? "") \($0["outcome"]?.string ?? "")" }
      // A decision precedes the request that it was made for, and the newest is above.
      #expect(
        shown.first == "GET /prweb/api/v1/authenticate 200" && shown.dropFirst().first == "authentication accepted")
      #expect(shown.contains("authentication refused") && shown.contains("GET /prweb/api/v1/authenticate 401"))
      #expect(shown.last == "GET /prweb/PRServlet 302")
      // The page's own loads are none of it.
      #expect(!shown.contains { $0.hasPrefix("GET / ") })
      let refused = try #require(events.first { $0["outcome"] == "refused" })
      #expect(refused["details"]?["for"] == "jdoe" && refused["details"]?["by"]?.string?.hasPrefix("pega") == true)
      #expect(page.body.contains("<strong>refused</strong>") && text.body.contains("authentication  refused"))
    }
  }

  @Test("Bug-C19: the log is bounded, its entries as well, and what can't be printed is written out")
  func bounded() throws {
    let recent = RecentEvents(clock: AdjustableClock())
    for number in 0..<250 { recent.record("x", ["event": "event \(number)", "result": "done"]) }
    #expect(recent.newest.count == RecentEvents.limit)
    #expect(recent.newest.first?.what == "event 249" && recent.newest.last?.what == "event 150")
    recent.record(
      "x", ["event": "\(String(repeating: "w", count: 5000))", "result": "a\u{7}\u{202E}b", "password": "canary"])
    let event = try #require(recent.newest.first)
    #expect(event.what.count == 161 && event.outcome == "a\\u{7}\\u{202e}b" && event.details.isEmpty)
    // What other libraries log is no decision.
    recent.record("x", ["error": "canary"])
    #expect(recent.newest.first == event)
  }

  private func attack(_ server: TestServer) async throws {
    let connection = { try await RawConnection(port: server.running.port) }
    let head = "Host: localhost\r\nConnection: close\r\n"
    _ = try await connection().exchange("GET /\(Self.markup.replacing(" ", with: "/")) HTTP/1.1\r\n\(head)\r\n")
    _ = try await connection().exchange("GET /x HTTP/1.1\r\n\(head)User-Agent: \(Self.markup)\r\n\r\n")
    try await server.client().get("/prweb/api/v1/authenticate", headers: Client.basic(Self.markup, "x"))
  }

  @Test("Bug-C19: paths, programs and names that are markup stay text")
  func escaping() async throws {
    try await TestServer.run { server in
      try await attack(server)
      let page = try await server.client().get("/", headers: Self.html)
      #expect(page.body.contains("window.pwned"))
      for tag in ["<script", "<img"] { #expect(!page.body.contains(tag)) }
    }
  }

  // MARK: In a browser

  @Test(
    "Bug-C19: the page can be read on a phone and a desktop, light and dark, runs nothing, and loads itself again",
    .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
  func looks() async throws {
    let chromium = try await Chromium()
    let inspector = PageInspector(chromium: chromium)
    var found: [String] = []
    try await TestServer.runWithJane { server in
      server.application.announce(user: "jdoe", authorityFile: nil)
      try await chromium.open(server.origin + "/?still")
      found += try await inspector.problems("start-empty")
      try await attack(server)
      for password in ["wrong", TestServer.janesPassword] {
        try await server.client().get("/prweb/api/v1/authenticate", headers: Client.basic("jdoe", password))
      }
      try await server.client().get(
        "/" + String(repeating: "a", count: 300), headers: ["User-Agent": String(repeating: "Mozilla/5.0 ", count: 30)])
      try await chromium.open(server.origin + "/?still")
      found += try await inspector.problems("start")
      #expect(try await chromium.evaluate("window.pwned === undefined") == true)
      #expect(try await chromium.evaluate("document.querySelectorAll('.log li').length").double ?? 0 >= 8)
      try await chromium.open(server.origin + "/")
      try await server.client().get("/later")
      // Two loads: that of the opening may still be on its way.
      for _ in 0..<2 { try await chromium.waitForLoad() }
      #expect(try await chromium.texts(".log code").contains("GET /later"))
    }
    try await TestServer.run({ $0.development = nil }) { server in
      try await chromium.open(server.origin + "/")
      found += try await inspector.problems("start-production")
    }
    #expect(found == [])
  }
}

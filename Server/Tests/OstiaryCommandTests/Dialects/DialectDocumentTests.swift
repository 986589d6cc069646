import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("dialect list, show, check and try", .timeLimit(.minutes(20)))
struct DialectDocumentTests {
  @Test("DIALECT-C07: the dialects that come with the command are listed, shown, and without a problem")
  func shipped() async throws {
    let sandbox = try Sandbox()
    let list = try await sandbox.run(["dialect", "list", "--json"]).json()
    let names = try #require(list.array?.compactMap { $0["name"]?.string })
    #expect(names.contains("simplejwt"))
    let table = await sandbox.run(["dialect", "list"])
    #expect(table.status == 0 && names.allSatisfy { table.output.contains($0) })
    for name in names {
      let shown = await sandbox.run(["dialect", "show", name])
      #expect(shown.status == 0 && JSONValue(json: Data(shown.output.utf8))?["name"]?.string == name)
      #expect(await sandbox.run(["dialect", "check", name]).status == 0)
    }
    let schema = await sandbox.run(["dialect", "schema"])
    #expect(JSONValue(json: Data(schema.output.utf8))?.object != nil)
    let unknown = await sandbox.run(["dialect", "show", "nosuch"])
    #expect(unknown.status == 2 && unknown.error.contains("ostiary dialect list"))
  }

  @Test("DIALECT-C08: every problem of a document is told with its place, and standard input is read, too")
  func check() async throws {
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let good = await sandbox.run(["dialect", "check", "api.json"])
    #expect(good.status == 0 && good.output.contains("api.json can be used: house"), "\(good.output)")
    let broken = TokenAPI.document.replacing("\"/login\"", with: "\"login\"").replacing("{project}", with: "{planet}")
    let bad = await sandbox.run(["dialect", "check", "-"], input: broken)
    #expect(
      bad.status == 1 && bad.output.contains("/signIn/0/path") && bad.output.contains("2 problems"), "\(bad.output)")
    let json = try await sandbox.run(["dialect", "check", "-", "--json"], input: broken).json()
    #expect(json["isValid"] == false && json["problems"]?.array?.count == 2)
    #expect(await sandbox.run(["dialect", "check", "-"], input: "no JSON").status == 1)
    #expect(await sandbox.run(["dialect", "check", "nosuch.json"]).status == 2)
  }

  @Test("DIALECT-C09: try walks through the calls, and tells what was read from where, and no value")
  func tries() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let arguments = ["dialect", "try", "api.json", "--server", api.address, "--user", "ann"] + TokenAPI.setting
    let walk = await sandbox.run(arguments + ["--request", "/orders"], answers: [TokenAPI.password])
    #expect(walk.status == 0, "\(walk.output) \(walk.error)")
    for words in [
      "POST /login", "/secret: {password}", "token: “/token” of the JSON", "Signed in as ann.", "GET /me", "with 200",
      "POST /renew", "renewed", "POST /logout", "did its work",
    ] {
      #expect(walk.output.contains(words), "\(words): \(walk.output)")
    }
    #expect(!(walk.output + walk.error).contains("planted"), "\(walk.output)")
    #expect(api.count("/logout") == 1 && api.count("/renew") == 1 && api.count("/login") == 1)
    #expect(try sandbox.contents().keys.filter { $0.contains("state") || $0.contains("profiles") }.isEmpty)
    let json = try await sandbox.run(arguments + ["--json"], answers: [TokenAPI.password]).json()
    #expect(json["passed"] == true && (json["calls"]?.array?.count ?? 0) >= 4)
  }

  @Test("DIALECT-C10: where a read finds nothing, try tells where it looked and what the answer has")
  func absent() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox, TokenAPI.document.replacing("\"token\": \"/token\"", with: "\"token\": \"/acess\""))
    let arguments = ["dialect", "try", "api.json", "--server", api.address, "--user", "ann"] + TokenAPI.setting
    let walk = await sandbox.run(arguments, answers: [TokenAPI.password])
    #expect(
      walk.status == 1 && walk.output.contains("token: nowhere; looked at “/acess” of the JSON"), "\(walk.output)")
    #expect(walk.output.contains("The answer has: /expires_in") && !walk.output.contains("planted"), "\(walk.output)")
    let wrong = await sandbox.run(arguments, answers: ["planted-wrong"])
    #expect(wrong.status == 1 && wrong.output.contains("means “wrongPassword”"), "\(wrong.output)")
    let sent = api.server.requests.count
    let foreign = await sandbox.run(arguments + ["--request", "\(api.address)/orders"], answers: [TokenAPI.password])
    #expect(foreign.status == 2 && foreign.error.contains("begins with a slash"), "\(foreign.error)")
    #expect(foreign.prompts.isEmpty && api.server.requests.count == sent)
    let clear = ["dialect", "try", "api.json", "--server", "http://api.example", "--user", "ann"] + TokenAPI.setting
    let refused = await sandbox.run(clear, answers: [TokenAPI.password])
    #expect(refused.status == 2 && refused.prompts.isEmpty && refused.error.contains("--insecure-http"))
    api.stop()
    let gone = await sandbox.run(arguments, answers: [TokenAPI.password])
    #expect(gone.status == 1 && !gone.output.contains("planted"), "\(gone.output)")
    // A call that was sent again without an answer is shown once, and the advice is about the server.
    #expect(gone.output.components(separatedBy: "POST /login").count == 2, "\(gone.output)")
    #expect(gone.output.contains("after --server") && !gone.output.contains("Look at what"), "\(gone.output)")
  }

  @Test(
    "DIALECT-C27: an answer that can't be used is told once however often it came, and not called none",
    arguments: [
      LoopbackServer.Action.response(200, [("Content-Type", "text/html")], body: "<p>"),
      .send("no HTTP\r\n\r\n"),
    ])
  func unusable(answer: LoopbackServer.Action) async throws {
    let server = try LoopbackServer { _ in [answer, .close] }
    defer { server.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let walk = await sandbox.run(
      ["dialect", "try", "api.json", "--server", "http://127.0.0.1:\(server.port)", "--user", "ann"]
        + TokenAPI.setting, answers: [TokenAPI.password])
    #expect(walk.status == 1 && server.requests.count > 1, "\(walk.output) \(walk.error)")
    #expect(walk.output.components(separatedBy: "POST /login").count == 2, "\(walk.output)")
    #expect(walk.output.contains("Tried \(server.requests.count) times."), "\(walk.output)")
    #expect(walk.output.contains("Look at what") && !walk.output.contains("gave no answer"), "\(walk.output)")
  }

  @Test("DIALECT-C28: what the answer has and can't be used is not told as missing")
  func there() async throws {
    let server = try LoopbackServer { _ in
      [.response(200, [("Content-Type", "application/json")], body: #"{"token":"planted","expires_in":-5}"#)]
    }
    defer { server.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let walk = await sandbox.run(
      ["dialect", "try", "api.json", "--server", "http://127.0.0.1:\(server.port)", "--user", "ann"]
        + TokenAPI.setting, answers: [TokenAPI.password])
    #expect(
      walk.output.contains("expiry: “/expires_in” of the JSON is there, but what it has can't be used"),
      "\(walk.output)")
    #expect(walk.output.contains("renewalToken: nowhere"), "\(walk.output)")
    #expect(!walk.output.contains("planted"))
  }

  @Test("DIALECT-C20: a walk says what was not tried, and which meanings no answer had")
  func notTried() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    var members = try #require(JSONValue(json: Data(TokenAPI.document.utf8))?.object)
    members["renew"] = nil
    members["renewal"] = .object(["by": "credential"])
    let document = try JSONEncoder().encode(JSONValue.object(members))
    try TokenAPI.write(in: sandbox, String(decoding: document, as: UTF8.self))
    let arguments = ["dialect", "try", "api.json", "--server", api.address, "--user", "ann"] + TokenAPI.setting
    let walk = await sandbox.run(arguments, answers: [TokenAPI.password])
    #expect(walk.status == 0 && api.count("/login") == 1, "\(walk.output) \(walk.error)")
    #expect(walk.output.contains("– renew: By a new sign-in; not tried."), "\(walk.output)")
    #expect(walk.output.contains("Each call that was made did its work"), "\(walk.output)")
    #expect(
      walk.output.contains("meanings: “wrongPassword”, “secondFactor”, “acceptTerms”, “expired”, “endedForGood”."),
      "\(walk.output)")
    let json = try await sandbox.run(arguments + ["--json"], answers: [TokenAPI.password]).json()
    let steps = json["steps"]?.array ?? []
    #expect(steps.first { $0["step"]?.string == "renew" }?["tried"] == false)
    #expect(steps.first { $0["step"]?.string == "end" }?["tried"] == true)
  }

  @Test("DIALECT-C23: a request and a sign-out that are refused are told with their status and with what to check")
  func refusals() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    var members = try #require(JSONValue(json: Data(TokenAPI.document.utf8))?.object)
    for name in ["renew", "who"] { members[name] = nil }
    members["renewal"] = .object(["by": "credential"])
    members["proof"] = .object(["headers": .object(["Authorization": "Bearer {token}"])])
    let document = try JSONEncoder().encode(JSONValue.object(members))
    try TokenAPI.write(in: sandbox, String(decoding: document, as: UTF8.self))
    let arguments = ["dialect", "try", "api.json", "--server", api.address, "--user", "ann", "--request", "/orders"]
    let walk = await sandbox.run(arguments + TokenAPI.setting, answers: [TokenAPI.password])
    #expect(walk.status == 1, "\(walk.output) \(walk.error)")
    #expect(walk.output.contains("✗ request: The request was answered with 401"), "\(walk.output)")
    #expect(walk.output.contains("“proof”") && walk.output.contains("✗ end:"), "\(walk.output)")
    #expect(!walk.output.contains("was told that the session is over"), "\(walk.output)")
    #expect(!(walk.output + walk.error).contains("planted"), "\(walk.output)")
  }

  @Test("DIALECT-C18: a walk goes on with the session that its request has renewed")
  func renewedByRequest() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    api.state.withLock { $0.refusesOnce = true }
    let arguments =
      ["dialect", "try", "api.json", "--server", api.address, "--user", "ann", "--request", "/orders", "--json"]
      + TokenAPI.setting
    let walk = await sandbox.run(arguments, answers: [TokenAPI.password])
    // The request itself is sent once.
    #expect(walk.status == 1, "\(walk.output) \(walk.error)")
    let steps = try walk.json()["steps"]?.array ?? []
    for name in ["renew", "renewed", "end"] {
      #expect(steps.first { $0["step"]?.string == name }?["passed"] == true, "\(name): \(walk.output)")
    }
    #expect(api.count("/renew") == 2 && api.count("/logout") == 1)
  }

  @Test("DIALECT-C19: the address of a further server with a password in it is refused, without the password")
  func rolesWithPasswords() async throws {
    let sandbox = try Sandbox()
    let servers = [
      "--server", "https://a.example", "--server", "identity=https://b.example", "--server",
      "tokens=https://ann:planted-pw@c.example",
    ]
    for command in [["dialect", "try", "firebase"], ["login", "api", "--dialect", "firebase"]] {
      let refused = await sandbox.run(command + servers + ["--user", "ann"])
      #expect(refused.status == 2 && refused.prompts.isEmpty, "\(refused.error)")
      #expect(refused.error.contains("c.example") && !(refused.output + refused.error).contains("planted"))
    }
  }
}

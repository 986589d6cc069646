import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("login api", .timeLimit(.minutes(20)))
struct APICommandTests {
  private static func isSilent(_ outcome: Outcome) -> Bool { !(outcome.output + outcome.error).contains("planted") }

  @Test("DIALECT-C01: a dialect is enough for signing in, requests, renewal, status, why and signing out")
  func life() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let signIn = await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password])
    #expect(signIn.status == 0 && signIn.output.contains("ann"), "\(signIn.error)")
    let call = await sandbox.run(["request", "/orders"])
    #expect(call.status == 0 && call.output.contains("two orders"), "\(call.error)")
    // The server drops the token: the command renews it once, without a question.
    api.state.withLock { $0.live = -1 }
    let again = await sandbox.run(["request", "/orders"])
    #expect(again.status == 0 && again.output.contains("two orders"), "\(again.error)")
    #expect(api.count("/login") == 1 && api.count("/renew") == 1)
    let token = await sandbox.run(["token"])
    #expect(token.output == api.token + "\n", "\(token.error)")
    let status = await sandbox.run(["status"])
    #expect(status.status == 0 && status.output.contains("editor"), "\(status.output) \(status.error)")
    let why = await sandbox.run(["why"])
    #expect(why.status == 0 && why.output.contains("renewed"))
    let logout = await sandbox.run(["logout"])
    #expect(logout.status == 0 && api.state.withLock { $0.ended } == 1, "\(logout.error)")
    #expect(await sandbox.run(["status"]).status == 3)
    for outcome in [signIn, call, again, status, why, logout] { #expect(Self.isSilent(outcome), "\(outcome)") }
  }

  @Test("DIALECT-C02: a wrong password is refused with its own status, and nothing is kept")
  func wrongPassword() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let signIn = await sandbox.run(api.login(TokenAPI.setting), answers: ["planted-wrong"])
    #expect(signIn.status == 4 && Self.isSilent(signIn), "\(signIn)")
    #expect(await sandbox.run(["profile", "list"]).output.contains("house") == false)
  }

  @Test("DIALECT-C03: a second factor and terms are asked for at the terminal; without one, the status says so")
  func questions() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    api.state.withLock { $0.wantsCode = true }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    let signIn = await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password, "123456"])
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(signIn.prompts.count == 2 && signIn.prompts.last?.contains("the code of your app") == true)
    #expect(await sandbox.run(["logout"]).status == 0)
    let alone = await sandbox.run(api.login(TokenAPI.setting + ["--password-stdin"]), input: TokenAPI.password)
    #expect(alone.status == 3 && alone.error.contains("terminal"), "\(alone.error)")

    api.state.withLock { ($0.wantsCode, $0.wantsTerms) = (false, true) }
    let declined = await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password, "n"])
    #expect(declined.status == 3 && api.count("/step") == 1, "\(declined.error)")
    let accepted = await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password, "y"])
    #expect(accepted.status == 0, "\(accepted.error)")
    #expect(accepted.prompts.last?.contains("the terms of use") == true)
  }

  @Test("DIALECT-C04: a file that has changed is refused before anything is sent, and signing out works all the same")
  func pinned() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    #expect(await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password]).status == 0)
    let sent = api.server.requests.count
    try TokenAPI.write(in: sandbox, TokenAPI.document.replacing("/renew", with: "/steal"))
    for command in [["request", "/orders"], ["status"], ["token"]] {
      let outcome = await sandbox.run(command)
      #expect(outcome.status == 2 && outcome.error.contains("has changed"), "\(outcome)")
      #expect(outcome.error.contains("ostiary login api --dialect"))
    }
    #expect(api.server.requests.count == sent)
    // Signing in with it says that the change is the user's own, and keeps the session.
    let again = await sandbox.run(api.login(TokenAPI.setting))
    #expect(again.status == 0, "\(again.error)")
    #expect(await sandbox.run(["request", "/orders"]).status == 0)
    #expect(api.count("/login") == 1)
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "api.json"))
    let gone = await sandbox.run(["request", "/orders"])
    #expect(gone.status == 2 && gone.error.contains("can't be read"), "\(gone.error)")
    let logout = await sandbox.run(["logout"])
    #expect(logout.status == 0 && logout.error.contains("warning"), "\(logout)")
    let name = "ann@127.0.0.1:\(api.server.port)"
    #expect(await sandbox.run(["profile", "remove", name]).status == 0)
  }

  @Test("DIALECT-C05: what the command line lacks is told before the password is asked for")
  func mistakes() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    try Data(#"{"dialect":1,"name":"Bad Name","signIn":[],"proof":{}}"#.utf8).write(
      to: sandbox.folder.appending(path: "bad.json"))
    let mistakes: [([String], String)] = [
      (["login", "api", "--server", api.address, "--user", "ann"], "needs the dialect"),
      (api.login([], dialect: "nosuch"), "ostiary dialect list"),
      (api.login([], dialect: "nosuch.json"), "nosuch.json. Check the path."),
      (api.login([], dialect: "bad.json"), "ostiary dialect check"), (api.login(), "--setting project"),
      (api.login(["--setting", "colour=red"]), "colour"), (api.login(["--setting", "project="]), "has no value"),
      (api.login(TokenAPI.setting + ["--server", "tokens=https://b.example"]), "no further server"),
      (api.login(TokenAPI.setting + ["--server", "https://b.example"]), "twice"),
      (["login", "http", "--server", api.address, "--user", "ann", "--dialect", "api.json"], "takes no dialect"),
      (
        ["login", "api", "--dialect", "api.json", "--server", "http://api.example", "--user", "ann"] + TokenAPI.setting,
        "plain http"
      ),
      (api.login(["--setting", "project=@nofile"]), "nofile"),
    ]
    for (arguments, words) in mistakes {
      let outcome = await sandbox.run(arguments, answers: ["unused"])
      #expect(outcome.status == 2 && outcome.prompts.isEmpty, "\(arguments): \(outcome)")
      #expect(outcome.error.contains(words), "\(arguments): \(outcome.error)")
    }
    #expect(api.server.requests.isEmpty)
  }

  @Test("DIALECT-C26: where an API has nothing to ask, token is printed all the same, and status says so")
  func nothingToAsk() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    let who = #""who": { "method": "GET", "path": "/me", "reads": { "userID": "/id", "userName": "/name" } },"#
    let expiry = #", "expiry": { "in": "/expires_in" }"#
    try TokenAPI.write(in: sandbox, TokenAPI.document.replacing(who, with: "").replacing(expiry, with: ""))
    let signIn = await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password])
    #expect(signIn.status == 0, "\(signIn.error)")
    let token = await sandbox.run(["token"])
    #expect(token.status == 0 && token.output == api.token + "\n", "\(token.error)")
    let status = await sandbox.run(["status"])
    #expect(status.status == 0 && status.output.contains("there is nothing that the server could be asked"))
    let json = try await sandbox.run(["status", "--json"]).json()
    #expect(json["status"] == "signed_in" && json["checked"] == false)
    let doctor = await sandbox.run(["doctor"])
    #expect(!doctor.output.contains("✗ session"), "\(doctor.output)")
  }

  @Test("DIALECT-C06: a secret setting is shown by no command, and its file need not stay")
  func settings() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    #expect(await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password]).status == 0)
    try FileManager.default.removeItem(at: sandbox.folder.appending(path: "project"))
    for command in [["profile", "list"], ["profile", "list", "--json"], ["status", "--json"], ["doctor", "--json"]] {
      let outcome = await sandbox.run(command)
      #expect(Self.isSilent(outcome), "\(outcome)")
    }
    #expect(await sandbox.run(["request", "/orders"]).status == 0)
    let kept = try sandbox.contents().filter { $0.key != "profiles.json" && $0.key != "api.json" }
    for (name, data) in kept {
      #expect(!String(decoding: data, as: UTF8.self).contains("planted"), "\(name)")
    }
  }
}

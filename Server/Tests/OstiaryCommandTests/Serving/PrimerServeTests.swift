import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve with a Primer door", .timeLimit(.minutes(20)))
struct PrimerServeTests {
  private static let document = """
    {"format": 1, "id": "own", "version": 1, "type": "login",
     "flows": [{"id": "f", "kind": "login", "screens": [{"id": "s", "actions": [{"id": "x", "kind": "submit"}]}]}]}
    """

  private func door(_ arguments: [String], in sandbox: Sandbox) throws -> PrimerDoorConfiguration {
    try PrimerCommandDoor.parse(arguments).configuration(sandbox.environment())
  }

  @Test("Without options there is one app with the starter, and a backend on this machine")
  func defaults() throws {
    let door = try door([], in: try Sandbox())
    #expect(door.apps == [PrimerApp()] && door.apps[0].experiences == [StarterExperience.document])
    #expect(door.backend == .onThisMachine)
  }

  @Test("Experiences, token and backend are as the options say")
  func options() throws {
    let sandbox = try Sandbox()
    try Self.document.write(to: sandbox.folder.appending(path: "own.json"), atomically: true, encoding: .utf8)
    let door = try door(
      [
        "--primer-experience", "own.json", "--primer-experience", "own.json", "--primer-token", "t", "--primer-backend",
        "everywhere",
      ], in: sandbox)
    #expect(door.apps == [PrimerApp(token: "t", experiences: Array(repeating: Data(Self.document.utf8), count: 2))])
    #expect(door.backend == .everywhere)
    #expect(try self.door(["--primer-backend", "loopback"], in: sandbox).backend == .onThisMachine)
    #expect(try self.door(["--primer-backend", "none"], in: sandbox).backend == .none)
    let renamed = try self.door(["--primer-former-token", "a", "--primer-former-token", "b"], in: sandbox)
    #expect(renamed.apps[0].formerTokens == ["a", "b"])
  }

  @Test(
    "What can't be right is refused before anything starts",
    arguments: [
      (["--primer-experience", "none.json"], "can't be read"),
      (["--primer-experience", "empty.json"], "can't be read"),
      (["--primer-experience", "bad.json"], "Experience 1: $.flows[0].kind: "),
      (["--primer-experience", "large.json"], "Experience 1: $"),
      (["--primer-experience", "own.json", "--primer-experience", "own.json"], "of the type login"),
      (["--primer-backend", "somewhere"], "loopback"), (["--primer-token", "a b"], "token"),
      (["--primer-former-token", "a b"], "token"),
    ])
  func refused(arguments: [String], words: String) async throws {
    let sandbox = try Sandbox()
    for (name, text) in [
      ("own", Self.document), ("bad", Self.document.replacing("\"kind\": \"login\"", with: "\"kind\": \"x\"")),
      ("empty", ""),
      ("large", Self.document + String(repeating: " ", count: 2 << 20)),
    ] {
      try text.write(to: sandbox.folder.appending(path: name + ".json"), atomically: true, encoding: .utf8)
    }
    let outcome = await sandbox.run(["serve", "--in-memory", "--port", "0"] + arguments)
    #expect(outcome.status != 0 && outcome.error.contains(words), "\(outcome.error)")
    #expect(outcome.output.isEmpty)
  }

  @Test("A running server announces the starter experience, and a command that logs in")
  func running() async throws {
    let sandbox = try Sandbox()
    let password = "a long enough password"
    let server = try RunningTool(
      Tool.url,
      ["serve", "--in-memory", "--port", "0", "--dev", "--user", "ann", "--password-stdin", "--json"], in: sandbox)
    server.send(password)
    server.closeInput()
    let document = try JSONDecoder().decode(
      JSONValue.self, from: Data(try await server.waitForOutput("\n}\n").utf8))
    let experience = try #require(document["experience"])
    #expect(experience["isStarter"] == true)
    let (address, token) = (experience["address"]?.string ?? "", experience["token"]?.string ?? "")
    #expect(address == (document["origin"]?.string ?? "") + "/primer/v1/experience" && token.count == 32)
    let signIn = document["doors"]?.array?.first { $0["name"] == "primer" }?["signIn"]?.string
    let command = try #require(signIn).replacing("PASSWORD", with: password)
    if ChildProcess.find("curl") != nil, let shell = ChildProcess.find("sh") {
      let login = try await ChildProcess.run(shell, ["-c", "\(command) --silent"])
      #expect(login.status == 0 && JSONValue(json: Data(login.output.utf8))?["userId"] != nil, "\(login.error)")
      let get = "curl --silent -H 'X-Primer-Token: \(token)' '\(address)?type=login'"
      let starter = try await ChildProcess.run(shell, ["-c", get])
      #expect(Data(starter.output.utf8) == StarterExperience.document)
    }
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }

  @Test("The announcement for people has the experience and what apps show for it")
  func announcement() async throws {
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url, ["serve", "--in-memory", "--port", "0", "--dev", "--primer-token", "the-token"], in: sandbox)
    let text = try await server.waitForOutput("Sign in from another terminal")
    #expect(text.contains("Starter experience") && text.contains("/primer/v1/experience (X-Primer-Token: the-token)"))
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }
}

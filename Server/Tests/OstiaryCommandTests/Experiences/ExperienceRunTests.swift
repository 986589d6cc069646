import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("experience run", .timeLimit(.minutes(20)))
struct ExperienceRunTests {
  private func bodies(_ stub: OnboardingStub, _ path: String) -> [JSONValue] {
    stub.server.requests.filter { $0.path == "/onboarding" + path }.compactMap { JSONValue(json: $0.body) }
  }

  @Test("Bug-G14: the user that an experience is for is named in a field, and stands in no address")
  func user() async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    _ = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token, "--user", "ada@example.com"], input: "")
    let name = try #require(HTTPField.Name("X-Primer-User"))
    #expect(stub.server.requests.first?.fields[name] == "ada%40example.com")
    #expect(!stub.server.requests.contains { $0.target.contains("ada") })
  }

  @Test("The server's experience is fetched with the token, and what is entered goes to the same server")
  func url() async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    let outcome = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token],
      input: "ada@example.com\nplanted-wrong\n\n\(OnboardingStub.password)\n")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    #expect(outcome.output.contains("Log in\n======\n"))
    #expect(outcome.output.contains("! That did not work.\n"))
    #expect(outcome.output.hasSuffix("✓ Logged in as u-1.\n"))
    #expect(!outcome.output.contains("planted") && !outcome.output.contains(OnboardingStub.password))
    let first = try #require(stub.server.requests.first)
    #expect(first.method == "GET")
    #expect(first.query == "type=automatic")
    let name = try #require(HTTPField.Name("X-Primer-Token"))
    #expect(stub.server.requests.allSatisfy { $0.fields[name] == OnboardingStub.token })
    #expect(stub.server.requests.dropFirst().map(\.path) == ["/onboarding/login", "/onboarding/login"])
    #expect(bodies(stub, "/login").first == .object(["email": "ada@example.com", "password": "planted-wrong"]))
  }

  @Test("A document's fields go to the server that is named, as what they are; messages stand on their fields")
  func file() async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let outcome = await sandbox.run(
      ["experience", "run", "small.json", "--server", stub.address, "--flow", "sign-up", "-p", "name=Ada"],
      input: "taken@example.com\n\(OnboardingStub.password)\n36\nyes\nada@example.com\n")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    #expect(outcome.output.contains("Welcome, Ada\n"))
    #expect(outcome.output.contains("! This address is taken.\nE-mail [taken@example.com]: "))
    #expect(outcome.output.hasSuffix("✓ Signed up as 7.\n"))
    #expect(
      bodies(stub, "/signup").last
        == .object([
          "email": "ada@example.com", "password": .string(OnboardingStub.password), "age": 36, "news": true,
        ]))
    #expect(
      stub.server.requests.map(\.path) == ["validate", "signup", "validate", "signup"].map { "/onboarding/\($0)" })
  }

  @Test("With --json the result alone is on standard output, without secrets")
  func json() async throws {
    let (sandbox, stub) = (try Sandbox(), try OnboardingStub())
    defer { stub.server.stop() }
    let outcome = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token, "--flow", "sign-up", "--json"],
      input: "ada@example.com\n\(OnboardingStub.password)\n\nno\n")
    #expect(outcome.status == 0, "\(outcome.error)")
    let report = try outcome.json()
    #expect(report["outcome"] == "signed_in" && report["user"] == "7" && report["isNew"] == true)
    #expect(report["properties"] == .object(["email": "ada@example.com", "news": false]))
    #expect(outcome.error.contains("E-mail: "))
    #expect(!(outcome.output + outcome.error).contains(OnboardingStub.password))
    let recovery = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token, "--flow", "recover", "--json"],
      input: "ada@example.com\n")
    #expect(try recovery.json() == .object(["outcome": "completed", "flow": "recover", "isLocal": false]))
  }

  @Test("A recovery that has begun is named when it goes on")
  func recovery() async throws {
    let sandbox = try Sandbox()
    let stub = try OnboardingStub { request in
      guard request.path == "/onboarding/recover" else { return nil }
      let body = JSONValue(json: request.body)
      if body?["email"] != nil { return .response(200, body: #"{"flow": "r-1"}"#) }
      let isRight = body?["flow"] == "r-1" && body?["code"] == "12345678"
      return isRight ? .response(200, body: "{}") : .response(422, body: #"{"fields": {"code": "Wrong code."}}"#)
    }
    defer { stub.server.stop() }
    try Data(
      """
      {"format": 1, "id": "lost", "version": 1, "type": "recoverPassword", "flows": [
        {"id": "recover", "kind": "recoverPassword", "onSuccess": {"kind": "goToFlow", "flow": "reset"},
          "screens": [{"id": "address", "fields": [{"key": "email", "kind": "email"}],
            "actions": [{"id": "send", "kind": "submit"}]}]},
        {"id": "reset", "kind": "recoverPassword", "screens": [{"id": "code",
            "fields": [{"key": "code", "kind": "oneTimeCode"}, {"key": "password", "kind": "newPassword"}],
            "actions": [{"id": "set", "kind": "submit"}]}]}]}
      """.utf8
    ).write(to: sandbox.folder.appending(path: "lost.json"))
    let outcome = await sandbox.run(
      ["experience", "run", "lost.json", "--server", stub.address],
      input: "ada@example.com\n99\n\(OnboardingStub.password)\n12345678\n")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    #expect(outcome.output.contains("! Wrong code.\n"))
    #expect(outcome.output.hasSuffix("✓ Done: reset.\n"))
  }

  @Test("Without a server, fields are checked here; nobody is signed in, and the command says so")
  func local() async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let outcome = await sandbox.run(
      ["experience", "run", "small.json"], input: "no address\n\nada@example.com\nplanted-44\n")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.error.contains("There is no server"))
    #expect(outcome.output.contains("! Check the address.\n"))
    #expect(outcome.output.contains("! Please fill this in.\n"))
    #expect(outcome.output.hasSuffix("✓ Everything was accepted; no user was signed in anywhere.\n"))
    #expect(!outcome.output.contains("planted-44"))
  }

  @Test("Leaving, and answers that run out, end with exit status 3")
  func left() async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let left = await sandbox.run(["experience", "run", "small.json"], input: ":close\n")
    #expect(left.status == 3)
    #expect(left.output.hasSuffix("Left without signing in.\n"))
    let ended = await sandbox.run(["experience", "run", "small.json"], input: "ada@example.com\n")
    #expect(ended.status == 3)
    #expect(ended.output.hasSuffix("Closed.\n"))
  }

  @Test("What an app alone can do is said, and addresses are shown")
  func beyondTerminals() async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let outcome = await sandbox.run(
      ["experience", "run", "small.json"], input: ":terms\n:facebook\nada@example.com\nsecret\n")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("→ https://example.com/terms\n"))
    #expect(outcome.output.contains("! Signing in with Facebook takes an app. Choose another way here.\n"))
  }

  @Test("The texts are in the user's language: as asked for, or as the environment says")
  func languages() async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let run = ["experience", "run", "small.json", "--flow", "recover"]
    let input = "\nada@example.com\n"
    #expect(await sandbox.run(run, input: input).output.contains("! Please fill this in."))
    #expect(
      await sandbox.run(run, input: input, variables: ["LANG": "de_AT.UTF-8"]).output.contains("! Bitte ausfüllen."))
    #expect(
      await sandbox.run(run + ["--language", "fr"], input: input, variables: ["LC_ALL": "C", "LANG": "de"]).output
        .contains("! Veuillez"))
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    let path: String
    let answer: LoopbackServer.Action
    let status: Int32
    let words: String
    var testDescription: String { words }
  }

  static let failures = [
    Failure(path: "/v1/experience", answer: .response(401), status: 4, words: "Check the app's token."),
    Failure(path: "/v1/experience", answer: .response(404), status: 2, words: "There is no experience at this"),
    Failure(path: "/v1/experience", answer: .response(503), status: 6, words: "can't be fetched now"),
    Failure(path: "/v1/experience", answer: .response(200, body: "{}"), status: 6, words: "ostiary experience check"),
    Failure(path: "/v1/experience", answer: .close, status: 5, words: "error: "),
    Failure(path: "/login", answer: .response(404), status: 2, words: "takes nothing at /onboarding/login (404)."),
    Failure(path: "/login", answer: .response(401), status: 4, words: "Check --token."),
    Failure(path: "/login", answer: .response(500), status: 6, words: "can't answer now (500). Try again later."),
    Failure(
      path: "/login", answer: .response(429, [("Retry-After", "30")], body: #"{"error": "Wait a little."}"#), status: 6,
      words: "Wait a little."),
    Failure(path: "/login", answer: .response(200, body: "<html>"), status: 6, words: "no JSON object"),
    Failure(path: "/login", answer: .reset, status: 5, words: "error: "),
  ]

  @Test("A server that fails is told from one that refuses, and the error says what to do", arguments: failures)
  func failure(_ failure: Failure) async throws {
    let sandbox = try Sandbox()
    let stub = try OnboardingStub { $0.path == "/onboarding" + failure.path ? failure.answer : nil }
    defer { stub.server.stop() }
    let outcome = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token],
      input: "ada@example.com\n\(OnboardingStub.password)\n")
    #expect(outcome.status == failure.status, "\(outcome.output) \(outcome.error)")
    #expect(outcome.error.contains(failure.words), "\(outcome.error)")
    // It was shown in the conversation as well, where a person could have tried again.
    if failure.path == "/login" { #expect(outcome.output.contains("\n! ")) }
  }

  @Test("A server that fails once is asked again")
  func again() async throws {
    let (sandbox, isFirst) = (try Sandbox(), Locked(true))
    let stub = try OnboardingStub { request in
      guard request.path == "/onboarding/login" else { return nil }
      return isFirst.withLock { first in
        defer { first = false }
        return first ? .response(503) : nil
      }
    }
    defer { stub.server.stop() }
    let outcome = await sandbox.run(
      ["experience", "run", stub.address, "--token", OnboardingStub.token],
      input: "ada@example.com\n\(OnboardingStub.password)\n\n\n")
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    #expect(outcome.output.contains("can't answer now (503). Try again later."))
  }

  @Test("A server with nothing to show is no failure")
  func nothing() async throws {
    let stub = try OnboardingStub { _ in .response(204) }
    defer { stub.server.stop() }
    let outcome = try await Sandbox().run(["experience", "run", stub.address, "--type", "new-user"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "The server has nothing to show.\n")
    #expect(stub.server.requests.first?.query == "type=new_user")
  }

  @Test("A bad document is not run, and its problems are told")
  func badFile() async throws {
    let sandbox = try Sandbox()
    try Data(#"{"format": 1}"#.utf8).write(to: sandbox.folder.appending(path: "bad.json"))
    let outcome = await sandbox.run(["experience", "run", "bad.json"])
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("bad.json: $.id: error: "))
    #expect(try await sandbox.run(["experience", "run", "bad.json", "--json"]).errorJSON()["isValid"] == false)
  }

  @Test(
    "What can't work is said before anything is sent or asked",
    arguments: [
      ["http://onboarding.example/primer"], ["ftp://h/"], ["http://u:planted-pw@127.0.0.1/"], ["http://127.0.0.1/?a=b"],
      ["small.json", "--server", "nonsense"], ["small.json", "--token", "t"], ["http://127.0.0.1/", "--server", "x"],
      ["-"], ["small.json", "--flow", "nowhere"], ["small.json", "--type", "dance"], ["small.json", "-p", "=x"],
      ["missing.json"], ["small.json", "--server", "http://127.0.0.1/", "--ca-file", "missing.pem"],
    ])
  func misuse(arguments: [String]) async throws {
    let sandbox = try Sandbox()
    try Data(OnboardingStub.document.utf8).write(to: sandbox.folder.appending(path: "small.json"))
    let outcome = await sandbox.run(["experience", "run"] + arguments, input: "x\n")
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.output.isEmpty, "\(outcome.output)")
    #expect(outcome.error.hasPrefix("error: "))
    #expect(!outcome.error.contains("planted-pw"))
  }
}

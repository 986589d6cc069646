import Foundation
import Logging
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("admin, and why --server from elsewhere", .timeLimit(.minutes(20)))
struct AdminCommandTests {
  private static let password = "a long enough password"

  /// A folder with Alice, and the token of an administrator in the file `token`.
  private static func sandbox() async throws -> Sandbox {
    let sandbox = try Sandbox()
    let add = await sandbox.run(["user", "add", "alice", "--password-stdin"], input: password)
    #expect(add.status == 0, "\(add.error)")
    let admin = await sandbox.run(["admin", "add", "laptop", "--token-file", "token"])
    #expect(admin.status == 0, "\(admin.error)")
    return sandbox
  }

  /// Serves the sandbox's data in this process.
  private static func serving(
    _ sandbox: Sandbox, _ configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (_ origin: String) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.storage = .folder(sandbox.folder.appending(path: "server", directoryHint: .isDirectory))
    configuration.administration = AdministrationOptions()
    configure(&configuration)
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    do {
      let running = try await application.start()
      try await body(running.origin.description)
      await application.stop()
    } catch {
      await application.stop()
      throw error
    }
  }

  @Test("Add, list and remove an administrator; the token is shown once, and kept by no one else")
  func life() async throws {
    let sandbox = try await Self.sandbox()
    let add = await sandbox.run(["admin", "add", "phone", "--days", "7"])
    #expect(add.status == 0, "\(add.error)")
    let token = add.output.trimmingCharacters(in: .newlines)
    #expect(token.hasPrefix("ost_ad_") && token.count == 50 && add.output == token + "\n")
    #expect(add.error.contains("phone") && !add.error.contains(token))
    let list = await sandbox.run(["admin", "list"])
    #expect(list.output.contains("phone") && list.output.contains("laptop") && !list.output.contains("ost_ad_"))
    let reports = try await sandbox.run(["admin", "list", "--json"]).json().array ?? []
    #expect(reports.map { $0["name"] } == ["laptop", "phone"])
    #expect(reports.allSatisfy { $0["isExpired"] == false && $0["token"] == nil })
    let lasts = try reports.map { report in
      func date(_ name: String) throws -> Date { try Date(try #require(report[name]?.string), strategy: .iso8601) }
      return try date("expiresAt").timeIntervalSince(date("madeAt")) / 86_400
    }
    #expect(lasts == [90, 7])
    #expect(await sandbox.run(["admin", "add", "phone"]).status == 2)
    #expect(await sandbox.run(["admin", "add", "x", "--days", "0"]).status == 2)
    #expect(await sandbox.run(["admin", "add", "x", "--token-file", "token"]).status == 2)
    #expect(try sandbox.permissions("token") == 0o600)
    let file = try String(contentsOf: sandbox.folder.appending(path: "token"), encoding: .utf8)
    for (name, data) in try sandbox.contents() where name != "token" {
      for secret in [token, file.trimmingCharacters(in: .newlines)] {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
    #expect(await sandbox.run(["admin", "remove", "phone"]).status == 0)
    #expect(await sandbox.run(["admin", "remove", "phone"]).status == 2)
    let told = await sandbox.run(["audit", "list", "--kind", "administrator_made", "--kind", "administrator_removed"])
    #expect(told.output.split(separator: "\n").count == 3 && told.output.contains("ostiary admin"))
    #expect(told.output.contains("phone: an administrator's token was removed"))
    let json = try await sandbox.run(["admin", "add", "tablet", "--json"]).json()
    #expect(json["token"]?.string?.hasPrefix("ost_ad_") == true)
    let none = await sandbox.run(["admin", "add", "a", "--data", "/nowhere"])
    #expect(none.status == 2 && none.output.isEmpty)
  }

  @Test("Bug-C16: why --server https://host tells the same words as why --server on the server's machine")
  func sameWords() async throws {
    let sandbox = try await Self.sandbox()
    try await Self.serving(sandbox) { origin in
      let login = ["login", "pega", "--server", origin + "/prweb", "--user", "alice", "--password-stdin"]
      let signedIn = await sandbox.run(login, input: Self.password)
      #expect(signedIn.status == 0, "\(signedIn.error)")
      _ = await sandbox.run(
        ["login", "pega", "--server", origin + "/prweb", "--user", "bob", "--password-stdin"], input: "x")
      #expect(await sandbox.run(["user", "disable", "alice"]).status == 0)
      let token = ["--admin-token-file", "token"]
      for arguments in [[], ["-n", "2"], ["--all"], ["--user", "ALICE"], ["--user", "bob"], ["--user", "no+one"]] {
        let here = await sandbox.run(["why", "--server"] + arguments)
        let there = await sandbox.run(["why", "--server", origin] + arguments + token)
        #expect(here.status == 0 && there.status == 0, "\(here.error) \(there.error)")
        #expect(here.output == there.output, "\(arguments)")
      }
      let told = await sandbox.run(["why", "--server", origin, "-v"] + token)
      #expect(told.output.contains("signed out because the user was disabled"), "\(told.output)")
      let kinds = try await sandbox.run(["why", "--server", origin, "--json"] + token).json().array
      #expect(kinds?.contains { $0["kind"] == "session_ended" && $0["cause"] == "user_disabled" } == true)
      let file = try String(contentsOf: sandbox.folder.appending(path: "token"), encoding: .utf8)
      let variable = file.trimmingCharacters(in: .newlines)
      let byVariable = await sandbox.run(["why", "--server", origin], variables: ["OSTIARY_ADMIN_TOKEN": variable])
      #expect(byVariable.status == 0 && byVariable.output == told.output)
      #expect(!(told.output + told.error + byVariable.error).contains(variable))
    }
    let trail = await sandbox.run(["audit", "list", "--kind", "trail_read"])
    #expect(trail.output.contains("an administrator was told what had happened"))
  }

  @Test("A token that is wrong, over or heard too often, and a closed door, are told apart, with what to do")
  func refusals() async throws {
    let sandbox = try await Self.sandbox()
    func why(_ origin: String, _ variables: [String: String]) async -> Outcome {
      await sandbox.run(["why", "--server", origin, "--all"], variables: variables)
    }
    try await Self.serving(sandbox) { origin in
      for _ in 0..<10 {
        let wrong = await why(origin, ["OSTIARY_ADMIN_TOKEN": "ost_ad_planted"])
        #expect(wrong.status == 4 && wrong.error.contains("knows no administrator"), "\(wrong.error)")
        #expect(wrong.error.contains("ostiary admin add") && !wrong.error.contains("planted"))
      }
      // On a busy machine one may be looked at again by the time that it comes.
      var often: Outcome?
      try await waitUntil("a refusal of one token too many") {
        let tries = await withTaskGroup(of: Outcome.self) { group in
          for _ in 0..<12 { group.addTask { await why(origin, ["OSTIARY_ADMIN_TOKEN": "ost_ad_planted"]) } }
          return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tries.allSatisfy { [4, 6].contains($0.status) }, "\(tries.map(\.error))")
        often = tries.first { $0.status == 6 }
        return often != nil
      }
      #expect(often?.error.contains("too many wrong tokens") == true, "\(often?.error ?? "")")
      #expect(often?.error.contains("Try again in") == true)
    }
    try await Self.serving(sandbox, { $0.administration = nil }) { origin in
      let closed = await why(origin, ["OSTIARY_ADMIN_TOKEN": "ost_ad_planted"])
      #expect(closed.status == 2 && closed.error.contains("ostiary serve --admin"), "\(closed.error)")
    }
    let gone = await why("https://127.0.0.1:1", ["OSTIARY_ADMIN_TOKEN": "ost_ad_planted"])
    #expect(gone.status == 5, "\(gone.error)")
  }

  @Test(
    "What a server of another time or kind answers is told as that",
    arguments: [
      (200, #"{"version":1}"#, 6, "no list of events"), (200, "<html>", 6, "no list of events"),
      (200, #"{"events":[{"id":1}]}"#, 6, "no event"), (401, #"{"error":"expired_token"}"#, 4, "has expired"),
      (403, #"{"error":"https_required"}"#, 4, "plain HTTP"), (302, "", 6, "302"), (500, "", 6, "can't answer now"),
    ])
  func otherServers(status: Int, body: String, exit: Int32, words: String) async throws {
    let server = try LoopbackServer { _ in [.response(status, body: body)] }
    defer { server.stop() }
    let outcome = try await Sandbox().run(
      ["why", "--server", "http://127.0.0.1:\(server.port)", "--all"],
      variables: ["OSTIARY_ADMIN_TOKEN": "ost_ad_planted"])
    #expect(outcome.status == exit && outcome.error.contains(words), "\(outcome.error)")
    #expect(!outcome.error.contains("planted") && outcome.output.isEmpty)
  }

  @Test("What can't be asked is refused before the token leaves the machine")
  func misuse() async throws {
    let sandbox = try await Self.sandbox()
    let server = try LoopbackServer { _ in [.response(200, body: "{}")] }
    defer { server.stop() }
    let here = "http://127.0.0.1:\(server.port)"
    try "open to others".write(to: sandbox.folder.appending(path: "open"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: sandbox.folder.appending(path: "open").path(percentEncoded: false))
    let file = ["--admin-token-file", "token"]
    for (arguments, words) in [
      (["--server", "http://id.example.org"] + file, "plain http"),
      (["--server", "https://u:planted-pw@id.example.org"] + file, "user name or password"),
      (["--server", "id.example.org"] + file, "is not the URL"),
      (["--server", here + "/path"] + file, "without a path"),
      (["--server", here], "OSTIARY_ADMIN_TOKEN"), (["--server", here, "--admin-token-file", "none"], "no file none"),
      (["--server", here, "--admin-token-file", "open"], "chmod 600"), (file, "go with --server"),
      (["--server"] + file, "go with --server"), (["--ca-file", "x.pem"], "go with --server"),
      (["--server", here, "--data", "x"] + file, "--data"), (["--server", here, "-n", "1001"] + file, "1 to 1000"),
      (["--server", here, "--ca-file", "none.pem"] + file, "can't be read"),
      (["--tenant", "x"], "go with --server"),
    ] {
      let outcome = await sandbox.run(["why", "--all"] + arguments)
      #expect(outcome.status == 2 && outcome.error.contains(words), "\(arguments) \(outcome.error)")
      #expect(!outcome.error.contains("planted-pw"))
    }
    let empty = await sandbox.run(["why", "--server", here, "--all"], variables: ["OSTIARY_ADMIN_TOKEN": "a b"])
    #expect(empty.status == 2 && empty.error.contains("can't be an administrator's token"))
    #expect(server.requests.isEmpty)
    let memory = await sandbox.run(["serve", "--in-memory", "--admin", "--port", "0"])
    #expect(memory.status == 2 && memory.error.contains("--admin needs a data folder"))
  }

  @Test("Over TLS, by the built command: the server's certificate is verified before the token is sent")
  func overTLS() async throws {
    let sandbox = try await Self.sandbox()
    let server = try RunningTool(
      Tool.url, ["serve", "--port", "0", "--dev", "--dev-tls", "--admin", "--json"], in: sandbox)
    server.closeInput()
    let document = try JSONDecoder().decode(
      JSONValue.self, from: Data(try await server.waitForOutput("\n}\n").utf8))
    let origin = try #require(document["origin"]?.string)
    #expect(origin.hasPrefix("https://") && document["administration"]?.string == origin + "/administration")
    let why = ["why", "--server", origin, "--user", "alice", "--admin-token-file", "token"]
    let untrusting = try await Tool.run(why, in: sandbox)
    #expect(untrusting.status == 5, "\(untrusting.error)")
    let authority = try #require(document["authorityFile"]?.string)
    let trusting = try await Tool.run(why + ["--ca-file", authority], in: sandbox)
    #expect(trusting.status == 0, "\(trusting.error)")
    #expect(trusting.output.contains("alice: the account was made"))
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
    // The token of the one that did not trust the certificate has reached no one.
    let read = try await Tool.run(["audit", "list", "--json", "--kind", "trail_read"], in: sandbox)
    #expect(try read.json().array?.count == 1)
  }
}

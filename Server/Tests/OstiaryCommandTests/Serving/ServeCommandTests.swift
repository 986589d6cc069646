import ArgumentParser
import Foundation
import NetworkTestSupport
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve", .serialized, .timeLimit(.minutes(20)))
struct ServeCommandTests {
  private let app = "0123456789abcdef0123456789abcdef"
  private let developer = "11111111111111111111111111111111"

  private func door(_ arguments: [String], in sandbox: Sandbox) throws -> NewzuluDoorConfiguration {
    try NewzuluCommandDoor.parse(arguments).configuration(sandbox.environment())
  }

  @Test("Without options the Newzulu door is as it was, with a key of the server's own")
  func defaults() throws {
    let door = try door([], in: Sandbox())
    #expect(door.vhosts == ["1"])
    #expect(door.keys.isEmpty)
    #expect(!door.publishesUploads)
    #expect(door.largestFile == NewzuluDoorConfiguration().largestFile)
  }

  @Test("Tenants, keys and the largest file of the Newzulu door are as the options say")
  func options() throws {
    let sandbox = try Sandbox()
    let file = """
      # the developer's

        \(developer)   register-users read-users
      22222222222222222222222222222222\ttenant=206 see-all-media\r
      33333333333333333333333333333333

      """
    try file.write(to: sandbox.folder.appending(path: "keys.txt"), atomically: true, encoding: .utf8)
    let door = try door(
      [
        "--newzulu-tenant", "206", "--newzulu-tenant", "1281", "--newzulu-key", app, "--newzulu-keys", "keys.txt",
        "--newzulu-max-file", "500M", "--newzulu-publish",
      ], in: sandbox)
    #expect(door.publishesUploads)
    #expect(door.vhosts == ["206", "1281"])
    #expect(
      door.keys == [
        NewzuluKey(Secret(app)), NewzuluKey(Secret(developer), permissions: [.registerUsers, .readUsers]),
        NewzuluKey("22222222222222222222222222222222", vhost: "206", permissions: [.seeAllMedia]),
        NewzuluKey("33333333333333333333333333333333"),
      ])
    #expect(door.largestFile == 500 << 20)
    for (text, size) in [("0", 0), ("17", 17), ("3k", 3 << 10), ("2G", 2 << 30), ("1T", 1 << 40)] {
      #expect(try self.door(["--newzulu-max-file", text], in: sandbox).largestFile == size)
    }
  }

  @Test(
    "A key file that can't be meant is refused with the line, and without what is in it",
    arguments: [
      ("0123456789abcdef0123456789abcdex", "line 1"), ("# x\n0123", "line 2"),
      ("0123456789abcdef0123456789abcdef fly", "line 1"),
      ("0123456789abcdef0123456789abcdef tenant=1 tenant=2", "line 1"),
      ("0123456789abcdef0123456789abcdef tenant=", "line 1"),
      ("0123456789abcdef0123456789abcdef 11111111111111111111111111111111", "line 1"), ("# nothing", "no API key"),
      ("", "no API key"),
    ])
  func badKeyFile(content: String, words: String) async throws {
    let sandbox = try Sandbox()
    try content.write(to: sandbox.folder.appending(path: "keys.txt"), atomically: true, encoding: .utf8)
    let outcome = await sandbox.run(["serve", "--in-memory", "--port", "0", "--newzulu-keys", "keys.txt"])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(!outcome.error.contains("0123") && !outcome.error.contains("1111"))
  }

  @Test(
    "Other values that can't be meant are misuse, and nothing is started",
    arguments: [
      (["--newzulu-key", "0123"], "32 hexadecimal digits"), (["--newzulu-tenant", "a b"], "letters, digits"),
      (["--newzulu-tenant", ""], "letters, digits"), (["--newzulu-keys", "none.txt"], "can't be read"),
      (["--newzulu-max-file", "big"], "size of a file"), (["--newzulu-max-file", "-1"], "--newzulu-max-file"),
      (["--newzulu-max-file", "99999999999999999T"], "size of a file"),
      (
        [
          "--newzulu-key", "0123456789abcdef0123456789abcdef", "--newzulu-key", "0123456789ABCDEF0123456789ABCDEF",
        ], "differ"
      ),
    ])
  func badOptions(arguments: [String], words: String) async throws {
    let outcome = try await Sandbox().run(["serve", "--in-memory", "--port", "0"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(!outcome.error.contains("0123"))
    #expect(outcome.output.isEmpty)
  }

  @Test("--help says what the Newzulu door takes")
  func help() async throws {
    let help = try await Sandbox().run(["serve", "--help"]).output
    for text in [
      "--newzulu-tenant", "--newzulu-key ", "--newzulu-keys", "--newzulu-max-file",
      "--newzulu-publish", "tenant=ID",
      "register-users", "read-users", "see-all-media",
    ] {
      #expect(help.uppercased().contains(text.uppercased()), "\(text)")
    }
  }

  @Test("A running server takes its tenants and keys from the options, and announces a command that works")
  func running() async throws {
    let sandbox = try Sandbox()
    let password = "a long enough password"
    try "\(developer) tenant=206 register-users".write(
      to: sandbox.folder.appending(path: "keys.txt"), atomically: true, encoding: .utf8)
    let server = try RunningTool(
      Tool.url,
      [
        "serve", "--in-memory", "--port", "0", "--dev", "--user", "ann", "--password-stdin", "--json",
        "--newzulu-tenant", "206", "--newzulu-tenant", "1281", "--newzulu-key", app, "--newzulu-keys", "keys.txt",
        "--newzulu-max-file", "4",
      ], in: sandbox)
    server.send(password)
    server.closeInput()
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let door = try #require(document["doors"]?.array?.first { $0["name"] == "newzulu" })
    let signIn = try #require(door["signIn"]?.string)
    #expect(signIn.contains("--option vhost=206 --option api-key=\(app)"))
    let words = signIn.replacing("'", with: "").split(separator: " ").dropFirst().map { String($0) }
    let login = await sandbox.run(words, answers: [password])
    #expect(login.status == 0, "\(login.error)")

    func call(_ method: String, _ arguments: String) async throws -> JSONValue {
      try await sandbox.run([
        "request", "/services/json", "-H", "Content-Type: application/json", "--data",
        "{\"method\":\"\(method)\",\(arguments)}",
      ]).json()
    }
    let verify = "\"vhost\":\"206\",\"email\":\"new@example.com\",\"APIKEY\":"
    #expect(try await call("users.verifyUserEmail", verify + "\"\(developer)\"")["result"] == 1)
    #expect(try await call("users.verifyUserEmail", verify + "\"\(app)\"")["code"] == 101)
    #expect(try await call("media.getFiles", "\"vhost\":\"1281\"")["status"] == true)
    #expect(try await call("media.getFiles", "\"vhost\":\"1\"")["code"] == 110)
    let file = "\"vhost\":\"206\",\"fileData\":{\"filesize\":5}"
    #expect(try await call("media.createMultiPartUpload", file)["code"] == 140)
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }

  #if os(Linux)
    /// Opens a gate when a text has been written.
    private final class WatchingSink: OutputSink {
      let isTerminal = false
      let buffer = BufferSink()
      let gate = Gate()
      let text: String

      init(for text: String) { self.text = text }

      func write(_ bytes: Data) {
        buffer.write(bytes)
        if buffer.text.contains(text) { gate.open() }
      }
    }

    @Test("A server whose socket is closed under it ends, with a sentence and a status of its own")
    func listenerLost() async throws {
      let sandbox = try Sandbox()
      let (output, error) = (WatchingSink(for: "\n}\n"), BufferSink())
      let environment = sandbox.environment(output: output, error: error)
      let command = Task {
        await CommandLineTool.whole.run(["serve", "--in-memory", "--port", "0", "--dev", "--json"], in: environment)
      }
      try await output.gate.pass()
      let document = try JSONDecoder().decode(JSONValue.self, from: Data(output.buffer.text.utf8))
      let port = try #require(document["port"]?.double.map { Int($0) })
      #expect(ListeningSocket.shutDown(port: port))
      #expect(await command.value == .server)
      let report = try #require(error.text.split(separator: "\n").last.map(String.init))
      #expect(error.text.contains("listener_lost"), "\(report)")
      #expect(error.text.contains("Start it again"))
      #expect(!error.text.contains("Stopping"))
    }
  #endif
}

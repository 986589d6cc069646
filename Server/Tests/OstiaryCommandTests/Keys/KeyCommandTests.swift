import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("key", .timeLimit(.minutes(20)))
struct KeyCommandTests {
  private let password = "a long enough password"

  private func text(_ name: String, _ sandbox: Sandbox) throws -> String {
    try String(contentsOf: sandbox.folder.appending(path: name), encoding: .utf8)
  }

  private func add(_ name: String, _ sandbox: Sandbox, _ options: [String] = [], variables: [String: String] = [:])
    async -> Outcome
  {
    await sandbox.run(
      ["user", "add", name, "--dev", "--password-stdin"] + options, input: password, variables: variables)
  }

  @Test("key: a new file has the mode 0600, and is never overwritten")
  func new() async throws {
    let sandbox = try Sandbox()
    let made = await sandbox.run(["key", "new", "a.key"])
    #expect(made.status == 0, "\(made.error)")
    #expect(try sandbox.permissions("a.key") == 0o600)
    let key = try text("a.key", sandbox)
    #expect(key.count == 44 && key.hasSuffix("\n"))
    #expect(!made.output.contains(key.dropLast()) && !made.error.contains(key.dropLast()))
    let again = await sandbox.run(["key", "new", "a.key"])
    #expect(again.status == 2 && again.error.contains("a.key"))
    #expect(try text("a.key", sandbox) == key)
    #expect(await sandbox.run(["key", "new", "b.key", "--json"]).status == 0)
    #expect(try text("b.key", sandbox) != key)
  }

  @Test(
    "key: commands on the data take the key from a file, the variable or the credential, and make none of their own")
  func commands() async throws {
    let sandbox = try Sandbox()
    #expect(await sandbox.run(["key", "new", "a.key"]).status == 0)
    let added = await add("ann", sandbox, ["--key-file", "a.key"])
    #expect(added.status == 0, "\(added.error)")
    #expect(try sandbox.contents()["server/ostiary.key"] == nil)
    let key = try text("a.key", sandbox).trimmingCharacters(in: .newlines)
    #expect(await sandbox.run(["user", "list"], variables: ["OSTIARY_KEY": key]).output.contains("ann"))
    for command in [
      ["user", "list"], ["audit", "list"], ["audit", "verify"], ["admin", "list"], ["why", "--server", "--all"],
    ] {
      let outcome = await sandbox.run(command + ["--key-file", "a.key"])
      #expect(outcome.status == 0, "\(command): \(outcome.error)")
    }
    let folder = sandbox.folder.appending(path: "credentials")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try key.write(to: folder.appending(path: "ostiary.key"), atomically: true, encoding: .utf8)
    let credential = ["CREDENTIALS_DIRECTORY": folder.path(percentEncoded: false)]
    #expect(await sandbox.run(["user", "list"], variables: credential).output.contains("ann"))
  }

  @Test("key: a command with another key changes nothing and says what to do; `key accept` lets the database take it")
  func another() async throws {
    let sandbox = try Sandbox()
    for name in ["a.key", "b.key"] { #expect(await sandbox.run(["key", "new", name]).status == 0) }
    #expect(await add("ann", sandbox, ["--key-file", "a.key"]).status == 0)
    let refused = await add("bob", sandbox, ["--key-file", "b.key"])
    #expect(refused.status == 2 && refused.error.contains("b.key"), "\(refused.error)")
    #expect(refused.error.contains("ostiary key accept"))
    // A process of its own, which ends with its time if it should start after all.
    let serve = try await Tool.run(["serve", "--port", "0", "--dev", "--key-file", "b.key", "--json"], in: sandbox)
    #expect(serve.status == 2 && serve.output.isEmpty)
    #expect(try serve.errorJSON()["error"]?["code"] == "server_key_is_another")
    let accepted = await sandbox.run(["key", "accept", "--key-file", "b.key"])
    #expect(accepted.status == 0, "\(accepted.error)")
    let users = await sandbox.run(["user", "list", "--key-file", "b.key"])
    #expect(users.output.contains("ann") && !users.output.contains("bob"))
    #expect(await sandbox.run(["user", "list", "--key-file", "a.key"]).status == 2)
  }

  @Test("key: two that differ are told by their places")
  func differ() async throws {
    let sandbox = try Sandbox()
    for name in ["a.key", "b.key"] { #expect(await sandbox.run(["key", "new", name]).status == 0) }
    let key = try text("b.key", sandbox).trimmingCharacters(in: .newlines)
    let outcome = await add("ann", sandbox, ["--key-file", "a.key"], variables: ["OSTIARY_KEY": key])
    #expect(outcome.status == 2 && outcome.error.contains("a.key") && outcome.error.contains("OSTIARY_KEY"))
    #expect(!outcome.error.contains(key))
    #expect(try sandbox.contents()["server/ostiary.sqlite"]?.isEmpty != false)
  }

  @Test("key: there is nothing to accept a key where no database is")
  func noDatabase() async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run(["key", "accept"])
    #expect(outcome.status == 2 && outcome.error.contains("no database"))
    #expect(try sandbox.contents()["server/ostiary.key"] == nil)
  }

  @Test(
    "key: `key rotate` without a server: the new key is used within seconds, and the old one opens until it is retired")
  func rotate() async throws {
    let sandbox = try Sandbox()
    #expect(await sandbox.run(["key", "new", "a.key"]).status == 0)
    #expect(await add("ann", sandbox, ["--key-file", "a.key"]).status == 0)
    let never = await sandbox.run(["key", "status", "--server", "--key-file", "a.key"])
    #expect(never.status == 0 && never.output.contains("never changed"))
    // Where is it to be kept?
    #expect(await sandbox.run(["key", "rotate", "--server", "--key-file", "a.key"]).status == 2)
    let rotated = await sandbox.run(["key", "rotate", "--server", "--key-file", "a.key", "--to", "b.key"])
    #expect(rotated.status == 0 && rotated.output.contains("b.key"), "\(rotated.error)")
    #expect(try sandbox.permissions("b.key") == 0o600)
    let keys = try [text("a.key", sandbox), text("b.key", sandbox)].map { $0.trimmingCharacters(in: .newlines) }
    #expect(keys[0] != keys[1])
    for key in ["a.key", "b.key"] {
      #expect(await sandbox.run(["user", "list", "--key-file", key]).output.contains("ann"))
    }
    let status = await sandbox.run(["key", "status", "--server", "--key-file", "b.key"])
    #expect(status.output.contains("former") && status.output.contains("current"), "\(status.output)")
    let early = await sandbox.run(["key", "retire", "--server", "--key-file", "b.key"])
    #expect(early.status == 2 && early.error.contains("not retired"), "\(early.error)")
    let retired = await sandbox.run(["key", "retire", "--server", "--now", "--key-file", "b.key"])
    #expect(retired.status == 0, "\(retired.error)")
    let refused = await sandbox.run(["user", "list", "--key-file", "a.key"])
    #expect(refused.status == 2 && refused.error.contains("retired"), "\(refused.error)")
    #expect(await sandbox.run(["user", "list", "--key-file", "b.key"]).output.contains("ann"))
    #expect(await sandbox.run(["audit", "verify", "--key-file", "b.key"]).status == 0)
    let json = await sandbox.run(["key", "status", "--server", "--json", "--key-file", "b.key"])
    #expect(json.output.contains("\"retired\""))
    for outcome in [never, rotated, status, early, retired, refused, json] {
      for key in keys { #expect(!outcome.output.contains(key) && !outcome.error.contains(key)) }
    }
  }

  @Test("key: `key rotate` that is refused leaves no file, and a file that was there as it was")
  func refusedLeavesNothing() async throws {
    let sandbox = try Sandbox()
    for name in ["a.key", "other.key"] { #expect(await sandbox.run(["key", "new", name]).status == 0) }
    #expect(await add("ann", sandbox, ["--key-file", "a.key"]).status == 0)
    let rotated = await sandbox.run(["key", "rotate", "--server", "--key-file", "a.key", "--to", "b.key"])
    #expect(rotated.status == 0, "\(rotated.error)")
    let other = try text("other.key", sandbox)
    for name in ["c.key", "other.key"] {
      let refused = await sandbox.run(["key", "rotate", "--server", "--key-file", "a.key", "--to", name])
      #expect(refused.status == 2 && refused.error.contains("not retired yet"), "\(refused.error)")
    }
    #expect(try sandbox.contents()["c.key"] == nil)
    #expect(try text("other.key", sandbox) == other)
  }

  @Test("key: `key rotate` removes the file only if the key was refused: it may be the only one with that key")
  func unknownLeavesFile() {
    #expect(KeyCommand.Rotate.isRefusal(ServerError(.keyChangeUnderWay, "")))
    for code in [ServerError.Code.storageUnavailable, .storageBusy, .storageFull, .storageClosed] {
      #expect(!KeyCommand.Rotate.isRefusal(ServerError(code, "")), "\(code)")
    }
  }

  @Test("key: `key rotate` replaces the key of the data folder, and keeps the old one beside it")
  func rotateOwn() async throws {
    let sandbox = try Sandbox()
    #expect(await add("ann", sandbox).status == 0)
    let old = try text("server/ostiary.key", sandbox)
    let rotated = await sandbox.run(["key", "rotate", "--server"])
    #expect(rotated.status == 0, "\(rotated.error)")
    let kept = try text("server/ostiary.key.1", sandbox).trimmingCharacters(in: .newlines)
    let new = try text("server/ostiary.key", sandbox)
    #expect(kept == old.trimmingCharacters(in: .newlines) && new != old)
    for name in ["server/ostiary.key", "server/ostiary.key.1"] { #expect(try sandbox.permissions(name) == 0o600) }
    #expect(await sandbox.run(["user", "list"]).output.contains("ann"))
    // Until it is retired there is no further one.
    #expect(await sandbox.run(["key", "rotate", "--server"]).status == 2)
    #expect(await sandbox.run(["key", "retire", "--server", "--now"]).status == 0)
    #expect(await sandbox.run(["key", "rotate", "--server"]).status == 0)
    #expect(await sandbox.run(["user", "list"]).output.contains("ann"))
  }

  @Test("key: a server that runs goes over to the new key without a restart, and keeps the old one while it has that")
  func served() async throws {
    let sandbox = try Sandbox()
    #expect(await sandbox.run(["key", "new", "a.key"]).status == 0)
    #expect(await add("ann", sandbox, ["--key-file", "a.key"]).status == 0)
    let old = try text("a.key", sandbox)
    func start() async throws -> RunningTool {
      let server = try RunningTool(
        Tool.url, ["serve", "--port", "0", "--dev", "--key-file", "a.key", "--json"], in: sandbox)
      _ = try await server.waitForOutput("\n}\n")
      return server
    }
    let first = try await start()
    let rotated = await sandbox.run(["key", "rotate", "--server", "--key-file", "a.key", "--to", "b.key"])
    #expect(rotated.status == 0, "\(rotated.error)")
    // It may take the machine a while.
    var status: Outcome
    var servers: [JSONValue]?
    repeat {
      status = await sandbox.run(["key", "status", "--server", "--json", "--key-file", "b.key"])
      servers = try JSONDecoder().decode(JSONValue.self, from: Data(status.output.utf8))["servers"]?.array
    } while servers?.first?["uses"] != 2
    #expect(servers?.count == 1 && servers?.first?["startsWith"] == 1)
    let refused = await sandbox.run(["key", "retire", "--server", "--now", "--key-file", "b.key"])
    #expect(refused.status == 2 && refused.error.contains("would start with the old key"), "\(refused.error)")
    first.signal(SIGTERM)
    let ended = try await first.outcome()
    #expect(ended.status == 0, "\(ended.error)")
    // The operator puts the new one in its place.
    let new = try text("b.key", sandbox)
    try Data(new.utf8).write(to: sandbox.folder.appending(path: "a.key"))
    let second = try await start()
    let retired = await sandbox.run(["key", "retire", "--server", "--now", "--key-file", "b.key"])
    #expect(retired.status == 0, "\(retired.error)")
    second.signal(SIGKILL)
    let killed = try await second.outcome()
    let third = try await start()
    third.signal(SIGTERM)
    let last = try await third.outcome()
    #expect(last.status == 0, "\(last.error)")
    for text in [ended, killed, last, rotated, status, refused, retired].flatMap({ [$0.output, $0.error] }) {
      for key in [old, new] { #expect(!text.contains(key.trimmingCharacters(in: .newlines))) }
    }
  }
}

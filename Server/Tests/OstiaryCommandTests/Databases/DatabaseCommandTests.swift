import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("database", .timeLimit(.minutes(20)))
struct DatabaseCommandTests {
  private static func add(_ name: String, _ sandbox: Sandbox, _ options: [String] = []) async {
    let added = await sandbox.run(
      ["user", "add", name, "--dev", "--password-stdin"] + options, input: "a long enough password")
    #expect(added.status == 0, "\(added.error)")
  }

  @Test("database: a back-up is made, restored elsewhere and looked at; the key is a matter of its own")
  func backup() async throws {
    let sandbox = try Sandbox()
    await Self.add("ann", sandbox)
    let made = await sandbox.run(["database", "backup", "a.backup"])
    #expect(made.status == 0 && made.output.contains("a.backup") && made.output.contains("without the key"))
    #expect(made.output.contains("Keep a copy of the key"), "\(made.output)")
    #expect(try sandbox.permissions("a.backup") == 0o600)
    let key = try String(contentsOf: sandbox.folder.appending(path: "server/ostiary.key"), encoding: .utf8)
    #expect(try sandbox.contents()["a.backup"]?.range(of: Data(key.utf8)) == nil)

    let again = await sandbox.run(["database", "backup", "a.backup"])
    #expect(again.status == 2 && again.error.contains("--replace"), "\(again.error)")
    #expect(await sandbox.run(["database", "backup", "a.backup", "--replace"]).status == 0)

    let restored = await sandbox.run(["database", "restore", "a.backup", "--data", "other"])
    #expect(restored.status == 0, "\(restored.error)")
    #expect(restored.output.contains("ostiary database check"))
    #expect(restored.error.contains("warning:") && restored.error.contains("--key-file"), "\(restored.error)")
    #expect(try sandbox.contents()["other/ostiary.key"] == nil)
    let list = ["user", "list", "--data", "other"]
    #expect(await sandbox.run(list).status == 2)
    #expect(await sandbox.run(list, variables: ["OSTIARY_KEY": key]).output.contains("ann"))
    let occupied = await sandbox.run(["database", "restore", "a.backup"])
    #expect(occupied.status == 7 && occupied.error.contains("users"), "\(occupied.error)")
  }

  @Test("database: --with-key is a loud sentence, and makes a restore whole")
  func withKey() async throws {
    let sandbox = try Sandbox()
    await Self.add("ann", sandbox)
    let made = await sandbox.run(["database", "backup", "a.backup", "--with-key"])
    #expect(made.status == 0 && made.error.contains("warning:") && made.error.contains("forge"), "\(made.error)")
    let key = try String(contentsOf: sandbox.folder.appending(path: "server/ostiary.key"), encoding: .utf8)
    #expect(!made.output.contains(key) && !made.error.contains(key))
    let restored = await sandbox.run(["database", "restore", "a.backup", "--data", "other", "--json"])
    #expect(restored.status == 0, "\(restored.error)")
    #expect(try restored.json()["key"]?.string == "restored")
    #expect(await sandbox.run(["user", "list", "--data", "other"]).output.contains("ann"))
    #expect(try sandbox.permissions("other/ostiary.key") == 0o600)
  }

  @Test("database: a file that is cut off is refused with what is wrong, and nothing is made")
  func cut() async throws {
    let sandbox = try Sandbox()
    await Self.add("ann", sandbox)
    #expect(await sandbox.run(["database", "backup", "a.backup"]).status == 0)
    let file = sandbox.folder.appending(path: "a.backup")
    try Data(contentsOf: file).dropLast(1000).write(to: file)
    let refused = await sandbox.run(["database", "restore", "a.backup", "--data", "other"])
    #expect(refused.status == 2 && refused.error.contains("cut off after"), "\(refused.error)")
    #expect(try sandbox.contents()["other/ostiary.sqlite"] == nil)
    let missing = await sandbox.run(["database", "restore", "b.backup", "--data", "other"])
    #expect(missing.status == 2 && missing.error.contains("b.backup"))
  }

  @Test("database: check tells of every part, changes nothing, and its status is 1 for what has failed")
  func check() async throws {
    let sandbox = try Sandbox()
    await Self.add("ann", sandbox)
    let good = await sandbox.run(["database", "check", "--verbose"])
    #expect(good.status == 0 && good.output.contains("SQLite") && good.output.contains("integrity"), "\(good.error)")
    #expect(good.output.contains("users"))
    let json = await sandbox.run(["database", "check", "--json"])
    #expect(json.status == 0)
    let document = try json.json()
    #expect(document["good"]?.bool == true && document["migrations"]?.string == "equal")
    #expect(document["tables"]?["users"]?.double == 1)
    #expect(await sandbox.run(["key", "new", "b.key"]).status == 0)
    try FileManager.default.moveItem(
      at: sandbox.folder.appending(path: "server/ostiary.key"), to: sandbox.folder.appending(path: "a.key"))
    let bad = await sandbox.run(["database", "check", "--key-file", "b.key"])
    #expect(bad.status == 1 && bad.output.contains("b.key"), "\(bad.output) \(bad.error)")
    #expect(await sandbox.run(["database", "check", "--key-file", "a.key"]).status == 0)
    let absent = await sandbox.run(["database", "check", "--data", "nowhere"])
    #expect(absent.status == 2 && absent.error.contains("nowhere"))
    #expect(try sandbox.contents().keys.allSatisfy { !$0.hasPrefix("nowhere") })
  }

  @Test("database: migrate makes the tables, says from which to which, and does nothing a second time")
  func migrate() async throws {
    let sandbox = try Sandbox()
    let made = await sandbox.run(["database", "migrate"])
    #expect(made.status == 0 && made.output.contains("The tables were made"), "\(made.error)")
    let again = await sandbox.run(["database", "migrate"])
    #expect(again.status == 0 && again.output.contains("up to date"))
    let json = try await sandbox.run(["database", "migrate", "--json"]).json()
    #expect(json["from"]?.string == json["to"]?.string && json["run"]?.array?.isEmpty == true)
    await Self.add("ann", sandbox)
  }
}

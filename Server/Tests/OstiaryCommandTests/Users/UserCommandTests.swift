import Foundation
import Logging
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

@Suite("user", .timeLimit(.minutes(20)))
struct UserCommandTests {
  private let password = "a long enough password"

  @Test("Add, list, disable, enable, give a new password")
  func life() async throws {
    let sandbox = try Sandbox()
    let add = await sandbox.run(
      ["user", "add", "alice", "--display-name", "Alice A", "--attribute", "accessGroup=Uplus:Users"],
      answers: [password, password])
    #expect(add.status == 0, "\(add.error)")
    #expect(add.prompts == ["New password for alice (15 characters or more): ", "The same again: "])
    let list = await sandbox.run(["user", "list"])
    #expect(list.output.contains("alice") && list.output.contains("Alice A"))
    #expect(list.output.contains("enabled") && list.output.contains("accessGroup=Uplus:Users"))
    #expect(await sandbox.run(["user", "disable", "alice"]).status == 0)
    let users = try await sandbox.run(["user", "list", "--json"]).json()
    #expect(users.array?.first?["disabled"] == .bool(true))
    #expect(await sandbox.run(["user", "enable", "ALICE"]).status == 0)
    #expect(users.array?.first?["admitted"] == .bool(true) && users.array?.first?["selfMade"] == .bool(false))
    #expect(await sandbox.run(["user", "admit", "alice", "--verify-email"]).status == 0)
    #expect(await sandbox.run(["user", "admit", "nobody"]).status == 2)
    let changed = await sandbox.run(
      ["user", "password", "alice", "--password-stdin"], input: "another long password")
    #expect(changed.status == 0)
    let database = try #require(try sandbox.contents()["server/ostiary.sqlite"])
    #expect(database.range(of: Data(password.utf8)) == nil)
  }

  @Test("Two passwords that differ, a weak one and nobody to ask change nothing")
  func refused() async throws {
    let sandbox = try Sandbox()
    #expect(await sandbox.run(["user", "add", "a"], answers: [password, "other"]).status == 2)
    let weak = await sandbox.run(["user", "add", "a", "--password-stdin"], input: "planted-pw")
    #expect(weak.status == 2)
    #expect(weak.error.contains("Use at least 15 characters."))
    #expect(!weak.error.contains("planted-pw"))
    #expect(await sandbox.run(["user", "add", "a"]).status == 3)
    #expect(await sandbox.run(["user", "list"]).output.contains("no users"))
    #expect(await sandbox.run(["user", "add", "a", "--dev", "--password-stdin"], input: "short").status == 0)
    #expect(await sandbox.run(["user", "add", "a"], answers: [password, password]).status == 2)
    #expect(await sandbox.run(["user", "disable", "nobody"]).status == 2)
    #expect(await sandbox.run(["user", "password", "nobody"], answers: []).prompts.isEmpty)
    // A password that won't do is not asked for twice.
    let short = await sandbox.run(["user", "add", "b"], answers: ["short", "short"])
    #expect(short.status == 2)
    #expect(short.prompts.count == 1)
    #expect(short.error.contains("15 characters"))
    #expect(await sandbox.run(["user", "add", "b", "--attribute", "=x"], answers: []).status == 2)
  }

  @Test("LO-03: an account that has had too many wrong passwords is unlocked, in a running server")
  func unlock() async throws {
    let sandbox = try Sandbox()
    await sandbox.run(["user", "add", "alice", "--password-stdin"], input: password)
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.storage = .folder(sandbox.folder.appending(path: "server", directoryHint: .isDirectory))
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    let login = ["login", "pega", "--server", running.origin.description + "/prweb", "--user", "alice"]
    for _ in 0..<5 { await sandbox.run(login, answers: ["wrong"]) }
    #expect(await sandbox.run(login, answers: [password]).error.contains("Try again in"))
    #expect(await sandbox.run(["user", "unlock", "nobody"]).status == 2)
    #expect(await sandbox.run(["user", "unlock", "Alice"]).status == 0)
    #expect(await sandbox.run(login, answers: [password]).status == 0)
    await application.stop()
  }

  @Test("A folder without users is not made by looking")
  func noFolder() async throws {
    let sandbox = try Sandbox()
    let outcome = await sandbox.run(["user", "list", "--data", "elsewhere"])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("ostiary user add"))
    #expect(try sandbox.contents().isEmpty)
  }
}

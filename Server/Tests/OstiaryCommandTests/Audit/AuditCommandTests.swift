import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("audit", .timeLimit(.minutes(20)))
struct AuditCommandTests {
  private let password = "a long enough password"

  /// A folder in which a user was added, disabled and enabled.
  private func sandbox() async throws -> Sandbox {
    let sandbox = try Sandbox()
    let add = await sandbox.run(["user", "add", "alice", "--password-stdin"], input: password)
    #expect(add.status == 0, "\(add.error)")
    for command in ["disable", "enable"] { #expect(await sandbox.run(["user", command, "alice"]).status == 0) }
    return sandbox
  }

  @Test("Bug-C16: what commands do is told, whole, and filtered")
  func commands() async throws {
    let sandbox = try await sandbox()
    let list = await sandbox.run(["audit", "list"])
    #expect(list.status == 0, "\(list.error)")
    let lines = list.output.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].contains("alice: the account was made"))
    #expect(lines[1].contains("alice: the user was disabled because an administrator asked for it"))
    #expect(lines[1].contains("ostiary user"))

    func kinds(_ arguments: String...) async throws -> [String] {
      let result = await sandbox.run(["audit", "list", "--json"] + arguments)
      #expect(result.status == 0, "\(result.error)")
      return try result.json().array?.compactMap { $0["kind"]?.string } ?? []
    }
    #expect(try await kinds() == ["account_made", "account_disabled", "account_enabled"])
    #expect(try await kinds("-n", "1") == ["account_enabled"])
    #expect(try await kinds("--user", "ALICE").count == 3)
    #expect(try await kinds("--user", "bob") == [])
    #expect(
      try await kinds("--kind", "account_made", "--kind", "account_enabled") == ["account_made", "account_enabled"])
    #expect(try await kinds("--since", "1h").count == 3)
    #expect(try await kinds("--since", "2999-01-01") == [])
    #expect(await sandbox.run(["audit", "list", "--kind", "nothing"]).status == 2)
    #expect(await sandbox.run(["audit", "list", "--since", "soon"]).status == 2)
    #expect(await sandbox.run(["audit", "list", "-n", "0"]).status == 2)
  }

  @Test("Export writes one event a line, or one document")
  func export() async throws {
    let sandbox = try await sandbox()
    let lines = await sandbox.run(["audit", "export"])
    #expect(lines.status == 0, "\(lines.error)")
    let events = lines.output.split(separator: "\n").compactMap { JSONValue(json: Data($0.utf8)) }
    #expect(events.map { $0["kind"]?.string } == ["account_made", "account_disabled", "account_enabled"])
    #expect(events.map { $0["number"] } == [1, 2, 3])
    #expect(events.allSatisfy { $0["user"] == events[0]["user"] && $0["userName"] == nil })
    #expect(!lines.output.contains("alice"))
    #expect(try await sandbox.run(["audit", "export", "--json"]).json().array?.count == 3)
    #expect(
      await sandbox.run(["audit", "export", "--kind", "account_made"]).output.split(separator: "\n").count == 1)
  }

  @Test("Verify says that the trail is whole, or what is wrong, and then exits with 1")
  func verify() async throws {
    let sandbox = try await sandbox()
    let whole = await sandbox.run(["audit", "verify"])
    #expect(whole.status == 0, "\(whole.error)")
    #expect(whole.output.contains("The trail is whole: 3 events, rows 1 to 3."))
    #expect(try await sandbox.run(["audit", "verify", "--json"]).json()["isWhole"] == true)
    try Data("9 x y\n".utf8).write(to: sandbox.folder.appending(path: "server/ostiary.audit"))
    let harmed = await sandbox.run(["audit", "verify"])
    #expect(harmed.status == 1)
    #expect(harmed.output.contains("was not written by this server"))
    let report = await sandbox.run(["audit", "verify", "--json"])
    #expect(report.status == 1)
    #expect(try report.json()["isWhole"] == false)
    #expect(await sandbox.run(["audit", "list", "--data", "/nowhere"]).status == 2)
  }

  @Test("why --server tells the server's side of the user's sessions")
  func why() async throws {
    let sandbox = try await sandbox()
    let told = await sandbox.run(["why", "--server", "--user", "alice"])
    #expect(told.status == 0, "\(told.error)")
    #expect(told.output.contains("the user was disabled because an administrator asked for it"))
    #expect(await sandbox.run(["why", "--server", "--all", "-n", "1"]).output.contains("enabled"))
    #expect(await sandbox.run(["why", "--user", "alice"]).status == 2)
  }

  @Test("A session's end has the words that the SDK has for it")
  func words() throws {
    func sdk(_ kind: String, _ cause: String) throws -> String {
      let json = #"{"number": 1, "date": 0, "kind": "\#(kind)", "cause": "\#(cause)"}"#
      return try JSONDecoder().decode(SessionEvent.self, from: Data(json.utf8)).description
    }
    let pairs: [(AuditKind, String)] = [
      (.sessionBegun, "signed_in"), (.sessionEnded, "signed_out"), (.sessionRefused, "failed"),
    ]
    for (kind, name) in pairs {
      for cause in [AuditCause.requestedByApp, .expired, .credentialRefused, .superseded] {
        #expect("\(kind.words) because \(cause.words)" == (try sdk(name, cause.rawValue)))
      }
    }
  }
}

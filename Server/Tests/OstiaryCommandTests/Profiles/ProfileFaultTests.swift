import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("Profiles that can't be kept", .timeLimit(.minutes(20)))
struct ProfileFaultTests {
  @Test("Bug-B11: profiles that are damaged are exit status 7")
  func damaged() async throws {
    let sandbox = try Sandbox()
    try Data("{".utf8).write(to: sandbox.folder.appending(path: "profiles.json"))
    let status = await sandbox.run(["status"])
    #expect(status.status == 7, "\(status.error)")
    #expect(status.error.contains("profiles.json"))
  }

  @Test("Bug-B11: a folder that can't be made is exit status 7, and the message says why")
  func noFolder() async throws {
    let sandbox = try Sandbox()
    try Data().write(to: sandbox.folder.appending(path: "file"))
    let home = ["OSTIARY_HOME": sandbox.path + "/file/home"]
    let server = try FormServer()
    defer { server.stop() }
    let login = await sandbox.run(server.login, answers: ["apple"], variables: home)
    #expect(login.status == 7, "\(login.error)")
  }

  #if os(Linux)
    @Test("Bug-B11: a full disk is exit status 7 and says so, and the session that no profile leads to is ended")
    func fullDisk() async throws {
      let sandbox = try Sandbox()
      guard let disk = try FullDisk(at: sandbox.folder.appending(path: "home"), size: "256k") else { return }
      let own = ["OSTIARY_HOME": disk.url.path]
      let server = try FormServer()
      defer { server.stop() }
      let login = server.login + ["--option", "logout=/logout"]
      #expect(await sandbox.run(login, answers: ["apple"], variables: own).status == 0)
      #expect(await sandbox.run(["logout"], variables: own).status == 0)
      disk.fill()
      let use = await sandbox.run(login + ["--profile", "other"], answers: ["apple"], variables: own)
      #expect(use.status == 7, "\(use.error)")
      #expect(use.error.contains("No space left") || use.error.contains("disk is full"), "\(use.error)")
      #expect(!use.error.contains("Input/output"))
      let remove = await sandbox.run(["profile", "remove", "form"], variables: own)
      #expect(remove.status == 7, "\(remove.error)")
      #expect(remove.error.contains("No space left"), "\(remove.error)")
    }

    @Test("Bug-B11: a missing permission is exit status 7 and says so")
    func permission() async throws {
      let setpriv = URL(filePath: "/usr/bin/setpriv")
      guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: setpriv.path) else { return }
      let sandbox = try Sandbox()
      // Readable, and not writable, for another user.
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: sandbox.path)
      let tool = try Tool.url.path(percentEncoded: false)
      let process = try RunningTool(
        setpriv, ["--reuid=65534", "--regid=65534", "--clear-groups", tool, "profile", "use", "x"], in: sandbox)
      process.closeInput()
      let outcome = try await process.outcome()
      // Where the other user can't reach the executable, there is nothing to see.
      guard !outcome.error.contains("failed to execute") else { return }
      #expect(outcome.status == 7, "\(outcome.error)")
      #expect(outcome.error.contains("Permission denied"), "\(outcome.error)")
    }
  #endif

  @Test("Bug-B11: two logins of one profile name at two servers at once leave no session that no command reaches")
  func twoLogins() async throws {
    for _ in 0..<5 {
      let sandbox = try Sandbox()
      let servers = [try FormServer(), try FormServer()]
      defer { for server in servers { server.stop() } }
      let outcomes = await withTaskGroup(of: Outcome.self) { group in
        for server in servers {
          group.addTask { await sandbox.run(server.login + ["--option", "logout=/logout"], answers: ["apple"]) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { $0.status == 0 } == 1, "\(outcomes.map(\.error))")
      let refused = try #require(outcomes.first { $0.status != 0 })
      #expect(refused.status == 2 && refused.error.contains("form"), "\(refused.error)")
      // The sign-in that lost is over at its server, and nothing of it is stored.
      #expect(servers.count { $0.hasSession } == 1)
      #expect(await sandbox.run(["status"]).status == 0)
      #expect(await sandbox.run(["logout"]).status == 0)
      #expect(servers.allSatisfy { !$0.hasSession })
    }
  }

  @Test("Bug-B11: a profile that another login has made meanwhile is not replaced")
  func compared() throws {
    let store = ProfileStore(try Sandbox().folders)
    func profile(_ server: String) throws -> Profile {
      Profile(
        name: "same", kind: AuthenticatorKind("gateway"), server: try #require(URL(string: server)), user: "ann",
        method: nil,
        certificateFile: nil)
    }
    let (one, other) = (try profile("https://one/"), try profile("https://other/"))
    try store.change { try $0.put(one, replacing: nil) }
    #expect(throws: OstiaryError(.alreadySignedIn, "")) { try store.change { try $0.put(other, replacing: nil) } }
    #expect(try store.load()["same"] == one)
    // Its own account may be signed in to again, and what was there when the login began may be replaced.
    try store.change { try $0.put(one, replacing: nil) }
    try store.change { try $0.put(other, replacing: one) }
    #expect(try store.load()["same"] == other)
  }
}

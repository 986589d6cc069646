import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("ostiary doctor: the store", .timeLimit(.minutes(20)))
struct DoctorStoreTests {
  private func line(_ outcome: Outcome, _ check: String = "store") throws -> String {
    String(
      try #require(
        outcome.output.split(separator: "\n").first { $0.dropFirst(2).hasPrefix("\(check) ") }, "\(outcome.output)"))
  }

  /// A signed-in profile.
  private func signIn(_ sandbox: Sandbox, _ variables: [String: String] = [:]) async throws -> FormServer {
    let server = try FormServer()
    // A process of its own leaves no file open, which would keep its disk from being made read-only.
    let login = try await Tool.run(
      server.login + ["--password-stdin"], in: sandbox, input: "apple", variables: variables)
    #expect(login.status == 0, "\(login.error)")
    return server
  }

  @Test("A key that others can read, and a session whose key is gone, are told with what to do")
  func key() async throws {
    let sandbox = try Sandbox()
    let server = try await signIn(sandbox)
    defer { server.stop() }
    let key = sandbox.path + "/session.key"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    let open = await sandbox.run(["doctor"])
    #expect(open.status == 7)
    #expect(try line(open).hasPrefix("✗ store") && line(open).contains("chmod 600"), "\(open.output)")
    try FileManager.default.removeItem(atPath: key)
    let gone = await sandbox.run(["doctor"])
    #expect(gone.status == 7, "\(gone.output)")
    #expect(try line(gone).hasPrefix("✗ store"))
    #expect(try line(gone, "session").contains("Not checked: the check of the store has failed."))
  }

  @Test("A session that another process holds is told, and waited for no longer than the limit of time")
  func held() async throws {
    let sandbox = try Sandbox()
    let server = try await signIn(sandbox)
    defer { server.stop() }
    let name = try #require(try sandbox.contents().keys.first { $0.hasSuffix(".session") })
    let holder = try LockHolder(sandbox.folder.appending(path: String(name.dropLast(".session".count))))
    let doctor = await sandbox.run(["doctor", "--timeout", "60"])
    #expect(try line(doctor).hasPrefix("! store") && line(doctor).contains("Another process"), "\(doctor.output)")
    #expect(doctor.status == 0)
    #expect(!holder.hadToLetGo)
  }

  @Test("A file in the place of the folder is told")
  func file() async throws {
    let sandbox = try Sandbox()
    try Data().write(to: sandbox.folder.appending(path: "file"))
    let doctor = await sandbox.run(["doctor"], variables: ["OSTIARY_HOME": sandbox.path + "/file/home"])
    #expect(doctor.status == 7)
    #expect(try line(doctor).contains("Not a directory"), "\(doctor.output)")
  }

  #if os(Linux)
    @Test(
      "A full disk and a home that can't be written are told, before a sign-in and after it", arguments: [true, false])
    func fullAndReadOnly(signsIn: Bool) async throws {
      let sandbox = try Sandbox()
      guard let disk = try FullDisk(at: sandbox.folder.appending(path: "home"), size: "256k") else {
        return print("doctor: no full disk, this process can't mount one")
      }
      let own = ["OSTIARY_HOME": signsIn ? disk.url.path : disk.url.path + "/ostiary"]
      let server = try FormServer()
      defer { server.stop() }
      if signsIn {
        let login = server.login + ["--password-stdin"]
        #expect(try await Tool.run(login, in: sandbox, input: "apple", variables: own).status == 0)
      }
      disk.fill()
      let full = await sandbox.run(["doctor"], variables: own)
      #expect(full.status == 7, "\(full.output)")
      #expect(try line(full).contains("full"), "\(full.output)")
      try disk.makeReadOnly()
      let readOnly = await sandbox.run(["doctor"], variables: own)
      #expect(readOnly.status == 7, "\(readOnly.output)")
      #expect(try line(readOnly).contains("Read-only file system"), "\(readOnly.output)")
      #expect(try line(readOnly, "profile").hasPrefix(signsIn ? "✓" : "!"))
    }

    @Test("A session in a home that can't be written is still read and used, and status and doctor say what can't be")
    func readOnlyHome() async throws {
      let sandbox = try Sandbox()
      guard let disk = try FullDisk(at: sandbox.folder.appending(path: "home"), size: "256k") else {
        return print("status: no read-only home, this process can't mount one")
      }
      let own = ["OSTIARY_HOME": disk.url.path]
      let server = try await signIn(sandbox, own)
      defer { server.stop() }
      try disk.makeReadOnly()
      let status = await sandbox.run(["status"], variables: own)
      #expect(status.status == 0, "\(status.output) \(status.error)")
      let request = await sandbox.run(["request", "/x"], variables: own)
      #expect(request.output == "inside", "\(request.error)")
      let login = await sandbox.run(server.login + ["--profile", "other"], answers: ["apple"], variables: own)
      #expect(login.status == 7 && login.error.contains("read-only"), "\(login.error)")
      let use = await sandbox.run(["profile", "use", "form"], variables: own)
      #expect(use.status == 7 || use.status == 0, "\(use.error)")
    }
  #endif
}

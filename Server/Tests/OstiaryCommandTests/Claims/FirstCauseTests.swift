import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// Why a session ended is kept through every process that had it.
@Suite("The first cause of an end", .timeLimit(.minutes(20)))
struct FirstCauseTests {
  @Test("Bug-B04: after twenty processes met an expiry, status tells that the server refused the session")
  func twentyProcesses() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    server.expire()
    let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<20 {
        group.addTask { try await Tool.run(["request", "/x/\(number)"], in: sandbox).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 3, count: 20))
    let status = await sandbox.run(["status"])
    #expect(status.status == 3)
    #expect(status.output.contains("the server refused its proof"), "\(status.output)")
    #expect(!status.output.contains("another process"))
    let json = try await sandbox.run(["status", "--json"]).json()
    #expect(json["cause"] == "rejected_by_server")
    let why = await sandbox.run(["why", "-n", "100"])
    #expect(!why.output.contains("signed out because another process"), "\(why.output)")
  }

  @Test("Bug-B04: status tells the user's own sign-out, though another process that had the session saw only its end")
  func ownSignOut() async throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    // Another program with the same store.
    let folders = try sandbox.folders
    let profile = try ProfileStore(folders).load().profile(named: "form")
    let other = try ProfileSession(
      profile, folders: folders, environment: sandbox.environment(),
      logger: sandbox.environment().logger(verbose: false))
    #expect(await other.manager.restore().isSignedIn)
    #expect(await sandbox.run(["logout"]).status == 0)
    _ = try? await other.manager.session()
    await other.close()
    let ends = try journal.last(100, of: "form").map(\.event).filter { $0.kind == .signedOut }
    #expect(ends.map(\.cause) == [.requestedByApp, .anotherProcess])
    let status = await sandbox.run(["status"])
    #expect(!status.output.contains("another process"), "\(status.output)")
    #expect(try await sandbox.run(["status", "--json"]).json()["cause"] == "requested_by_app")
  }

  @Test("Bug-B04: a session whose file was damaged is told as that, by the command that finds it and by later ones")
  func damaged() async throws {
    let sandbox = try Sandbox()
    let server = try FormServer()
    defer { server.stop() }
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    let file = try #require(try sandbox.contents().keys.first { $0.hasSuffix(".session") })
    try Data("damaged".utf8).write(to: sandbox.folder.appending(path: file))
    for _ in 0..<2 {
      let status = await sandbox.run(["status"])
      #expect(status.status == 3, "\(status.error)")
      #expect(status.output.contains("the session could not be read because what the store held was damaged"))
      #expect(!status.output.contains("no user has signed in"), "\(status.output)")
      #expect(try await sandbox.run(["status", "--json"]).json()["cause"] == "store_corrupt")
      let doctor = await sandbox.run(["doctor"])
      #expect(doctor.output.contains("damaged"), "\(doctor.output)")
    }
    // The next end counts after that.
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    #expect(await sandbox.run(["logout"]).status == 0)
    #expect(try await sandbox.run(["status", "--json"]).json()["cause"] == "requested_by_app")
  }
}

import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// What the journal has of a refusal when the command that met it has ended.
@Suite("Refusals in the journal", .timeLimit(.minutes(20)))
struct RefusedInJournalTests {
  @Test("WHY-1, WHY-2: a password that is refused amid a request is in the journal every time, once, with its user")
  func password() async throws {
    let api = try TokenAPI()
    defer { api.stop() }
    let sandbox = try Sandbox()
    try TokenAPI.write(in: sandbox)
    #expect(await sandbox.run(api.login(TokenAPI.setting), answers: [TokenAPI.password]).status == 0)
    #expect(await sandbox.run(["logout"]).status == 0)
    let journal = EventJournal(try sandbox.folders)
    for number in 1...8 {
      let call = await sandbox.run(["request", "/orders", "--password-stdin"], input: "planted-wrong")
      #expect(call.status == 4, "\(call.error)")
      let causes = try journal.last(100, of: nil).map(\.event).filter { $0.kind == .failed }.map(\.cause)
      #expect(causes == Array(repeating: Cause.credentialRefused, count: number))
    }
    let why = await sandbox.run(["why"]).output
    #expect(why.contains("  ann: signing in did not succeed because the server refused the user name"), "\(why)")
    #expect(!why.contains("the credential was not given"), "\(why)")
  }

  @Test("WHY-3: status tells why the server refused the session, and not that no user is signed in")
  func status() async throws {
    let server = try FormServer()
    defer { server.stop() }
    let sandbox = try Sandbox()
    #expect(await sandbox.run(server.login, answers: ["apple"]).status == 0)
    server.expire()
    let status = await sandbox.run(["status"])
    #expect(status.status == 3, "\(status.error)")
    #expect(status.output.contains("signed out because the server refused its proof ("), "\(status.output)")
    #expect(!status.output.contains("(No user is signed in"), "\(status.output)")
  }
}

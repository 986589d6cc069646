import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("login salesforce at the door", .timeLimit(.minutes(20)))
struct SalesforceDoorCommandTests {
  private let password = "a long enough password"

  private func withServer(_ body: (Sandbox, OstiaryApplication, OstiaryApplication.Running) async throws -> Void)
    async throws
  {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      try await application.identity.addUser(name: "ann", password: Secret(password))
      try await body(try Sandbox(), application, running)
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  @Test("The command that the server announces signs in with a browser; token and request work; logout revokes")
  func announced() async throws {
    try await withServer { sandbox, application, running in
      let announcement = ServeAnnouncement(
        running, storage: .memory, user: "ann", isDevelopment: true, authorityFile: nil)
      let command = try #require(announcement.doors.first { $0.name == "salesforce" }?.signIn)
      let words = command.split(separator: " ").dropFirst().map { $0.replacingOccurrences(of: "'", with: "") }
      let person = PersonAtBrowser(username: "ann", password: password)
      let signIn = await sandbox.run(
        words + ["--option", "redirect-uri=http://127.0.0.1/callback"], browser: { try await person.visit($0) })
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.output.contains("as ann"))

      let create = await sandbox.run(["request", "/services/data/v58.0/sobjects/Case", "--data", #"{"Subject":"A"}"#])
      #expect(create.status == 0, "\(create.error) \(create.output)")
      let query = await sandbox.run(["request", "/services/data/v58.0/query?q=SELECT+Subject+FROM+Case"])
      let records = try query.json()["records"]?.array
      #expect(records?.first?["Subject"] == "A", "\(query.output)")

      let token = await sandbox.run(["token"])
      #expect(token.status == 0 && token.output.split(separator: "\n").count == 1)
      let end = await sandbox.run(["logout"])
      #expect(end.status == 0 && end.error.isEmpty, "\(end.error)")
      #expect(await sandbox.run(["token"]).status == 3)
    }
  }
}

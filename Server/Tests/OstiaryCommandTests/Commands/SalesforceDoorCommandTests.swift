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

  private func withServer(
    apps: [SalesforceConnectedApp] = [],
    _ body: (Sandbox, OstiaryApplication, OstiaryApplication.Running) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.salesforce?.apps = apps
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

  @Test("Bug-B05: the command that the server announces for apps of its configuration signs in as it is printed")
  func configuredApps() async throws {
    let secret = SalesforceConnectedApp(
      consumerKey: "KEY.secret", name: "Secret", consumerSecret: "9f86d081884c7d659a2feaa0c55ad015",
      callbackURLs: ["https://a.example/"])
    var app = SalesforceConnectedApp(
      consumerKey: "KEY$HOME", name: "Mine", callbackURLs: ["my-app:/done", "http://127.0.0.1/done?a=b"])
    app.acceptsAnyLoopbackPort = true
    app.scopes = ["id", "openid", "refresh_token"]
    try await withServer(apps: [secret, app]) { sandbox, _, running in
      let announcement = ServeAnnouncement(
        running, storage: .memory, user: "ann", isDevelopment: true, authorityFile: nil)
      let command = try #require(announcement.doors.first { $0.name == "salesforce" }?.signIn)
      let words = try Self.words(ofShell: command)
      #expect(words.contains("client-id=KEY$HOME") && words.first == "ostiary", "\(command)")
      let person = PersonAtBrowser(username: "ann", password: password)
      let signIn = await sandbox.run(Array(words.dropFirst()), browser: { try await person.visit($0) })
      #expect(signIn.status == 0 && signIn.output.contains("as ann"), "\(signIn.error)")
    }
  }

  /// The words as a shell makes them of a line.
  private static func words(ofShell line: String) throws -> [String] {
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "printf '%s\\n' \(line)"]
    shell.standardOutput = output
    try shell.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

import Foundation
import Logging
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("login newzulu", .timeLimit(.minutes(20)))
struct NewzuluCommandTests {
  private let password = "a long enough password"

  private func withServer(_ body: (OstiaryApplication, OstiaryApplication.Running, [String]) async throws -> Void)
    async throws
  {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.newzulu?.vhosts = ["1", "206"]
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      try await application.identity.addUser(
        name: "ann", tenant: "206", email: "ann@example.com", password: Secret(password))
      let door = try #require(running.doors.compactMap { $0 as? NewzuluDoor }.first)
      let key = try #require(door.apiKey?.reveal())
      try await body(
        application, running,
        [
          "login", "newzulu", "--server", door.address, "--user", "ann@example.com", "--option", "vhost=206",
          "--option", "api-key=\(key)",
        ])
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  @Test("The round trip: login, status, request, a dropped session, logout")
  func roundTrip() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running, login in
      let signIn = await sandbox.run(login, answers: [password])
      #expect(signIn.status == 0, "\(signIn.error)")

      let status = await sandbox.run(["status"])
      #expect(status.status == 0)
      #expect(status.output.contains("ann@example.com"))
      #expect(status.output.contains("206"))

      let call = ["request", "/services/json", "--data", #"{"method":"users.getLoggedInUser"}"#]
      let answer = try await sandbox.run(call).json()
      #expect(answer["result"]?["user"] == "ann")

      try await application.dropSessions(ofUserNamed: "ann", tenant: "206")
      #expect(await sandbox.run(["status"]).status == 3)
      let again = await sandbox.run(call, answers: [password])
      #expect(again.status == 0)
      #expect(again.prompts.count == 1)
      #expect(try again.json()["result"]?["user"] == "ann")

      // People are told a name, not the number that the server has for it.
      let why = await sandbox.run(["why"])
      #expect(why.output.contains("ann@example.com: signed in because"))
      #expect(signIn.output.contains("as ann@example.com (profile"))
      #expect(status.output.contains("Signed in as ann@example.com."))
      #expect(try await sandbox.run(["status", "--json"]).json()["user"]?.string.flatMap { Int($0) } != nil)
      let twice = await sandbox.run(login, answers: [password])
      #expect(twice.error.contains("ann@example.com is signed in already"))
      let end = await sandbox.run(["logout"])
      #expect(end.status == 0)
      #expect(end.output.contains("ann@example.com is signed out"))
      #expect(await sandbox.run(["status"]).status == 3)
      let said = signIn.output + status.output + again.output + again.error
      #expect(!said.contains(password))
    }
  }

  @Test("What the server refuses is told in its words")
  func refused() async throws {
    let sandbox = try Sandbox()
    try await withServer { _, _, login in
      for (arguments, words) in [
        (login.dropLast() + ["api-key=ffffffffffffffffffffffffffffffff"], "Invalid API key"),
        (login + ["--option", "vhost=999"], "Unknown vhost"),
      ] {
        let outcome = await sandbox.run(Array(arguments), answers: [password])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains(words), "\(outcome.error)")
      }
      let wrong = await sandbox.run(login, answers: ["wrong"])
      #expect(wrong.status == 4)
      #expect(wrong.error.contains("Check the user name and password"))
    }
  }

  @Test("Options that are missing, unknown or empty are misuse, and say what to write")
  func options() async throws {
    let sandbox = try Sandbox()
    try await withServer { _, _, login in
      for arguments in [
        Array(login.dropLast(2)), login + ["--option", "colour=blue"], login + ["--option", "vhost"],
        login + ["--option", "vhost="],
      ] {
        let outcome = await sandbox.run(arguments, answers: [password])
        #expect(outcome.status == 2)
        #expect(outcome.error.contains("--option vhost=… --option api-key=…"))
        #expect(outcome.prompts.isEmpty)
      }
      let pega = await sandbox.run(
        ["login", "pega", "--server", "http://127.0.0.1:1", "--user", "a", "--option", "vhost=1"], answers: [password])
      #expect(pega.status == 2)
      let kept = try sandbox.contents()
      #expect(kept.isEmpty)
    }
  }

  @Test("The command that the server announces signs in the user that it names")
  func announced() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running, _ in
      try await application.identity.addUser(name: "al", password: Secret(password))
      let announcement = ServeAnnouncement(
        running, storage: .memory, user: "al", isDevelopment: true, authorityFile: nil)
      let command = try #require(announcement.doors.first { $0.name == "newzulu" }?.signIn)
      let words = command.split(separator: " ").dropFirst().map { $0.replacingOccurrences(of: "'", with: "") }
      let outcome = await sandbox.run(words, answers: [password])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
  }

  @Test("Users of tenants are added, listed, disabled and given new passwords")
  func tenants() async throws {
    let sandbox = try Sandbox()
    for tenant in [["--tenant", "206"], ["--tenant", "1"], []] {
      let add = await sandbox.run(
        ["user", "add", "jane", "--email", "jane@example.com"] + tenant, answers: [password, password])
      #expect(add.status == 0, "\(add.error)")
    }
    #expect(await sandbox.run(["user", "add", "jane", "--tenant", "1"], answers: [password, password]).status == 2)
    #expect(await sandbox.run(["user", "add", "x", "--tenant", "a b"], answers: [password, password]).status == 2)
    #expect(await sandbox.run(["user", "disable", "jane", "--tenant", "206"]).status == 0)
    let users = try await sandbox.run(["user", "list", "--json"]).json().array ?? []
    let disabled = users.filter { $0["disabled"] == true }
    #expect(users.count == 3)
    #expect(disabled.map { $0["tenant"] } == ["206"])
    #expect(await sandbox.run(["user", "list"]).output.contains("TENANT"))
    #expect(await sandbox.run(["user", "enable", "jane", "--tenant", "206"]).status == 0)
    #expect(await sandbox.run(["user", "password", "jane", "--tenant", "509"], answers: []).status == 2)
  }

  @Test("Bug-B12: the app's key is shown by no command, and can come from a file instead of an argument")
  func hiddenKey() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running, login in
      let option = try #require(login.last)
      let key = String(option.dropFirst("api-key=".count))
      try sandbox.write(secret: key + "\n", to: "key", mode: 0o644)
      let open = await sandbox.run(login.dropLast() + ["api-key=@key", "--profile", "p"], answers: [password])
      #expect(open.status == 2 && open.error.contains("Other users can read the secret in key"), "\(open.error)")
      try sandbox.write(secret: key + "\n", to: "key")
      let signIn = await sandbox.run(login.dropLast() + ["api-key=@key", "--profile", "p"], answers: [password])
      #expect(signIn.status == 0, "\(signIn.error)")
      let call = ["request", "/services/json", "--data", #"{"method":"users.getLoggedInUser"}"#]
      #expect(try await sandbox.run(call).json()["result"]?["user"] == "ann")
      for command in [["profile", "list"], ["profile", "use", "p"], ["status"]] {
        let outcome = await sandbox.run(command + ["--json"])
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(!outcome.output.contains(key) && !outcome.error.contains(key))
      }
      let missing = await sandbox.run(login.dropLast() + ["api-key=@missing"], answers: [password])
      #expect(missing.status == 2 && missing.error.contains("missing can't be read"))
    }
  }
}

import Foundation
import Logging
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("login --config", .timeLimit(.minutes(20)))
struct ConfigurationFileTests {
  private static let password = "a long enough password"

  /// Starts a server whose doors have other names than the vendor's, and hands over its address.
  private func withServer(_ body: (OstiaryApplication, OstiaryApplication.Running) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    var door = PegaDoorConfiguration()
    door.contextPath = "/acme"
    door.mobileAppConfigurationActivity = "acmeMobile"
    door.accessGroupDetailsActivity = "acmeGroups"
    door.logOffActivity = "Acme.SignOff"
    door.names.servlet = "Front"
    door.names.activityParameter = "do"
    door.names.sessionCookie = "ACME-SID"
    door.names.accessGroup = "group"
    door.names.operatorID = "who"
    configuration.pega = door
    configuration.newzulu?.vhosts = ["1", "206"]
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      try await application.identity.addUser(
        name: "alice", password: Secret(Self.password), attributes: ["accessGroup": "Acme:Testers"])
      try await application.identity.addUser(
        name: "ann", tenant: "206", email: "ann@example.com", password: Secret(Self.password))
      try await body(application, running)
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  private static let names = """
    "contextPath": "/acme", "servletName": "Front", "mobileAppConfigurationActivity": "acmeMobile",
    "accessGroupDetailsActivity": "acmeGroups", "logOffActivity": "Acme.SignOff", "activityParameter": "do",
    "sessionCookieNames": ["ACME-SID"], "keys": {"accessGroup": "group", "operatorID": "who"}
    """

  private func write(_ text: String, _ name: String = "acme.json", in sandbox: Sandbox) throws {
    try Data(text.utf8).write(to: sandbox.folder.appending(path: name))
  }

  @Test("Bug-D02: a server that calls things otherwise is signed in to, asked and left with a file alone")
  func pega() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running in
      let server = running.origin.description + "/acme"
      let login = ["login", "pega", "--user", "alice", "--profile", "acme"]
      let without = await sandbox.run(login + ["--server", server], answers: [Self.password])
      #expect(without.status != 0)

      // The server, the names and the way of signing in are the file's.
      try write(#"{"server": "\#(server)", "signIn": "query", \#(Self.names)}"#, in: sandbox)
      let signIn = await sandbox.run(login + ["--config", "acme.json"], answers: [Self.password])
      #expect(signIn.status == 0, "\(signIn.error)")
      let entries = { (application.journal?.entries ?? []).filter { $0.path == "/acme/Front" } }
      #expect(entries().contains { $0.status == 200 })
      let status = try await sandbox.run(["status", "--json"]).json()
      #expect(status["user"] == "alice")
      #expect(await sandbox.run(["status"]).output.contains("Acme:Testers"))
      let request = await sandbox.run(["request", "/acme/Front?do=acmeGroups"])
      #expect(request.status == 0, "\(request.error)")
      #expect(await sandbox.run(["logout"]).status == 0)
      #expect(await sandbox.run(["status"]).status == 3)
    }
  }

  @Test("A sign-in reads the file once, before anything is asked: it uses and shows one version of it")
  func once() async throws {
    let sandbox = try Sandbox()
    let file = sandbox.folder.appending(path: "acme.json")
    try await withServer { _, running in
      try write(#"{"server": "\#(running.origin.description)/acme", \#(Self.names)}"#, in: sandbox)
      let password = "rm '\(file.path(percentEncoded: false))' && echo '\(Self.password)'"
      let login = await sandbox.run(
        ["login", "pega", "--user", "alice", "--config", "acme.json", "--password-command", password, "--json"])
      #expect(login.status == 0, "\(login.error)")
      #expect(try login.json()["details"]?["accessGroup"] == "Acme:Testers")
      // Every later command needs it.
      #expect(await sandbox.run(["status"]).status == 2)
    }
    try write(#"{"server": "https://acme.example", "apiKey": "key", "vhost": 206}"#, in: sandbox)
    let kind = try ServerKinds.kind(named: "newzulu").configured(by: file)
    try write(#"{"server": "https://elsewhere.example"}"#, in: sandbox)
    let profile = Profile(
      name: "acme", kind: AuthenticatorKind("newzulu"), server: try #require(kind.configuration.server), user: "ann",
      method: nil,
      options: nil, configurationFile: file.path(percentEncoded: false), certificateFile: nil)
    _ = try kind.authenticator(for: profile, in: sandbox.environment())
    #expect(throws: OstiaryError.self) {
      try ServerKinds.kind(of: profile, in: sandbox.environment())
        .authenticator(for: profile, in: sandbox.environment())
    }
  }

  @Test("Bug-D11: an old server's activity is chosen by an option; one that is none is refused by name")
  func activity() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running in
      let server = running.origin.description + "/acme"
      try write(
        #"{"server": "\#(server)", \#(Self.names), "mobileAppConfigurationActivity": "none"}"#.replacing(
          #""mobileAppConfigurationActivity": "acmeMobile","#, with: ""), in: sandbox)
      let login = ["login", "pega", "--user", "alice", "--config", "acme.json"]
      let old = await sandbox.run(login + ["--option", "activity=accessGroupDetails"], answers: [Self.password])
      #expect(old.status == 0, "\(old.error)")
      let wrong = await sandbox.run(login + ["--profile", "b", "--option", "activity=other"], answers: [Self.password])
      #expect(wrong.status == 2)
      #expect(wrong.error.contains("other"))
      #expect(wrong.error.contains("--option activity=mobileAppConfiguration or accessGroupDetails"))
      #expect(wrong.prompts.isEmpty)
    }
  }

  @Test("Bug-D02: the key and the tenant of a platform are the file's, and the profile does not repeat the key")
  func newzulu() async throws {
    let sandbox = try Sandbox()
    try await withServer { _, running in
      let door = try #require(running.doors.compactMap { $0 as? NewzuluDoor }.first)
      let key = try #require(door.apiKey?.reveal())
      try write(#"{"server": "\#(door.address)", "apiKey": "\#(key)", "vhost": 206}"#, in: sandbox)
      let login = ["login", "newzulu", "--user", "ann@example.com", "--config", "acme.json"]
      let signIn = await sandbox.run(login, answers: [Self.password])
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(await sandbox.run(["status"]).output.contains("206"))
      let kept = try sandbox.contents().filter { !$0.key.hasSuffix("acme.json") }
      #expect(!kept.isEmpty)
      #expect(!kept.values.contains { $0.range(of: Data(key.utf8)) != nil })

      // The command line counts before the file; the two tenants are two accounts.
      let other = await sandbox.run(
        login + ["--profile", "other", "--option", "vhost=1"], answers: [Self.password])
      #expect(other.status == 4, "\(other.error)")

      try write("{}", in: sandbox)
      let missing = await sandbox.run(["status"])
      #expect(missing.status == 2)
      #expect(missing.error.contains("“apiKey” into the configuration file"))
    }
  }

  @Test("A file that can't be used is told before anything is asked or sent")
  func refused() async throws {
    let sandbox = try Sandbox()
    try await withServer { application, running in
      let server = running.origin.description + "/acme"
      let before = (application.journal?.entries ?? []).count
      let large = "{\"contextPath\": \"/" + String(repeating: "x", count: 10 << 20) + "\"}"
      for (kind, text, words) in [
        ("pega", #"{"servletNames": "Front"}"#, "servletNames"), ("pega", #"{"servletName": 1}"#, "servletName"),
        ("pega", "{", "is not JSON"), ("pega", large, "1 MiB"), ("pega", "[]", "list"),
        ("newzulu", #"{"apiKeys": "x"}"#, "apiKeys"), ("newzulu", large, "larger than"),
        ("http", "{}", "http takes no configuration file"), ("gateway", "{}", "Leave --config out"),
        ("pega", #"{"server": "https://elsewhere.example/acme"}"#, "another server"),
        ("newzulu", #"{"server": "https://elsewhere.example", "apiKey": "x", "vhost": 1}"#, "another server"),
      ] {
        try write(text, in: sandbox)
        let outcome = await sandbox.run(
          ["login", kind, "--server", server, "--user", "alice", "--config", "acme.json"], answers: [Self.password])
        #expect(outcome.status == 2, "\(words)")
        #expect(outcome.error.contains(words), "\(outcome.error)")
        #expect(outcome.prompts.isEmpty, "\(words)")
      }
      let absent = await sandbox.run(
        ["login", "pega", "--server", server, "--user", "alice", "--config", "none.json"], answers: [Self.password])
      #expect(absent.status == 2)
      #expect(absent.error.contains("none.json can't be read"))
      #expect((application.journal?.entries ?? []).count == before)
      #expect(await sandbox.run(["profile", "list"]).output.contains("There is no profile yet"))
    }
  }
}

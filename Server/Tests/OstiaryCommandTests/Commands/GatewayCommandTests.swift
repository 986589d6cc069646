import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("login gateway, and what stands behind one", .timeLimit(.minutes(20)))
struct GatewayCommandTests {
  private static let password = "the gateway's own password"

  /// A gateway with a Pega server behind it, at `/app`.
  fileprivate struct World: Sendable {
    let pega: PegaServer
    let gateway: OstiaryApplication
    let running: OstiaryApplication.Running

    var origin: String { running.origin.description }
    var cases: String { "/app/prweb/api/v1/cases" }
    var login: [String] {
      [
        "login", "gateway", "--server", origin + "/app/", "--user", "ann", "--profile", "corp", "--option",
        "logout-form=/gateway/logout",
      ]
    }
    var loginBehind: [String] {
      ["login", "pega", "--server", origin + "/app/prweb", "--user", PegaServer.user, "--behind", "corp"]
    }
    var forms: Int {
      (gateway.journal?.entries ?? []).count { $0.method == "POST" && $0.path == "/gateway/login" }
    }
  }

  private func withWorld(
    challenge: GatewayDoorConfiguration.Challenge = .form, _ body: (World) async throws -> Void
  ) async throws {
    try await PegaServer.run { pega in
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.development = .insecureForTests
      (configuration.pega, configuration.newzulu) = (nil, nil)
      var door = GatewayDoorConfiguration()
      door.challenge = challenge
      let upstream = try #require(URL(string: pega.running.origin.description))
      door.junctions = [GatewayJunction(path: "/app", upstream: upstream)]
      configuration.gateway = door
      let gateway = try OstiaryApplication(
        configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
      let running = try await gateway.start()
      do {
        try await gateway.identity.addUser(name: "ann", password: Secret(Self.password))
        try await body(World(pega: pega, gateway: gateway, running: running))
      } catch {
        await gateway.stop()
        throw error
      }
      await gateway.stop()
    }
  }

  @Test("The round trip at each kind of challenge", arguments: GatewayDoorConfiguration.Challenge.allCases)
  func roundTrip(challenge: GatewayDoorConfiguration.Challenge) async throws {
    let sandbox = try Sandbox()
    try await withWorld(challenge: challenge) { world in
      // A redirect to a place that no option has named may be the server's own answer to a POST.
      let login = world.login + (challenge == .redirect ? ["--option", "login=/gateway/login"] : [])
      let wrong = await sandbox.run(login, answers: ["wrong"])
      #expect(wrong.status == 4, "\(wrong.error)")
      let signIn = await sandbox.run(login, answers: [Self.password])
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.output.contains("as ann (profile corp)"))
      #expect(await sandbox.run(["status"]).status == 0)
      let echo = try await sandbox.run(["request", "/jct/echo"]).json()
      #expect(echo["user"] == "ann")

      // No user is signed in any more, in the middle of it: asked once, sent again.
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      let again = await sandbox.run(["request", "/jct/echo", "--data", "a=1"], answers: [Self.password])
      #expect(again.status == 0, "\(again.error)")
      #expect(again.prompts.count == 1)
      #expect(try again.json()["user"] == "ann")

      let out = await sandbox.run(["logout"])
      #expect(out.status == 0)
      #expect(!out.error.contains("did not confirm"), "\(out.error)")
      #expect(try await world.gateway.dropSessions(ofUserNamed: "ann") == 0)
      let said = signIn.output + again.output + again.error + out.output
      #expect(!said.contains(Self.password))
    }
  }

  @Test("A request through two layers: each is asked for when it is needed, and no more often")
  func twoLayers() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      let signIn = await sandbox.run(world.loginBehind, answers: [PegaServer.password])
      #expect(signIn.status == 0, "\(signIn.error)")
      let status = await sandbox.run(["status"])
      #expect(status.output.contains("Behind"))
      #expect(status.output.contains("corp"))
      let first = await sandbox.run(["request", world.cases])
      #expect(first.status == 0, "\(first.error)")
      #expect(first.prompts.isEmpty)

      // The gateway's session ends: its password alone is asked for.
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      let gateway = await sandbox.run(["request", world.cases], answers: [Self.password])
      #expect(gateway.status == 0, "\(gateway.error)")
      #expect(gateway.prompts.map { $0.contains("ann") } == [true])
      // The inner session ends: likewise.
      try await world.pega.application.dropSessions(ofUserNamed: PegaServer.user)
      let inner = await sandbox.run(["request", world.cases], answers: [PegaServer.password])
      #expect(inner.status == 0, "\(inner.error)")
      #expect(inner.prompts.map { $0.contains(PegaServer.user) } == [true])
      #expect(world.forms == 2)

      // Both: the gateway's comes first, since the other server can't be reached without.
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      try await world.pega.application.dropSessions(ofUserNamed: PegaServer.user)
      let both = await sandbox.run(["request", world.cases], answers: [Self.password, PegaServer.password])
      #expect(both.status == 0, "\(both.error)")
      #expect(both.prompts.map { $0.contains("ann") } == [true, false])

      let out = try await sandbox.run(["logout", "--gateways", "--json"]).json()
      #expect(out["serverConfirmed"] == true)
      #expect(out["gateways"]?.array?.map { $0["profile"] } == ["corp"])
      #expect(out["gateways"]?.array?.map { $0["serverConfirmed"] } == [true])
      #expect(try await world.gateway.dropSessions(ofUserNamed: "ann") == 0)
      #expect(try await world.pega.application.dropSessions(ofUserNamed: PegaServer.user) == 0)
    }
  }

  @Test("Bug-B07: each layer of a stack has a password of its own, and no person is asked")
  func unattended() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      let commands = [Self.password, PegaServer.password].map { password in
        ["--password-command", "printf %s '\(password.replacing("'", with: #"'\''"#))'"]
      }
      #expect(await sandbox.run(world.login + commands[0]).status == 0)
      let login = await sandbox.run(world.loginBehind + commands[1])
      #expect(login.status == 0, "\(login.error)")
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      try await world.pega.application.dropSessions(ofUserNamed: PegaServer.user)
      let both = await sandbox.run(["request", world.cases])
      #expect(both.status == 0, "\(both.error)")
      #expect(both.prompts.isEmpty)
    }
  }

  @Test("Without --gateways the gateway's session is left alone, and without one the sign-out is not confirmed")
  func leaving() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      #expect(await sandbox.run(world.loginBehind, answers: [PegaServer.password]).status == 0)
      #expect(await sandbox.run(["logout"]).status == 0)
      #expect(await sandbox.run(["status", "--profile", "corp"]).status == 0)

      #expect(await sandbox.run(world.loginBehind, answers: [PegaServer.password]).status == 0)
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      let out = await sandbox.run(["logout"])
      #expect(out.status == 0)
      #expect(out.prompts.isEmpty)
      #expect(out.error.contains("did not confirm"))
      #expect(await sandbox.run(["status", "--offline"]).status == 3)
    }
  }

  @Test("The command that the server announces signs in", arguments: GatewayStyle.allCases)
  func announced(style: GatewayStyle) async throws {
    let sandbox = try Sandbox()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.gateway?.style = style
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    try await application.identity.addUser(name: "ann", password: Secret(Self.password))
    let announcement = ServeAnnouncement(
      running, storage: .memory, user: "ann", isDevelopment: true, authorityFile: nil)
    let command = try #require(announcement.doors.first { $0.name == "gateway" }?.signIn)
    let words = command.split(separator: " ").dropFirst().map { $0.replacingOccurrences(of: "'", with: "") }
    let outcome = await sandbox.run(words, answers: [Self.password])
    #expect(outcome.status == 0, "\(outcome.error)")
    let out = await sandbox.run(["logout"])
    #expect(!out.error.contains("did not confirm"), "\(out.error)")
    #expect(try await application.dropSessions(ofUserNamed: "ann") == 0)
    await application.stop()
  }

  @Test("Bug-C12: the start says whether people make themselves accounts, and what each door gives to those")
  func admissions() async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.accounts?.offersSignUp = true
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    func said(offersSignUp: Bool) -> String {
      let announcement = ServeAnnouncement(
        running, storage: .memory, user: "ann", offersSignUp: offersSignUp, isDevelopment: true, authorityFile: nil)
      return announcement.lines.map { $0.rendered(colored: false) }.joined(separator: "\n")
    }
    let on = said(offersSignUp: true)
    #expect(on.contains("on: people make themselves accounts"))
    #expect(on.contains("such an account passes with a proven address"))
    #expect(on.contains("such an account sees its own records alone"))
    let off = said(offersSignUp: false)
    #expect(off.contains("off; --allow-sign-up") && !off.contains("such an account"))
    await application.stop()
  }

  @Test("A server that asks for Basic: one question, and the password within this machine only")
  func basic() async throws {
    let sandbox = try Sandbox()
    let expected = "Basic " + Data("ann:\(Self.password)".utf8).base64EncodedString()
    let server = try LoopbackServer { request in
      request.fields[.authorization] == expected
        ? [.response(200, body: "inside")]
        : [.response(401, [("WWW-Authenticate", "Basic realm=\"r\"")], body: "outside")]
    }
    defer { server.stop() }
    let login = ["login", "http", "--server", "http://127.0.0.1:\(server.port)/", "--user", "ann"]
    #expect(await sandbox.run(login, answers: ["wrong"]).status == 4)
    let signIn = await sandbox.run(login, answers: [Self.password])
    #expect(signIn.status == 0, "\(signIn.error)")
    let answer = await sandbox.run(["request", "/thing"])
    #expect(answer.output == "inside")
    #expect(!(signIn.output + answer.output + answer.error).contains(Self.password))
  }

  @Test("Profiles that can't be are refused")
  func refused() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      let unknown = await sandbox.run(world.loginBehind, answers: [PegaServer.password])
      #expect(unknown.status == 2)
      #expect(unknown.error.contains("corp"))
      #expect(unknown.prompts.isEmpty)
      let own = await sandbox.run(world.loginBehind + ["--profile", "corp"], answers: [PegaServer.password])
      #expect(own.status == 2)
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      #expect(await sandbox.run(world.loginBehind, answers: [PegaServer.password]).status == 0)
      let removal = await sandbox.run(["profile", "remove", "corp"])
      #expect(removal.status == 2)
      #expect(removal.error.contains("behind"))
      let circle = await sandbox.run(world.login + ["--behind", world.pegaProfile], answers: [Self.password])
      #expect(circle.status == 2)
      #expect(circle.error.contains("behind each other"))
    }
    let far = ["login", "gateway", "--server", "http://gateway.example/", "--user", "ann"]
    let option = await sandbox.run(far + ["--option", "insecure-http=perhaps"], answers: ["x"])
    #expect(option.status == 2)
    #expect(option.error.contains("allowed"))
  }
}

extension GatewayCommandTests.World {
  fileprivate var pegaProfile: String { "\(PegaServer.user)@\(running.origin.authority)" }
}

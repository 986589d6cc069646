import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

/// An OpenID server that only a gateway's session leads to.
@Suite("login oidc through a gateway", .timeLimit(.minutes(20)))
struct FoundBehindGatewayTests {
  private static let password = "the gateway's own password"

  /// The gateway's address of the server, and the server's own requests.
  private struct World: Sendable {
    let gateway: OstiaryApplication
    let origin: String
    let server: LoopbackServer

    var issuer: String { origin + "/app" }
    var login: [String] {
      ["login", "gateway", "--server", issuer + "/", "--user", "ann", "--profile", "corp"]
    }
    var loginBehind: [String] {
      ["login", "oidc", issuer, "--api", issuer + "/", "--register", "--method", "device", "--behind", "corp"]
    }

    func count(_ path: String) -> Int { server.requests.count(where: { $0.path == path }) }
  }

  private static func answer(_ request: LoopbackServer.Request, issuer: String) -> LoopbackServer.Action {
    func json(_ status: Int, _ body: String) -> LoopbackServer.Action {
      .response(status, [("Content-Type", "application/json")], body: body)
    }
    switch request.path {
    case "/.well-known/openid-configuration":
      let endpoints = ["token", "device_authorization", "registration"].map {
        #""\#($0)_endpoint":"\#(issuer)/\#($0)""#
      }
      return json(200, #"{"issuer":"\#(issuer)",\#(endpoints.joined(separator: ","))}"#)
    case "/registration": return json(201, #"{"client_id":"c-1","token_endpoint_auth_method":"none"}"#)
    case "/device_authorization":
      return json(
        200,
        #"{"device_code":"d","user_code":"WDJB-MJHT","verification_uri":"\#(issuer)/enter","expires_in":600,"interval":1}"#
      )
    case "/token": return json(200, #"{"access_token":"access-1","expires_in":600,"scope":"a"}"#)
    default: return .response(404, body: "")
    }
  }

  private func withWorld(_ body: (World) async throws -> Void) async throws {
    let issuer = Locked("")
    let server = try LoopbackServer { request in [Self.answer(request, issuer: issuer.withLock { $0 })] }
    defer { server.stop() }
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    (configuration.pega, configuration.newzulu) = (nil, nil)
    var door = GatewayDoorConfiguration()
    door.challenge = .form
    let upstream = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    door.junctions = [GatewayJunction(path: "/app", upstream: upstream)]
    configuration.gateway = door
    let gateway = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await gateway.start()
    do {
      try await gateway.identity.addUser(name: "ann", password: Secret(Self.password))
      let world = World(gateway: gateway, origin: running.origin.description, server: server)
      issuer.withLock { $0 = world.issuer }
      try await body(world)
    } catch {
      await gateway.stop()
      throw error
    }
    await gateway.stop()
  }

  @Test("FIND-38: what has to be found for a profile is found through the gateway in front, with its session")
  func found() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      let signIn = await sandbox.run(world.loginBehind)
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.prompts.isEmpty && signIn.error.contains("WDJB-MJHT"), "\(signIn.error)")
      #expect(world.count("/registration") == 1 && world.count("/token") == 1)
      #expect(await sandbox.run(["token"]).output == "access-1\n")
    }
  }

  @Test("FIND-38: a gateway whose session is over asks for its own password, once, before the server is found")
  func asked() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      try await world.gateway.dropSessions(ofUserNamed: "ann")
      let signIn = await sandbox.run(world.loginBehind, answers: [Self.password])
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.prompts.count == 1, "\(signIn.prompts)")
      #expect(world.count("/registration") == 1)
    }
  }

  @Test("FIND-38: without its gateway the server is not found; a gateway that is no profile is told first")
  func missing() async throws {
    let sandbox = try Sandbox()
    try await withWorld { world in
      #expect(await sandbox.run(world.login, answers: [Self.password]).status == 0)
      let alone = await sandbox.run(Array(world.loginBehind.dropLast(2)))
      #expect(alone.status != 0, "\(alone.output)")
      let unknown = await sandbox.run(Array(world.loginBehind.dropLast()) + ["nosuch"])
      #expect(unknown.status == 2 && unknown.error.contains("nosuch"), "\(unknown.error)")
      #expect(world.count("/registration") == 0)
    }
  }
}

import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

@Suite("An app whose gateway has names of its own, configured by a file alone", .timeLimit(.minutes(20)))
struct RenamedGatewayTests {
  private let anna = ["benutzer": "anna", "kennwort": RenamedGateway.password]

  /// What the app's start would do with its file.
  private func world(_ gateway: RenamedGateway, _ change: [String: Any] = [:]) throws -> World {
    let file = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try gateway.configuration(change).write(to: file)
    let world = World(nil)
    world.client.gatewayConfiguration = try MobileFirstGatewayConfiguration(contentsOf: file)
    return world
  }

  @Test("Bug-D04 configuration: renamed fields, cookie and addresses: sign-in, requests, expiry, sign-out")
  func life() async throws {
    let gateway = try RenamedGateway()
    let world = try world(gateway)
    #expect(world.client.serverUrl() == gateway.server.url("/mfp"))
    let before = await world.fetch("adapters/konto")
    #expect(before.isFailure && before.errorCode == WLErrorCode.authorizationFailure)
    let ending = await world.login(anna)
    #expect(ending.isSuccess, "\(ending)")
    #expect(await world.fetch("adapters/konto").text == #"{"path":"/mfp/api/adapters/konto"}"#)
    #expect(await world.obtainAccessToken().ending.isSuccess)
    gateway.expireSessions()
    #expect(!(await world.obtainAccessToken().ending.isSuccess))
    #expect(await world.login(anna).isSuccess)
    #expect(await world.logout().isSuccess)
    #expect(gateway.logouts == 1 && gateway.sessions == 0 && gateway.logins == 2)
    #expect(await world.fetch("adapters/konto").isFailure)
  }

  @Test("Bug-D04 configuration: wrong passwords are told; the next attempt succeeds")
  func wrongPassword() async throws {
    let gateway = try RenamedGateway()
    let world = try world(gateway)
    let ending = await world.login(["benutzer": "anna", "kennwort": "falsch"])
    #expect(ending.code == WLErrorCode.authorizationFailure && !ending.says("falsch"))
    #expect(await world.login(anna).isSuccess)
    #expect(gateway.refusals == 1 && gateway.logins == 1)
  }

  @Test(
    "Bug-D04 configuration: a name that does not fit what the gateway answered is in the error, with those that are there",
    arguments: [
      ("usernameField", "user", "\"kennung\""), ("passwordField", "pw", "\"geheimnis\""),
      ("formAction", "pkmslogin.form", "\"/sso/einlass.do\""),
    ])
  func mismatch(_ key: String, _ value: String, _ there: String) async throws {
    let gateway = try RenamedGateway()
    let world = try world(gateway, [key: value, "otherFields": [String: String]()])
    let ending = await world.login(anna)
    #expect(ending.says("(\(key))") && ending.says("\"\(value)\"") && ending.says(there), "\(ending)")
    #expect(gateway.logins == 0)
  }

  @Test("Bug-D04 configuration: a session check that needs no session, and a logout that is not there, are named")
  func addresses() async throws {
    let gateway = try RenamedGateway()
    let world = try world(gateway, ["sessionCheck": "../../sso/abmelden"])
    #expect(await world.login(anna).says("(sessionCheck)"))
    let other = try self.world(gateway, ["logout": "http://127.0.0.1:1/out"])
    #expect(await other.login(anna).isSuccess)
    #expect(await other.logout().says("The cookies are gone here."))
  }

  @Test(
    "Bug-D04 configuration: a form that leads to an origin that is not named gets no password",
    arguments: [
      ("127.0.0.1", "leads to a server that the app has not allowed"),
      // Over http, a form of another host is taken for a wireless network's.
      ("127.0.0.2", "A wireless network answered"),
    ])
  func elsewhere(_ host: String, _ reason: String) async throws {
    let elsewhere = try LoopbackServer(host: host) { _ in [.response(200)] }
    let target = "http://\(host):\(elsewhere.port)/in"
    let gateway = try LoopbackServer { _ in
      [
        .response(
          200, [("Content-Type", "text/html")],
          body: "<form method=post action=\(target)><input name=kennung><input type=password name=geheimnis></form>")
      ]
    }
    let world = World(gateway.url("/mfp")).allowingHTTP()
    let credentials = ["username": "anna", "password": "geheim"]
    let ending = await world.login(credentials)
    #expect(ending.says(reason), "\(ending)")
    #expect(elsewhere.requests.isEmpty)
    let allowing = world.allowingHTTP { $0.passwordOrigins = [target] }
    _ = await allowing.login(credentials)
    #expect(elsewhere.requests.contains { $0.method == "POST" })
    #expect(await world.allowingHTTP { $0.passwordOrigins = ["x"] }.login(credentials).says("passwordOrigins"))
  }
}

import Foundation
import IBMMobileFirstPlatformFoundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

/// There is one client in the process, so the tests run one after the other.
@Suite("The handlers of IBM's customers against the gateway door", .serialized, .timeLimit(.minutes(20)))
@MainActor
final class VendorSamplesTests {
  static let password = "sm%th+ &=é is long enough"
  private let app = SampleApp()

  init() {
    WLClient.sharedInstance().defaultLoginFormTimeoutInterval = 600
    WLClient.sharedInstance().defaultRequestTimeoutInterval = 600
  }

  deinit {
    WLClient.sharedInstance().setServerUrl(nil)
  }

  /// What a door does with a client that has no session, and after the password.
  struct Variant: Sendable, CustomTestStringConvertible {
    let style: GatewayStyle
    let challenge: GatewayDoorConfiguration.Challenge
    let success: GatewayDoorConfiguration.Success

    var testDescription: String { "\(style), \(challenge), \(success)" }

    static let all: [Variant] = GatewayStyle.allCases.flatMap { style in
      GatewayDoorConfiguration.Challenge.allCases.flatMap { challenge in
        GatewayDoorConfiguration.Success.allCases.map { Variant(style: style, challenge: challenge, success: $0) }
      }
    }
    /// Those that show their form to every client, as the real ones do.
    static func vendors(_ styles: GatewayStyle...) -> [Variant] {
      all.filter { styles.contains($0.style) && $0.challenge != .negotiated }
    }
    static let webSEAL = Variant(style: .webSEAL, challenge: .form, success: .originalResource)
  }

  /// A gateway with `fred`, and a server behind it.
  struct Gateway {
    let server: OstiaryApplication
    let upstream: LoopbackServer

    /// How many forms were sent to the gateway.
    var forms: Int {
      server.journal?.entries.count { entry in
        entry.method == "POST" && ["login", "pkmslogin.form", "j_security_check"].contains { entry.path.hasSuffix($0) }
      } ?? 0
    }

    func served(_ path: String) -> Int { upstream.requests.filter { $0.path == path }.count }
  }

  /// Starts a gateway, lets `body` use it, and stops it.
  func withGateway(
    _ variant: Variant, _ configure: (inout GatewayDoorConfiguration) -> Void = { _ in },
    server configureServer: (inout ServerConfiguration) -> Void = { _ in }, _ body: (Gateway) async throws -> Void
  ) async throws {
    // What other tests have registered stays so. Those who recognise nothing take their places.
    for name in ["door", "LtpaBasedSSO", "myGateway"] { app.start(GatewayChallengeHandler(gatewayName: name)) }
    let upstream = try LoopbackServer { [.response(200, body: "{\"target\":\"\($0.target)\"}")] }
    defer { upstream.stop() }
    var door = GatewayDoorConfiguration()
    door.style = variant.style
    door.challenge = variant.challenge
    door.success = variant.success
    door.junctions = [GatewayJunction(path: "/mfp", upstream: upstream.url("/mfp"))]
    configure(&door)
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.gateway = door
    configureServer(&configuration)
    let server = try OstiaryApplication(configuration)
    let origin = try await server.start().origin.description
    do {
      try await server.identity.addUser(name: "fred", displayName: "Fred", password: Secret(Self.password))
      WLClient.sharedInstance().setServerUrl(URL(string: origin + "/mfp"))
      try await body(Gateway(server: server, upstream: upstream))
    } catch {
      Issue.record(error)
    }
    await server.stop()
  }

  func getData(_ adapter: String) async -> (String?, Error?) {
    await withCheckedContinuation { continuation in
      app.getData(adapter) { continuation.resume(returning: ($0, $1)) }
    }
  }

  private func transfer(_ amount: String) async -> String? {
    await withCheckedContinuation { continuation in
      app.transfer(amount, to: "transfer") { text, _ in continuation.resume(returning: text) }
    }
  }

  private func pageHandler(_ style: GatewayStyle, _ passwords: [String] = [password]) -> PageHandler {
    let (form, user, password): (String, String, String) =
      switch style {
      case .ostiary: ("../../gateway/login", "username", "password")
      case .webSEAL: ("../../pkmslogin.form", "username", "password")
      case .ltpa: ("../../j_security_check", "j_username", "j_password")
      case .classic: ("../../apps/services/j_security_check", "j_username", "j_password")
      }
    return TypedChallengeHandler(
      gatewayName: "door", form: form, userField: user, passwordField: password, passwords: passwords)
  }

  @Test(
    "Gateway-G1, G8, GS3: the class that the vendor's page describes signs in after a wrong password, in every variant",
    arguments: Variant.all)
  func page(_ variant: Variant) async throws {
    try await withGateway(variant) { gateway in
      let handler = pageHandler(variant.style, ["wrong", Self.password])
      app.start(handler)
      let (text, error) = await getData("balance?x=%C3%A9")
      #expect(error == nil)
      #expect(text == #"{"target":"/mfp/api/adapters/balance?x=%C3%A9"}"#)
      #expect(handler.attempts == 2)
      #expect(gateway.forms == 2)
      #expect(await transfer("1 000 €") == #"{"target":"/mfp/api/adapters/transfer"}"#)
      #expect(gateway.upstream.requests.last?.text == "amount=1+000+%E2%82%AC")
      // The session ends, and one form more is sent.
      _ = try await gateway.server.dropSessions(ofUserNamed: "fred")
      let again = pageHandler(variant.style)
      app.start(again)
      #expect(await getData("again").0 == #"{"target":"/mfp/api/adapters/again"}"#)
      #expect(gateway.forms == 3 && again.attempts == 1)
    }
  }

  @Test("Gateway-G8, GS3: the secret token is in the form's address, and a form without it is a 400")
  func secretToken() async throws {
    try await withGateway(.webSEAL, { $0.validatesSecretToken = true }) { gateway in
      let handler = pageHandler(.webSEAL, ["wrong", Self.password])
      app.start(handler)
      #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
      #expect(handler.failures.isEmpty && gateway.forms == 2)
      // As published, this one never has a token.
      _ = try await gateway.server.dropSessions(ofUserNamed: "fred")
      let (error, _) = await Self.isam(Self.password) { await self.getData("b").1 }
      #expect(error != nil)
      #expect(gateway.served("/mfp/api/adapters/b") == 0)
    }
  }

  @Test(
    "Gateway-G8, GS3: an account that is locked early or late is a 200 that leads to no further form",
    arguments: [GatewayStyle.webSEAL, .ltpa, .classic], [GatewayDoorConfiguration.Lockout.early, .late])
  func locked(_ style: GatewayStyle, _ when: GatewayDoorConfiguration.Lockout) async throws {
    try await withGateway(
      Variant(style: style, challenge: .form, success: .page), { $0.lockout = when },
      server: { $0.loginLimits.freeFailures = 2 }
    ) { gateway in
      let handler = pageHandler(style, ["wrong", "wrong", Self.password, Self.password])
      app.start(handler)
      let (text, error) = await getData("a")
      #expect(text == nil && error != nil)
      #expect(handler.attempts == (when == .early ? 2 : 3))
      #expect(gateway.upstream.requests.isEmpty)
    }
  }

  @Test(
    "Gateway-G1, G10, G13, GS3: the LTPA sample signs in through WebSEAL's form, tries again, and logs out",
    arguments: Variant.vendors(.webSEAL))
  func isam(_ variant: Variant) async throws {
    try await withGateway(variant) { gateway in
      let (text, handler) = await Self.isam("wrong", Self.password) { await self.getData("a").0 }
      #expect(text == #"{"target":"/mfp/api/adapters/a"}"#)
      #expect(gateway.forms == 2)
      handler.logout()
      try await waitUntil("the log-out") { gateway.server.journal?.count(ofPath: "/pkmslogout") != 0 }
      let (again, _) = await Self.isam(Self.password) { await self.getData("b").0 }
      #expect(again == #"{"target":"/mfp/api/adapters/b"}"#)
      #expect(gateway.forms == 3)
    }
  }

  /// Registers the published handler with a login screen that knows these passwords, for as long as `work` takes.
  private static func isam<Value>(
    _ passwords: String..., while work: () async -> Value
  ) async -> (Value, IsamHandler) {
    let handler = IsamHandler()
    WLClient.sharedInstance().registerChallengeHandler(handler)
    let screen = LoginScreen(for: handler, passwords: passwords) { [weak handler] password in
      handler?.login(username: "fred", password: password)
    }
    defer { screen.close() }
    return (await work(), handler)
  }

  @Test(
    "Gateway-G1: the DataPower sample signs in through j_security_check, wherever the form leads",
    arguments: Variant.vendors(.ltpa, .classic))
  func dataPower(_ variant: Variant) async throws {
    try await withGateway(variant) { gateway in
      let handler = DataPowerHandler()
      app.start(handler)
      let screen = LoginScreen(for: handler, passwords: ["wrong", Self.password]) { [weak handler] password in
        handler?.login(username: "fred", password: password)
      }
      defer { screen.close() }
      #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
      #expect(gateway.forms == 2)
      #expect(gateway.server.journal?.count(ofPath: "/mfp/api/j_security_check") == 2)
    }
  }

  @Test(
    "Gateway-G2: 200 requests at once, and the session ends in their middle: two forms, and all are answered",
    arguments: [
      Variant(style: .webSEAL, challenge: .redirect, success: .originalResource),
      Variant(style: .ltpa, challenge: .form, success: .page),
      Variant(style: .classic, challenge: .unauthorizedForm, success: .inline),
    ])
  func crowd(_ variant: Variant) async throws {
    try await withGateway(variant) { gateway in
      let handler = pageHandler(variant.style, [Self.password, Self.password])
      app.start(handler)
      for part in 0..<2 {
        let texts = await withTaskGroup(of: String?.self) { group in
          for number in 0..<100 { group.addTask { await self.getData("\(part)-\(number)").0 } }
          return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(texts == Set((0..<100).map { #"{"target":"/mfp/api/adapters/\#(part)-\#($0)"}"# }))
        #expect(gateway.forms == part + 1)
        _ = try await gateway.server.dropSessions(ofUserNamed: "fred")
      }
    }
  }
}

import Foundation
import IBMMobileFirstPlatformFoundation
import TestSupport
import Testing

/// There is one client in the process, so the tests run one after the other.
@Suite("The handlers of IBM's customers", .serialized, .timeLimit(.minutes(20)))
@MainActor
final class VendorSamplesTests {
  let app = SampleApp()

  init() {
    WLClient.sharedInstance().defaultLoginFormTimeoutInterval = 600
    WLClient.sharedInstance().defaultRequestTimeoutInterval = 600
  }

  deinit {
    WLClient.sharedInstance().setServerUrl(nil)
  }

  func getData(_ adapter: String) async -> (String?, Error?) {
    await withCheckedContinuation { continuation in
      app.getData(adapter) { continuation.resume(returning: ($0, $1)) }
    }
  }

  func transfer(_ amount: String) async -> String? {
    await withCheckedContinuation { continuation in
      app.transfer(amount, to: "ResourceAdapter/transfer") { text, _ in continuation.resume(returning: text) }
    }
  }

  @Test(
    "Gateway-G1, G8, GS3: the class that the vendor's page describes signs in, also after wrong passwords",
    arguments: MobileFirstGateway.Manner.allCases, MobileFirstGateway.Landing.allCases)
  func page(_ manner: MobileFirstGateway.Manner, _ landing: MobileFirstGateway.Landing) async throws {
    let gateway = try MobileFirstGateway {
      $0.manner = manner
      $0.landing = landing
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong", "%", MobileFirstGateway.password])
    app.start(handler)
    let (text, error) = await getData("ResourceAdapter/balance")
    #expect(error == nil)
    #expect(text == #"{"target":"/mfp/api/adapters/ResourceAdapter/balance"}"#)
    #expect(handler.attempts == 3 && handler.failures.isEmpty)
    #expect(await transfer("1 000 €") == #"{"target":"/mfp/api/adapters/ResourceAdapter/transfer"}"#)
    #expect(gateway.bodies.last == "amount=1+000+%E2%82%AC")
    #expect(gateway.logins == 1 && gateway.refusals == 2)
    // What the gateway led on to after the login was the request already.
    #expect(gateway.served("/mfp/api/adapters/ResourceAdapter/balance") == (landing == .original ? 2 : 1))
  }

  @Test("Gateway-G8, GS3: secret-token validation: the form's token is sent, and a 400 leads to another form")
  func secretToken() async throws {
    let gateway = try MobileFirstGateway { $0.demandsToken = true }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong", MobileFirstGateway.password])
    app.start(handler)
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(handler.failures.isEmpty && gateway.refusals == 1 && gateway.logins == 1)
    // A form that is too old.
    gateway.expireSessions()
    let late = PageHandler(gatewayName: "LtpaBasedSSO", passwords: [MobileFirstGateway.password])
    app.start(late)
    gateway.change { $0.spoiltTokens = 1 }
    #expect(await getData("b").0 == #"{"target":"/mfp/api/adapters/b"}"#)
    #expect(late.failures == [400] && gateway.logins == 2)
  }

  @Test(
    "Gateway-G8, GS3: a person who gives up, and an account that is locked early or late", arguments: [false, true])
  func givingUp(_ locksEarly: Bool) async throws {
    let gateway = try MobileFirstGateway {
      $0.attempts = 2
      $0.locksEarly = locksEarly
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    app.start(PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong"]))
    var (text, error) = await getData("a")
    #expect(text == nil && (error as NSError?)?.code == WLClientErrorAuthenticationFailure)
    let handler = PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong", "wrong", "wrong"])
    app.start(handler)
    (text, error) = await getData("a")
    #expect(text == nil && (error as NSError?)?.domain == WLClientErrorDomain)
    #expect(gateway.refusals == 2 && handler.attempts == (locksEarly ? 1 : 2))
  }

  @Test(
    "Gateway-G1, G10, G13, GS3: the LTPA sample signs in through WebSEAL's form, tries again, and logs out",
    arguments: MobileFirstGateway.Landing.allCases)
  func isam(_ landing: MobileFirstGateway.Landing) async throws {
    let gateway = try MobileFirstGateway {
      $0.manner = .redirect
      $0.landing = landing
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp/"))
    let handler = IsamHandler()
    app.start(handler)
    let screen = LoginScreen(for: handler, passwords: ["wrong", MobileFirstGateway.password]) {
      [weak handler] password in
      handler?.login(username: "fred", password: password)
    }
    defer { screen.close() }
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(gateway.refusals == 1 && gateway.logins == 1)
    let form = try #require(gateway.server.requests.first { $0.method == "POST" })
    #expect(form.target == "/pkmslogin.form?token=Unknown")
    #expect(form.text == "login-form-type=pwd&password=wrong&username=fred")
    gateway.expireSessions()
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(gateway.logins == 2 && gateway.oldSessions == 1)
    handler.logout()
    try await gateway.waitForLogout()
    #expect(await getData("b").0 == #"{"target":"/mfp/api/adapters/b"}"#)
    #expect(gateway.logins == 3)
  }

  @Test(
    "Gateway-G1: the DataPower sample signs in through j_security_check", arguments: MobileFirstGateway.Manner.allCases)
  func dataPower(_ manner: MobileFirstGateway.Manner) async throws {
    let gateway = try MobileFirstGateway {
      $0.manner = manner
      $0.action = "j_security_check"
      $0.userField = "j_username"
      $0.passwordField = "j_password"
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = DataPowerHandler()
    app.start(handler)
    let screen = LoginScreen(for: handler, passwords: [MobileFirstGateway.password]) { [weak handler] password in
      handler?.login(username: "fred", password: password)
    }
    defer { screen.close() }
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    let form = try #require(gateway.server.requests.first { $0.method == "POST" })
    #expect(form.target == "/mfp/api/j_security_check")
    #expect(gateway.logins == 1)
  }

  @Test("Gateway-G8: a gateway that tells programs where its login page is takes two rounds")
  func typedChallenge() async throws {
    let gateway = try MobileFirstGateway {
      $0.isTyped = true
      $0.demandsToken = true
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = TypedChallengeHandler(gatewayName: "typed", passwords: ["wrong", MobileFirstGateway.password])
    app.start(handler)
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(handler.attempts == 2 && gateway.logins == 1 && gateway.refusals == 1)
  }
}

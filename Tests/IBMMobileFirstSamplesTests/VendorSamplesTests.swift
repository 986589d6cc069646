import Foundation
import IBMMobileFirstPlatformFoundation
import MobileFirstTestSupport
import OstiaryCore
import Testing

/// The samples against a gateway. They ask nothing of it but its address and a password, so that another can take its
/// place. There is one client in the process, so they run one after the other.
@Suite("The handlers of IBM's customers", .serialized, .timeLimit(.minutes(2)))
@MainActor
final class VendorSamplesTests {
  let app = SampleApp()

  deinit {
    WLClient.sharedInstance().setServerUrl(nil)
  }

  func getData(_ adapter: String) async -> (String?, Error?) {
    await withCheckedContinuation { continuation in
      app.getData(adapter) { continuation.resume(returning: ($0, $1)) }
    }
  }

  func transfer(_ amount: String) async -> Bool {
    await withCheckedContinuation { continuation in
      app.transfer(amount) { continuation.resume(returning: $0) }
    }
  }

  /// Does something whenever a handler asks for the login screen.
  func onChallenge(from handler: AnyObject, _ show: @escaping () -> Void) -> NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: ACTION_CHALLENGE_RECEIVED, object: handler, queue: nil) { _ in
      show()
    }
  }

  @Test(
    "Gateway-G1, G8: the class that the vendor's page describes signs in, also after wrong passwords",
    arguments: FormGateway.Manner.allCases)
  func page(_ manner: FormGateway.Manner) async throws {
    let gateway = try FormGateway { $0.manner = manner }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong", "%", FormGateway.password])
    app.start(handler)
    let (text, error) = await getData("ResourceAdapter/balance")
    #expect(error == nil)
    #expect(text == #"{"target":"/mfp/api/adapters/ResourceAdapter/balance"}"#)
    #expect(handler.attempts == 3 && handler.failures.isEmpty)
    #expect(await transfer("1 000 €"))
    #expect(gateway.bodies.last == "amount=1+000+%E2%82%AC")
    #expect(gateway.logins == 1 && gateway.refusals == 2)
  }

  @Test("Gateway-G8: a person who gives up, and an account that is locked")
  func givingUp() async throws {
    let gateway = try FormGateway { $0.attempts = 2 }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    app.start(PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong"]))
    var (text, error) = await getData("a")
    #expect(text == nil && (error as NSError?)?.code == WLClientErrorAuthenticationFailure)
    app.start(PageHandler(gatewayName: "LtpaBasedSSO", passwords: ["wrong", "wrong", "wrong"]))
    (text, error) = await getData("a")
    #expect(text == nil && (error as NSError?)?.domain == WLClientErrorDomain)
    #expect(gateway.refusals == 2)
  }

  @Test(
    "Gateway-G1, G10, G13: the LTPA sample signs in through WebSEAL's form, tries again, and logs out",
    arguments: [false, true])
  func isam(_ redirects: Bool) async throws {
    let gateway = try FormGateway {
      $0.manner = .redirect
      $0.redirectsAfterLogin = redirects
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp/"))
    let handler = IsamHandler()
    app.start(handler)
    let passwords = Locked(["wrong", FormGateway.password, FormGateway.password])
    let screen = onChallenge(from: handler) { [weak handler] in
      handler?.login(username: "fred", password: passwords.withLock { $0.isEmpty ? "" : $0.removeFirst() })
    }
    defer { NotificationCenter.default.removeObserver(screen) }
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    #expect(gateway.refusals == 1 && gateway.logins == 1)
    let form = try #require(gateway.server.requests.first { $0.method == "POST" })
    #expect(form.target == "/pkmslogin.form?token=Unknown")
    #expect(form.text == "login-form-type=pwd&password=wrong&username=fred")
    handler.logout()
    try await gateway.waitForLogout()
    #expect(await getData("b").0 == #"{"target":"/mfp/api/adapters/b"}"#)
    #expect(gateway.logins == 2)
  }

  @Test("Gateway-G1: the DataPower sample signs in through j_security_check", arguments: FormGateway.Manner.allCases)
  func dataPower(_ manner: FormGateway.Manner) async throws {
    let gateway = try FormGateway {
      $0.manner = manner
      $0.action = "j_security_check"
      $0.userField = "j_username"
      $0.passwordField = "j_password"
    }
    WLClient.sharedInstance().setServerUrl(gateway.server.url("/mfp"))
    let handler = DataPowerHandler()
    app.start(handler)
    let screen = onChallenge(from: handler) { [weak handler] in
      handler?.login(username: "fred", password: FormGateway.password)
    }
    defer { NotificationCenter.default.removeObserver(screen) }
    #expect(await getData("a").0 == #"{"target":"/mfp/api/adapters/a"}"#)
    let form = try #require(gateway.server.requests.first { $0.method == "POST" })
    #expect(form.target == "/mfp/api/j_security_check")
    #expect(gateway.logins == 1)
  }
}

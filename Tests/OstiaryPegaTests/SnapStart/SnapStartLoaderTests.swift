import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("Loading SnapStart addresses without a web view")
struct SnapStartLoaderTests {
  let stub: PegaStub
  let clock = ManualClock()
  let action = SnapStartAction(.openCase(handle: "UPLU D-1"))

  init() {
    stub = PegaStub(clock: clock)
  }

  func loader(timeout: Duration = .seconds(20)) throws -> SnapStartLoader {
    var configuration = PegaConfiguration()
    configuration.isProduction = false
    return SnapStartLoader(
      server: try PegaAddress(stub.url), configuration: configuration,
      context: AuthenticationContext(transport: stub.transport, clock: clock), timeout: timeout)
  }

  @Test("Pega-P13: the page and its final address come back, for whoever the cookies belong to")
  func loads() async throws {
    var cookies = try await stub.signIn().proof.cookies
    stub.intercept { request in
      guard request.path.contains("pyMobileSnapStart") else { return nil }
      return .status(
        .found, headerFields: [.location: "/prweb/PRServlet?pyActivity=Shown", .setCookie: "ROUTEID=1; Path=/"])
    }
    let page = try await loader().load(action, cookies: &cookies)
    #expect(page.response.text == "<h1>Shown</h1>")
    #expect(page.url.absoluteString == "http://pega.test:8080/prweb/PRServlet?pyActivity=Shown")
    #expect(cookies.count == 3)
  }

  @Test("Pega-P13: through a session manager, a session is got where there is none")
  func throughManager() async throws {
    let manager = try stub.manager(credentials: .upFront(.password(username: "jdoe", password: "secret")))
    let page = try await loader().load(action, through: manager)
    #expect(page.response.text == "<h1>pyMobileSnapStart</h1>")
    stub.dropSessions()
    _ = try await loader().load(action, through: manager)
    #expect(stub.logins == 2)
    let nobody = try stub.manager()
    #expect(await failure { try await loader().load(action, through: nobody) }?.code == .interactionRequired)
  }

  @Test(
    "Pega-P13: a login page, a 401 and every other failure is one failure",
    arguments: [
      (TransportResponse.html(PegaStub.loginForm()), OstiaryError.Code.interactionRequired),
      (PegaStub.unauthorized, .interactionRequired),
      (.status(.internalServerError), .serverUnavailable),
      (.status(.notFound), .unexpectedResponse),
      (.status(.serviceUnavailable), .serverUnavailable),
    ])
  func fails(_ answer: TransportResponse, _ code: OstiaryError.Code) async throws {
    var cookies = try await stub.signIn().proof.cookies
    stub.intercept { _ in answer }
    do {
      _ = try await loader().load(action, cookies: &cookies)
      Issue.record("it loaded")
    } catch {
      #expect((error as? OstiaryError)?.code == code)
    }
  }

  @Test("Pega-P13: a page that never comes is given up by the injected clock")
  func watchdog() async throws {
    stub.transport.inject(.hang)
    let loader = try loader(timeout: .seconds(5))
    let action = action
    async let outcome = failure {
      var cookies = CookieJar()
      return try await loader.load(action, cookies: &cookies).url
    }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(6))
    #expect(await outcome?.code == .timedOut)
  }

  @Test("A load that is cancelled ends at once")
  func cancelled() async throws {
    stub.transport.inject(.hang)
    let loader = try loader()
    let action = action
    let task = Task {
      var cookies = CookieJar()
      return try await loader.load(action, cookies: &cookies).url
    }
    try await clock.waitForSleepers(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Neither the watchdog nor the exchange goes on.
    #expect(clock.sleepers == 0)
  }
}

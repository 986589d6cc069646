import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import PMBase
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor
@Suite("PMSnapStartAuthenticationDelegate", .timeLimit(.minutes(5)))
struct AuthenticationDelegateTests {
  /// Gives what a test says, as often as it says.
  @MainActor
  final class Authenticator: PMSnapStartAuthenticationDelegate {
    var answers: [(URLRequest?, (any Error)?)]
    var asked = 0

    init(_ answers: (URLRequest?, (any Error)?)...) { self.answers = answers }

    func authenticatedRequest(completionHandler: @escaping @Sendable (URLRequest?, (any Error)?) -> Void) {
      asked += 1
      for (request, error) in answers { completionHandler(request, error) }
    }
  }

  let world = World()
  let listener = PMSnapStartViewControllerTests.Listener()

  /// The request of an app that signs in with a token.
  var request: URLRequest {
    var request = URLRequest(url: world.stub.url.appending(path: "sso"))
    request.setValue("Bearer token-1", forHTTPHeaderField: "Authorization")
    return request
  }

  /// Lets the server take a token, and begin a session for it.
  func takeToken() {
    world.stub.intercept { [stub = world.stub] request in
      guard request.path.hasPrefix("/prweb/sso") else { return nil }
      guard request.head.headerFields[.authorization] == "Bearer token-1" else { return .status(.forbidden) }
      var login = request
      login.head.path = "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration"
      login.head.headerFields[.authorization] = "Basic " + Data("jdoe:secret".utf8).base64EncodedString()
      return stub.respond(to: login)
    }
  }

  func perform(_ authenticator: Authenticator, timeout: Duration? = nil) async throws -> [String] {
    let controller = PMSnapStartViewController(environment: world.environment, timeout: timeout)
    controller.delegate = listener
    controller.authenticationDelegate = authenticator
    controller.perform(PMCreateCaseAction(portalURL: world.stub.url, flowType: "f", insClass: "c"))
    try await listener.ended.pass()
    return listener.events
  }

  @Test("Bug-D03: the delegate's request signs in where the server asks for it, once, and the action goes on")
  func signsIn() async throws {
    takeToken()
    let authenticator = Authenticator((request, nil))
    #expect(try await perform(authenticator) == ["start", "finish"])
    #expect(authenticator.asked == 1)
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb"])
    #expect(try await world.authenticator().isLoggedInResult().json?["operator"] == "jdoe")
    // A user who is logged in is not asked.
    listener.events = []
    let controller = PMSnapStartViewController(environment: world.environment)
    (controller.delegate, controller.authenticationDelegate) = (listener, authenticator)
    controller.perform(PMOpenCaseAction(portalURL: world.stub.url, insHandle: "A 1"))
    try await waitUntil { listener.events == ["start", "finish"] }
    #expect(authenticator.asked == 1)
  }

  @Test("Bug-D03: without a request, with an error, or refused, the action fails once, and the delegate is asked once")
  func refused() async throws {
    struct Refusal: Error {}
    let elsewhere = URLRequest(url: world.stub.url.appending(path: "nowhere"))
    let authenticators = [
      Authenticator((nil, nil)), Authenticator((nil, Refusal())), Authenticator((elsewhere, nil)),
      // The first answer counts.
      Authenticator((nil, Refusal()), (request, nil)),
    ]
    takeToken()
    for authenticator in authenticators {
      let world = World(world.stub)
      let listener = PMSnapStartViewControllerTests.Listener()
      let controller = PMSnapStartViewController(environment: world.environment)
      (controller.delegate, controller.authenticationDelegate) = (listener, authenticator)
      controller.perform(PMOpenCaseAction(portalURL: world.stub.url, insHandle: "A 1"))
      try await listener.ended.pass()
      #expect(listener.events.count == 2)
      #expect(listener.events.last?.hasPrefix("fail PMAuthenticationErrorDomain") == true)
      #expect(authenticator.asked == 1)
    }
  }

  @Test("Bug-D03: a delegate that never answers is a failure when the time is over, without a request")
  func silent() async throws {
    var world = world
    var settings = PegaSettings.vendor
    settings.names.snapStart.pageTimeout = .milliseconds(50)
    world.environment.settings = .success(settings)
    let controller = PMSnapStartViewController(environment: world.environment)
    let authenticator = Authenticator()
    (controller.delegate, controller.authenticationDelegate) = (listener, authenticator)
    controller.perform(PMOpenCaseAction(portalURL: world.stub.url, insHandle: "A 1"))
    try await listener.ended.pass()
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 4"])
    #expect(authenticator.asked == 1)
  }
}

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
@Suite("PMSnapStartViewController without a view")
struct PMSnapStartViewControllerTests {
  /// Writes down what a delegate hears.
  @MainActor
  final class Listener: PMSnapStartViewControllerDelegate {
    var events: [String] = []
    /// The actions of the events.
    var actions: [PMSnapStartAction] = []
    let ended = Gate()

    func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
      events.append("start")
      actions.append(action)
    }
    func snapStartController(
      _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: any Error
    ) {
      events.append("fail \((error as NSError).domain) \((error as NSError).code)")
      actions.append(action)
      ended.open()
    }
    func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction) {
      events.append("finish")
      actions.append(action)
      ended.open()
    }
  }

  let world = World()
  let listener = Listener()
  var stub: PegaStub { world.stub }
  var action: PMCreateCaseAction { PMCreateCaseAction(portalURL: stub.url, flowType: "pyStartCase", insClass: "Work-") }

  func controller(timeout: Duration = .seconds(20)) -> PMSnapStartViewController {
    let controller = PMSnapStartViewController(environment: world.environment, timeout: timeout)
    controller.webViewName = "newCase"
    controller.delegate = listener
    return controller
  }

  @Test("Pega-P13: start, then finish, with the page at hand")
  func finishes() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let controller = controller()
    controller.perform(action)
    try await listener.ended.pass()
    #expect(listener.events == ["start", "finish"])
    #expect(controller.page?.response.text == "<h1>pyMobileSnapStart</h1>")
    let query = "pyActivity=pyMobileSnapStart&Action=createNewWork&FlowType=pyStartCase&InsClass=Work-"
    #expect(controller.page?.url.absoluteString == "http://pega.test:8080/prweb/PRServlet?" + query)
    #expect(stub.transport.requests.last?.cookies?.contains("Pega-RULES=%09%7Bpd%7DSESSION_1") == true)
  }

  @Test("Pega-P13: start, then one failure, when nobody is logged in")
  func notLoggedIn() async throws {
    controller().perform(action)
    try await listener.ended.pass()
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 1"])
  }

  @Test("Pega-P13: start, then one failure, when the address is none")
  func noAddress() async throws {
    controller().perform(PMOpenCaseAction(portalURL: NSURL(string: "http://host:port/path"), insHandle: "A 1"))
    try await listener.ended.pass()
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 3"])
    #expect(stub.transport.count == 0)
  }

  @Test("Pega-P13: start, then one failure, when the page never comes")
  func watchdog() async throws {
    stub.transport.inject(.hang)
    let controller = controller(timeout: .milliseconds(50))
    controller.perform(action)
    try await listener.ended.pass()
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 4"])
    #expect(controller.page == nil)
  }

  @Test("Pega-P13: a controller that nobody keeps finishes what it has started")
  func released() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    controller().perform(action)
    try await listener.ended.pass()
    #expect(listener.events == ["start", "finish"])
  }

  @Test("Pega-P13: the delegate is not kept alive")
  func weakDelegate() async throws {
    let controller = controller()
    weak var released: Listener?
    do {
      let listener = Listener()
      controller.delegate = listener
      released = listener
    }
    #expect(released == nil)
    #expect(controller.delegate == nil)
  }

  @Test("Cookies that come with the page are left for the app's own requests")
  func cookies() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    stub.intercept { request in
      guard request.path.contains("pyMobileSnapStart") else { return nil }
      var response = TransportResponse.html("<h1>Case</h1>")
      response.head.headerFields[.setCookie] = "ROUTEID=1; Path=/"
      return response
    }
    controller().perform(action)
    try await listener.ended.pass()
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb", "ROUTEID /"])
  }

  /// Answers SnapStart requests with a page and cookies, once the gate is open.
  func holdPages(_ gate: Gate, setting cookies: String...) {
    stub.transport.inject(.holdResponse(gate), into: .get("/prweb/PRServlet"), at: .first(1))
    stub.intercept { request in
      guard request.path.contains("pyMobileSnapStart") else { return nil }
      var response = TransportResponse.html("<h1>Case</h1>")
      for cookie in cookies { response.head.headerFields.append(HTTPField(name: .setCookie, value: cookie)) }
      return response
    }
  }

  @Test("Invariant 5: a page that arrives after the log-off brings no session back")
  func lateForLogOff() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let gate = Gate()
    holdPages(gate, setting: "ROUTEID=1; Path=/", "Pega-RULES=rotated; Path=/prweb")
    controller().perform(action)
    try await gate.waitForWaiting()
    #expect(try await authenticator.logOffResult().isSuccess)
    gate.open()
    try await listener.ended.pass()
    #expect(world.cookies == [])
  }

  @Test("Invariant 5: a page that arrives after another user's login leaves that session alone")
  func lateForNextUser() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let gate = Gate()
    holdPages(gate, setting: "Pega-RULES=rotated; Path=/prweb")
    controller().perform(action)
    try await gate.waitForWaiting()
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(try await authenticator.logIn("bob", "hunter2").isSuccess)
    let cookies = world.storage.cookies?.map(\.value).sorted()
    gate.open()
    try await listener.ended.pass()
    #expect(world.storage.cookies?.map(\.value).sorted() == cookies)
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "bob")
  }

  @Test("A page changes the cookies that it sets or deletes, and no others")
  func onlyChanges() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    world.set("theme", "dark")
    world.set("old", "1")
    let gate = Gate()
    holdPages(gate, setting: "Pega-RULES=rotated; Path=/prweb", "old=; Path=/prweb; Max-Age=0")
    controller().perform(action)
    try await gate.waitForWaiting()
    // Meanwhile a request of the app's own changes another cookie.
    world.set("theme", "light")
    gate.open()
    try await listener.ended.pass()
    let left = (world.storage.cookies ?? []).filter { !$0.value.isEmpty }.map { "\($0.name)=\($0.value)" }.sorted()
    #expect(left == ["JSESSIONID=NODE1", "Pega-RULES=rotated", "theme=light"])
  }

  /// Waits until the held page of the older action has come, with its cookie, and what follows has happened.
  func waitForLatePage() async throws {
    // What comes with the late page is kept all the same.
    try await waitUntil { world.cookies.contains("ROUTEID /") }
    for _ in 0..<100 { await Task.yield() }
  }

  @Test(
    "Bug-F40: a late page of an older action doesn't take the place of the newer action's", arguments: [true, false])
  func lateForNewerAction(_ isAnotherAction: Bool) async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let (gate, older) = (Gate(), action)
    let newer = isAnotherAction ? PMOpenCaseAction(portalURL: stub.url, insHandle: "A 1") : older
    holdPages(gate, setting: "ROUTEID=1; Path=/")
    let controller = controller()
    controller.perform(older)
    try await gate.waitForWaiting()
    stub.intercept { $0.path.contains("pyMobileSnapStart") ? .html("<h1>Newer</h1>") : nil }
    controller.perform(newer)
    try await waitUntil { listener.events.contains("finish") }
    #expect(controller.page?.response.text == "<h1>Newer</h1>")
    gate.open()
    try await waitForLatePage()
    #expect(controller.page?.response.text == "<h1>Newer</h1>")
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 2", "start", "finish"])
    #expect(listener.actions == [older, older, newer, newer])
  }

  @Test("Bug-F40: a late page of an older action doesn't end the newer action")
  func lateBeforeNewerPage() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let (gate, newerGate) = (Gate(), Gate())
    holdPages(gate, setting: "ROUTEID=1; Path=/")
    let controller = controller()
    controller.perform(action)
    try await gate.waitForWaiting()
    holdPages(newerGate, setting: "NEWER=1; Path=/")
    controller.perform(PMOpenCaseAction(portalURL: stub.url, insHandle: "A 1"))
    try await newerGate.waitForWaiting()
    gate.open()
    try await waitForLatePage()
    #expect(controller.page == nil)
    #expect(listener.events == ["start", "fail PMAuthenticationErrorDomain 2", "start"])
    newerGate.open()
    try await waitUntil { listener.events.contains("finish") }
    #expect(controller.page?.url.absoluteString.contains("A%201") == true)
  }

  @Test("Bug-F40: of actions at once the last one's page stays", arguments: 0..<5)
  func atOnce(_ repetition: Int) async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    stub.intercept { $0.path.contains("pyMobileSnapStart") ? .html($0.path) : nil }
    let controller = controller()
    for number in 0..<10 {
      controller.perform(PMOpenCaseAction(portalURL: stub.url, insHandle: "A \(number)"))
    }
    try await waitUntil { listener.events.filter { $0 == "start" }.count == 10 && listener.events.count == 20 }
    #expect(listener.events.last == "finish")
    #expect(controller.page?.url.absoluteString.hasSuffix("A%209") == true)
  }

  @Test("Pega-P13: each action asks for what it is called")
  func actions() async throws {
    let url = stub.url
    let actions: [(PMSnapStartAction, String)] = [
      (PMCreateCaseAction(portalURL: url, flowType: "f", insClass: "c"), "Action=createNewWork&FlowType=f&InsClass=c"),
      (PMOpenCaseAction(portalURL: url, insHandle: "A 1"), "Action=openWorkByHandle&InsHandle=A%201"),
      (PMOpenAssignmentAction(portalURL: url, insHandle: "A 1"), "Action=openAssigment&InsHandle=A%201"),
      (
        PMShowHarnessAction(portalURL: url, harnessName: "h", className: "c"),
        "Action=display&Harness=h&ClassName=c&a=1&b=2"
      ),
      (
        PMRunActivityAction(portalURL: url, activityName: "a", className: "c"),
        "pyShowFullPortal=true&Action=runActivity&pyActivityName=a&ClassName=c"
      ),
    ]
    actions[3].0.additionalProperties = ["b": "2", "a": "1"]
    actions[4].0.showsFullPortal = true
    for (action, expected) in actions {
      let listener = Listener()
      let controller = PMSnapStartViewController(environment: world.environment)
      controller.delegate = listener
      controller.perform(action)
      try await listener.ended.pass()
      #expect(stub.transport.requests.last?.path == "/prweb/PRServlet?pyActivity=pyMobileSnapStart&" + expected)
    }
  }
}

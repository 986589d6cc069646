import Foundation
import OstiaryCore
import OstiaryPega
import Testing

/// What a web view tells, in the orders in which WebKit tells it.
@Suite("What becomes of a view's SnapStart actions")
struct SnapStartLoadsTests {
  /// A navigation of a web view.
  final class Navigation {}

  /// Writes orders down.
  static func lines(_ orders: [SnapStartLoads<String>.Order]) -> [String] {
    orders.map { order in
      switch order {
      case .tell(.started, let action): "start \(action)"
      case .tell(.finished, let action): "finish \(action)"
      case .tell(.failed(let error), let action): "fail \(action): \((error as? OstiaryError)?.code.rawValue ?? "?")"
      case .stop: "stop"
      case .load(let turn): "load \(turn)"
      case .read(let turn): "read \(turn)"
      case .signIn(let turn, _): "sign in \(turn)"
      }
    }
  }

  /// Performs an action and loads its page.
  func perform(_ action: String, _ loads: inout SnapStartLoads<String>) -> Navigation {
    _ = loads.perform(action)
    let navigation = Navigation()
    loads.loads(loads.newest, navigation)
    loads.began(navigation)
    return navigation
  }

  @Test("Bug-D03: an action is not finished with its first page, but when a page says so")
  func finishes() {
    var loads = SnapStartLoads<String>()
    #expect(Self.lines(loads.perform("case")) == ["stop", "start case", "load 1"])
    let first = Navigation()
    loads.loads(1, first)
    #expect(Self.lines(loads.finished(first)) == ["read 1"])
    #expect(Self.lines(loads.read(.work, 1)) == [])
    #expect(loads.isUnderWay(1))
    // The page leads on by itself.
    let second = Navigation()
    loads.began(second)
    #expect(Self.lines(loads.finished(second)) == ["read 1"])
    #expect(Self.lines(loads.read(.finished, 1)) == ["finish case"])
    #expect(Self.lines(loads.read(.finished, 1)) == [])
    #expect(Self.lines(loads.closed()) == [])
  }

  @Test("Bug-D03: a page that closes its window has finished the action, once it was shown")
  func closes() {
    var loads = SnapStartLoads<String>()
    let navigation = perform("case", &loads)
    #expect(Self.lines(loads.closed()) == [])
    _ = loads.finished(navigation)
    _ = loads.read(.work, 1)
    #expect(Self.lines(loads.closed()) == ["finish case"])
  }

  @Test("Bug-D03: a page says by the element that the settings name that its action is finished")
  func sign() {
    var configuration = PegaConfiguration()
    let done = "<html><body><div id='snapStartFinished'></div></body></html>"
    #expect(SnapStartSign(html: done, configuration: configuration) == .finished)
    #expect(SnapStartSign(html: "<h1>Case</h1>", configuration: configuration) == .work)
    #expect(SnapStartSign(html: "<p>snapStartFinished</p>", configuration: configuration) == .work)
    let form = "<form id=credentialsForm><input name=UserIdentifier><input name=Password></form>"
    #expect(SnapStartSign(html: form, configuration: configuration) == .loginForm)
    configuration.snapStart.finishedElementID = "thanks"
    #expect(SnapStartSign(html: done, configuration: configuration) == .work)
    #expect(SnapStartSign(html: "<h2 id=thanks>Thank you</h2>", configuration: configuration) == .finished)
    configuration.snapStart.finishedElementID = ""
    #expect(SnapStartSign(html: "<h2 id=''>Thank you</h2>", configuration: configuration) == .work)
  }

  @Test("Bug-D14: the failure of a navigation that a newer action has ended says nothing of the newer one")
  func superseded() {
    var loads = SnapStartLoads<String>()
    let older = perform("older", &loads)
    #expect(
      Self.lines(loads.perform("newer")) == ["stop", "fail older: interaction_cancelled", "start newer", "load 2"])
    // WebKit tells it late: before and after the newer page is being loaded.
    let lost = OstiaryError(.connectionLost, "Lost.")
    #expect(Self.lines(loads.failed(older, lost)) == [])
    let newer = Navigation()
    loads.loads(2, newer)
    #expect(Self.lines(loads.failed(older, lost)) == [])
    #expect(loads.isUnderWay(2))
    #expect(Self.lines(loads.failed(newer, lost)) == ["fail newer: cannot_connect"])
  }

  @Test("Bug-D14: a second action is not finished by the first one's page, read late or come late")
  func firstPage() {
    var loads = SnapStartLoads<String>()
    let older = perform("older", &loads)
    #expect(Self.lines(loads.finished(older)) == ["read 1"])
    _ = loads.perform("newer")
    #expect(Self.lines(loads.read(.finished, 1)) == [])
    #expect(Self.lines(loads.finished(older)) == [])
    let newer = Navigation()
    loads.loads(2, newer)
    #expect(Self.lines(loads.finished(older)) == [])
    #expect(Self.lines(loads.answered(500, isForMainFrame: true).orders) == ["fail newer: unexpected_response"])
  }

  @Test("Bug-D14: an answer that comes before the newer page is loaded is the older action's, and is not shown")
  func lateAnswer() {
    var loads = SnapStartLoads<String>()
    _ = perform("older", &loads)
    _ = loads.perform("newer")
    let late = loads.answered(500, isForMainFrame: true)
    #expect(!late.isShown && late.orders.isEmpty)
    #expect(loads.isUnderWay(2))
  }

  @Test("Bug-D14: a newer action's start is told after the older one's end, which is not called a log-off")
  func superseding() {
    var loads = SnapStartLoads<String>()
    _ = loads.perform("older")
    for case .tell(.failed(let error), _) in loads.perform("newer") {
      #expect("\(error)".contains("A newer action has taken the place of this one."))
      #expect(!"\(error)".contains("log-off"))
    }
  }

  @Test("Bug-D14: a navigation that was ended is no failure: the next one began, or its answer is not shown")
  func ended() {
    var loads = SnapStartLoads<String>()
    let navigation = perform("case", &loads)
    let cancelled = NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)
    let interrupted = NSError(domain: "WebKitErrorDomain", code: 102)
    #expect(Self.lines(loads.failed(navigation, cancelled)) == [])
    #expect(Self.lines(loads.failed(navigation, interrupted)) == [])
    #expect(Self.lines(loads.failed(nil, cancelled)) == [])
    #expect(loads.isUnderWay(1))
    let offline = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
    #expect(Self.lines(loads.failed(navigation, offline)) == ["fail case: cannot_connect"])
  }

  @Test("Bug-D14: frames in a page, and redirects, end nothing; a 401 and a login form ask for a sign-in, once")
  func answers() {
    var loads = SnapStartLoads<String>()
    let navigation = perform("case", &loads)
    #expect(loads.answered(404, isForMainFrame: false).isShown)
    #expect(loads.answered(302, isForMainFrame: true).isShown)
    let refused = loads.answered(401, isForMainFrame: true)
    #expect(!refused.isShown)
    #expect(Self.lines(refused.orders) == ["sign in 1"])
    #expect(Self.lines(loads.finished(navigation)) == ["read 1"])
    #expect(Self.lines(loads.read(.loginForm, 1)) == ["fail case: interaction_required"])
    _ = perform("next", &loads)
    #expect(Self.lines(loads.read(.loginForm, 2)) == ["sign in 2"])
  }

  @Test("Bug-D14: the time is over for a page that has not come, and not for one that is shown")
  func time() {
    var loads = SnapStartLoads<String>()
    let navigation = perform("case", &loads)
    #expect(Self.lines(loads.timeIsOver(7, after: .seconds(20))) == [])
    _ = loads.finished(navigation)
    _ = loads.read(.work, 1)
    #expect(Self.lines(loads.timeIsOver(1, after: .seconds(20))) == [])
    _ = perform("next", &loads)
    #expect(Self.lines(loads.timeIsOver(1, after: .seconds(20))) == [])
    #expect(Self.lines(loads.timeIsOver(2, after: .seconds(20))) == ["stop", "fail next: timed_out"])
  }

  @Test("Bug-D14: the web view's end is a failure, once; navigations are not kept for ever")
  func death() {
    var loads = SnapStartLoads<String>()
    _ = perform("case", &loads)
    #expect(Self.lines(loads.died()) == ["fail case: connection_lost"])
    #expect(Self.lines(loads.died()) == [])
    weak var first: Navigation?
    do {
      let navigation = Navigation()
      first = navigation
      loads.began(navigation)
    }
    #expect(first != nil)
    for _ in 0..<100 { loads.began(Navigation()) }
    #expect(first == nil)
  }
}

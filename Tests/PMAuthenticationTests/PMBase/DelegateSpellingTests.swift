import Dispatch
import Foundation
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMBase
import TestSupport
import Testing

@MainActor
@Suite("The spellings of the delegate, and threads")
struct DelegateSpellingTests {
  @MainActor
  class Events {
    var events: [String] = []
    let ended = Gate()
    func note(_ event: String) {
      events.append(event)
      if event != "start" { ended.open() }
    }
  }

  /// As Swift 3 and later import the selectors.
  final class Imported: Events, PMSnapStartViewControllerDelegate {
    func snapStart(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) { note("start") }
    func snapStart(
      _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error
    ) {
      note("fail")
    }
    func snapStart(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) { note("finish") }
  }

  /// With the words left out, and the first one kept.
  final class Kept: Events, PMSnapStartViewControllerDelegate {
    func snapStartController(_ controller: PMSnapStartViewController, didStart action: PMSnapStartAction) {
      note("start")
    }
    func snapStartController(
      _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error
    ) { note("fail") }
    func snapStartController(_ controller: PMSnapStartViewController, didFinish action: PMSnapStartAction) {
      note("finish")
    }
  }

  /// As Swift 2 imported the selectors.
  final class Old: Events, PMSnapStartViewControllerDelegate {
    func snapStartController(_ controller: PMSnapStartViewController, didStartAction action: PMSnapStartAction) {
      note("start")
    }
    func snapStartController(
      _ controller: PMSnapStartViewController, didFailAction action: PMSnapStartAction, withError error: any Error
    ) { note("fail") }
    func snapStartController(_ controller: PMSnapStartViewController, didFinishAction action: PMSnapStartAction) {
      note("finish")
    }
  }

  let world = World()
  var action: PMCreateCaseAction {
    PMCreateCaseAction(portalURL: world.stub.url, flowType: "pyStartCase", insClass: "Work-")
  }

  @Test("Bug-D03: each spelling of the delegate hears one start and one end")
  func spellings() async throws {
    let delegates: [any Events & PMSnapStartViewControllerDelegate] = [Imported(), Kept(), Old()]
    for delegate in delegates {
      let controller = PMSnapStartViewController(environment: world.environment)
      controller.delegate = delegate
      controller.perform(action)
      try await delegate.ended.pass()
      #expect(delegate.events == ["start", "fail"])
    }
    #expect(try await world.authenticator().logIn().isSuccess)
    for delegate in [Imported(), Kept(), Old()] as [any Events & PMSnapStartViewControllerDelegate] {
      let controller = PMSnapStartViewController(environment: world.environment)
      controller.delegate = delegate
      controller.perform(action)
      try await delegate.ended.pass()
      #expect(delegate.events == ["start", "finish"])
    }
  }

  @available(*, deprecated)
  @Test("Bug-D01: the page's spelling of performing is still there")
  func page() async throws {
    let delegate: any Events & PMSnapStartControllerDelegate = Old()
    let controller = PMSnapStartViewController(environment: world.environment)
    controller.delegate = delegate
    controller.performAction(action)
    try await delegate.ended.pass()
    #expect(delegate.events == ["start", "fail"])
  }

  /// Waits for work on a thread of its own.
  static func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread {
      work()
      done.signal()
    }.start()
    _ = done.wait(timeout: .now() + 60)
  }

  @Test("Bug-D03: an action is performed from any thread, as it is then")
  func anyThread() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let delegate = Imported()
    let controller = PMSnapStartViewController(environment: world.environment)
    controller.delegate = delegate
    let url = world.stub.url
    // This thread, which performs actions, is held until the other one has changed the action.
    Self.onAnotherThread {
      let action = PMCreateCaseAction(portalURL: url, flowType: "pyStartCase", insClass: "Work-")
      action.additionalProperties = ["a": "1"]
      controller.perform(action)
      action.additionalProperties = ["a": "2"]
    }
    try await delegate.ended.pass()
    #expect(delegate.events == ["start", "finish"])
    #expect(controller.page?.url.absoluteString.hasSuffix("&a=1") == true)
  }

  @Test("Bug-D03: a delegate that is set in the callback, and one that performs the next action there")
  func reentrant() async throws {
    @MainActor
    final class Next: Events, PMSnapStartViewControllerDelegate {
      var next: PMSnapStartAction?
      func snapStart(
        _ controller: PMSnapStartViewController, didFail action: PMSnapStartAction, withError error: any Error
      ) {
        note("fail")
        let last = Imported()
        later = last
        controller.delegate = last
        if let next { controller.perform(next) }
      }
      var later: Imported?
    }
    let first = Next()
    first.next = action
    let controller = PMSnapStartViewController(environment: world.environment)
    controller.delegate = first
    controller.perform(action)
    try await first.ended.pass()
    try await first.later?.ended.pass()
    #expect(first.events == ["fail"])
    #expect(first.later?.events == ["start", "fail"])
  }

  @Test("Bug-D03: an app's delegate hands its events on, and goes on as before")
  func application() {
    let (delegate, application) = (PMApplicationDelegate(), NSObject())
    #expect(delegate.application(application, willFinishLaunchingWithOptions: nil))
    #expect(delegate.application(application, didFinishLaunchingWithOptions: ["key": 1]))
    delegate.applicationWillResignActive(application)
    delegate.applicationDidEnterBackground(application)
    delegate.applicationWillEnterForeground(application)
    delegate.applicationDidBecomeActive(application)
    delegate.applicationWillTerminate(application)
  }
}

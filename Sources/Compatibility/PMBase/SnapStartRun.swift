internal import Foundation
internal import Ostiary
internal import OstiaryPega
internal import PMAuthentication

/// One action on its way: what both kinds of view controller do without a web view.
struct SnapStartRun: Sendable {
  let action: SnapStartAction
  let server: PegaAddress
  let environment: PegaEnvironment
  let timeout: Duration

  /// How long an action may take.
  static let timeout = Duration.seconds(20)

  @MainActor
  init(_ action: PMSnapStartAction, environment: PegaEnvironment, timeout: Duration) throws {
    self.action = action.action
    self.server = try action.address(environment.configuration)
    self.environment = environment
    self.timeout = timeout
  }

  /// Loads the action's page with the cookies that the app's own requests use, and leaves there those that come with it.
  func load() async throws -> SnapStartPage {
    let loader = SnapStartLoader(
      server: server, configuration: environment.configuration, context: environment.context, timeout: timeout)
    let before = environment.cookies.read(for: server, now: environment.clock.now)
    var cookies = before
    defer {
      environment.cookies.update(
        from: before, to: cookies, for: server, configuration: environment.configuration, now: environment.clock.now)
    }
    return try await loader.load(action, cookies: &cookies)
  }

  /// Whether a page that a web view shows is the server's login form.
  static func isLoginForm(_ html: String, _ environment: PegaEnvironment) -> Bool {
    PegaPage.isLoginForm(html, configuration: environment.configuration)
  }
}

/// What becomes of an action.
enum SnapStartEvent: Sendable {
  case started
  case finished
  case failed(any Error)
}

extension PMSnapStartViewController {
  /// Tells the delegate. In Objective-C its methods are optional.
  func tell(_ event: SnapStartEvent, of action: PMSnapStartAction) {
    #if canImport(ObjectiveC)
      switch event {
      case .started: delegate?.snapStartController?(self, didStartAction: action)
      case .finished: delegate?.snapStartController?(self, didFinishAction: action)
      case .failed(let error): delegate?.snapStartController?(self, didFailAction: action, withError: error)
      }
    #else
      switch event {
      case .started: delegate?.snapStartController(self, didStartAction: action)
      case .finished: delegate?.snapStartController(self, didFinishAction: action)
      case .failed(let error): delegate?.snapStartController(self, didFailAction: action, withError: error)
      }
    #endif
  }
}

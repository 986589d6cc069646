internal import Foundation
internal import Ostiary
internal import OstiaryPega
internal import PMAuthentication

/// What an action was when it was performed.
struct PerformedAction: Sendable {
  let action: SnapStartAction
  let url: URL?
}

/// What both kinds of view controller do.
extension PMSnapStartViewController {
  /// Performs an action, on any thread. The delegate hears of its start, then of its finish or failure, once each, on the main actor. An
  /// action that is under way has failed then, and its late page counts for nothing.
  public nonisolated func perform(_ action: PMSnapStartAction) {
    let work = PerformedAction(action: action.action, url: action.portalURL)
    MainActorDelivery.post { [self] in
      self.work = work
      carryOut(loads.perform(action))
    }
  }

  /// Performs an action: the spelling of the vendor's page.
  @available(*, deprecated, renamed: "perform(_:)")
  public nonisolated func performAction(_ action: PMSnapStartAction) { perform(action) }

  /// Carries out orders, in their order.
  func carryOut(_ orders: [SnapStartLoads<PMSnapStartAction>.Order]) {
    for order in orders {
      switch order {
      case .tell(let event, let action): tell(event, of: action)
      case .stop: stopLoading()
      case .load(let turn): if loads.isUnderWay(turn), let work { load(turn, work) }
      case .read(let turn): read(turn)
      case .signIn(let turn, let error): signIn(for: turn, after: error)
      }
    }
  }

  private func tell(_ event: SnapStartLoads<PMSnapStartAction>.Event, of action: PMSnapStartAction) {
    switch event {
    case .started: delegate?.snapStart(self, didStartAction: action)
    case .finished: delegate?.snapStart(self, didFinish: action)
    case .failed(let error):
      let error = PMAuthenticationError.nsError(error, numbers: environment.knownSettings.errorNumbers)
      delegate?.snapStart(self, didFail: action, withError: error)
    }
  }

  /// Signs in with a request of the authentication delegate's, and performs the action again.
  private func signIn(for turn: Int, after error: any Error) {
    guard let authenticationDelegate else { return carryOut(loads.end(turn, .failed(error))) }
    let (environment, url) = (environment, work?.url)
    MainActorDelivery.deliver { [self] in
      do {
        let timeout = environment.configuration.snapStart.pageTimeout
        let request = try await authenticationDelegate.request(within: timeout, clock: environment.clock)
        let login = SharedWork<Void>()
        environment.services.begin(
          at: url, by: environment.knownSettings.loginActivity ?? .mobileAppConfiguration, in: environment, as: .login,
          { try await $0.logIn(with: request) }, completion: { login.finish($0) })
        try await login.value()
        carryOut([.load(turn)])
      } catch {
        carryOut(loads.end(turn, .failed(error)))
      }
    }
  }
}

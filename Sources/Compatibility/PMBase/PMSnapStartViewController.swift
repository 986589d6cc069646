#if !os(iOS) && !os(visionOS)
  public import Foundation
  internal import Ostiary
  public import OstiaryPega
  internal import PMAuthentication

  /// Performs SnapStart actions where there is no view to show them in: the server does the work, the page is kept as
  /// data.
  ///
  /// On iOS and visionOS the class of this name is a view controller with a web view. Both use the cookies of
  /// `HTTPCookieStorage.shared`, where a login leaves them. An action that has started keeps its controller alive until
  /// its last event.
  @preconcurrency @MainActor
  open class PMSnapStartViewController: NSObject {
    /// The name of the view; each of several views needs its own.
    public var webViewName: String?
    /// Hears what becomes of the actions. Not kept alive by the controller.
    public weak var delegate: (any PMSnapStartControllerDelegate)?
    /// What the server answered to the last action that finished.
    public private(set) var page: SnapStartPage?

    var turns = SnapStartTurns<PMSnapStartAction>()
    private let environment: PegaEnvironment
    private let timeout: Duration

    /// Makes a controller.
    public override init() {
      environment = .shared
      timeout = PMSnapStartViewController.timeout
    }

    package init(environment: PegaEnvironment, timeout: Duration = PMSnapStartViewController.timeout) {
      self.environment = environment
      self.timeout = timeout
    }

    /// Performs an action. The delegate hears of its start, then of its finish or failure, once each, on the main actor. An
    /// action that is under way has failed then, and its late page counts for nothing.
    public func performAction(_ action: PMSnapStartAction) {
      MainActorDelivery.post { self.perform(action) }
    }

    private func perform(_ action: PMSnapStartAction) {
      let turn = begin(action)
      MainActorDelivery.deliver { [self] in
        do {
          // It is not cancelled by a newer action: cookies that come with its page are kept.
          let page = try await environment.load(
            action.action, at: action.address(environment.configuration), timeout: timeout)
          if turns.isUnderWay(turn) { self.page = page }
          end(turn)
        } catch {
          end(turn, with: error)
        }
      }
    }
  }
#endif

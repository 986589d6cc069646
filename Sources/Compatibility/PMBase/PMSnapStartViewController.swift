#if !os(iOS) && !os(visionOS)
  public import Foundation
  internal import Ostiary
  public import OstiaryPega
  package import PMAuthentication

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

    private let environment: PegaEnvironment
    private let timeout: Duration

    /// Makes a controller.
    public override init() {
      environment = .shared
      timeout = SnapStartRun.timeout
    }

    package init(environment: PegaEnvironment, timeout: Duration = .seconds(20)) {
      self.environment = environment
      self.timeout = timeout
    }

    /// Performs an action. The delegate hears of its start, then of its finish or failure, once each, on the main actor.
    public func performAction(_ action: PMSnapStartAction) {
      Task {
        tell(.started, of: action)
        do {
          let run = try SnapStartRun(action, environment: environment, timeout: timeout)
          page = try await run.load()
          tell(.finished, of: action)
        } catch {
          tell(.failed(PMAuthenticationError.nsError(error)), of: action)
        }
      }
    }
  }
#endif

#if !canImport(UIKit) || !canImport(WebKit) || os(tvOS) || os(watchOS)
  public import Foundation
  internal import Ostiary
  public import OstiaryPega
  internal import PMAuthentication

  /// Performs SnapStart actions where there is no view to show them in: the server does the work, the page is kept as
  /// data.
  ///
  /// On iOS and visionOS the class of this name is a view controller with a web view. Both use the cookies of
  /// `HTTPCookieStorage.shared`, where a login leaves them. An action that has started keeps its controller alive until
  /// its last event. Without a view no user goes on with a page, so an action is finished when its page has come.
  @preconcurrency @MainActor
  open class PMSnapStartViewController: NSObject {
    /// The name of the view; each of several views needs its own.
    public var webViewName: String?
    /// Hears what becomes of the actions. Not kept alive by the controller.
    public weak var delegate: (any PMSnapStartViewControllerDelegate)?
    /// Signs a user in where the server asks for it. Not kept alive by the controller.
    public weak var authenticationDelegate: (any PMSnapStartAuthenticationDelegate)?
    /// What the server answered to the last action that finished.
    public private(set) var page: SnapStartPage?

    var loads = SnapStartLoads<PMSnapStartAction>()
    var work: PerformedAction?
    private let given: PegaEnvironment?
    private let timeout: Duration?

    /// Makes a controller.
    public override init() {
      given = nil
      timeout = nil
    }

    package init(environment: PegaEnvironment, timeout: Duration? = nil) {
      given = environment
      self.timeout = timeout
    }

    /// The names and cookies of this moment.
    var environment: PegaEnvironment { given ?? .shared }

    func load(_ turn: Int, _ work: PerformedAction) {
      MainActorDelivery.deliver { [self] in
        do {
          // It is not cancelled by a newer action: cookies that come with its page are kept.
          let page = try await environment.load(
            work.action, at: environment.address(of: work.url), timeout: timeout)
          if loads.isUnderWay(turn) { self.page = page }
          carryOut(loads.end(turn, .finished))
        } catch {
          carryOut(loads.fail(turn, error))
        }
      }
    }

    // No web view loads, and none has a page to read.
    func stopLoading() {}
    func read(_ turn: Int) {}
  }
#endif

public import Foundation
internal import Ostiary
internal import OstiaryCore
internal import OstiarySalesforce

/// The way into Service Cloud: who uses each of its services, and the calls that need to know.
///
/// A drop-in for the class of this name (`SCServiceCloud` in Objective-C) in Salesforce's Embedded Service SDK, on Ostiary, as
/// far as authentication, push notifications and requests go; the vendor's screens are not part of it. It may be used from
/// any thread. The delegate and completion blocks are called on the main actor, each completion block exactly once; on
/// Linux that takes a main thread that runs the main queue, as an `async` main does.
///
/// - **On demand:** ``showInterface(for:)`` and ``request(_:path:body:contentType:forServiceType:completion:)`` ask the
///   ``delegate`` for settings when it has not been asked yet.
/// - **Explicitly:** ``setAuthenticationSettings(_:forServiceType:completion:)`` verifies settings first and forestalls the
///   question.
///
/// See the vendor's page "Authentication".
public final class ServiceCloud: NSObject, Sendable {
  private struct State {
    weak var delegate: (any SCServiceCloudDelegate)?
    var configuration = SCSServiceConfiguration()
    var presenter: (@MainActor @Sendable (SCSNotification, ServiceResponse?, (any Error)?) -> Void)?
  }

  let services: SalesforceServices
  private let problemOfSettings: @Sendable () -> OstiaryError?
  private let state = Locked(State())

  private static let process = ServiceCloud(environment: .shared)

  package init(environment: ServiceCoreEnvironment) {
    problemOfSettings = environment.problem
    services = SalesforceServices(
      transport: environment.transport, configuration: environment.services, clock: environment.clock)
    super.init()
    services.handlers = SalesforceServiceHandlers(
      shouldAuthenticate: { [weak self] type, reply in await self?.ask(SCServiceType(type), reply) ?? false },
      authenticationFailed: { [weak self] error, type in await self?.tell(error, SCServiceType(type)) ?? false })
    services.onEvent { [weak self] event in
      let type = SCServiceType(event.type)
      MainActorDelivery.deliver {
        guard let self else { return }
        NotificationCenter.default.post(
          name: .SCSAuthenticationSettingsUpdated, object: self, userInfo: [SCSServiceTypeKey: type])
      }
    }
  }

  /// The process's own.
  public class func shared() -> ServiceCloud { process }

  /// Makes decisions for the SDK. It is not kept alive: one that is gone counts as one that implements nothing.
  public var delegate: (any SCServiceCloudDelegate)? {
    get {
      var delegate: (any SCServiceCloudDelegate)?
      state.withLock { delegate = $0.delegate }
      return delegate
    }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// Why the app's settings can't be used; `nil` when they can.
  var problem: OstiaryError? { problemOfSettings() }

  private static let directory = Locked<URL?>(nil)
  /// Kept for code that sets it: this module stores no files. Mobile SDK accounts rest where `SFUserAccountManager` keeps them.
  public class var sharedDataDirectory: URL? {
    get { directory.withLock { $0 } }
    set { directory.withLock { $0 = newValue } }
  }

  /// Where the services are. Its community takes the requests of guests who have no settings of their own.
  public var serviceConfiguration: SCSServiceConfiguration {
    get { state.withLock { $0.configuration } }
    set { state.withLock { $0.configuration = newValue } }
  }

  /// Shows what the vendor's screen for a notification would have: gets the notification and, once a user is known, the
  /// record that it is about, or what prevented reading it. (Not in the vendor's SDK, which had screens.)
  public var interfacePresenter: (@MainActor @Sendable (SCSNotification, ServiceResponse?, (any Error)?) -> Void)? {
    get { state.withLock { $0.presenter } }
    set { state.withLock { $0.presenter = newValue } }
  }

  // MARK: Settings

  /// Sets who uses a service.
  ///
  /// The server is asked about a user's settings first; until it has said yes, what was set before stays. A question to the
  /// delegate that is not answered yet is over.
  /// - Parameters:
  ///   - settings: the settings; `nil` signs the user out, here and at once, and never fails.
  ///   - service: which service. Others keep their settings.
  ///   - completion: whether the settings hold now; an error in ``SCServiceErrorDomain`` otherwise.
  @preconcurrency
  public func setAuthenticationSettings(
    _ settings: SCSAuthenticationSettings?, forServiceType service: SCServiceType,
    completion: (@MainActor @Sendable (Bool, (any Error)?) -> Void)? = nil
  ) {
    if settings != nil, let problem {
      CapturedCall<Void>(.failure(problem)).report(to: completion) {}
      return
    }
    // Begun before this returns: the next call that needs settings finds them and does not ask.
    let change = services[service.service].begin(settings?.handedOver)
    CapturedCall(.success(change)).report(to: completion) { try await $0.wait() }
  }

  /// The settings that a service is used with now; `nil` after a sign-out, and for guests that have none.
  public func authenticationSettings(forServiceType service: SCServiceType) -> SCSAuthenticationSettings? {
    guard let settings = services[service.service].settings else { return nil }
    return settings.face as? SCSAuthenticationSettings ?? SCSAuthenticationSettings(settings)
  }

  // MARK: The delegate

  @MainActor
  private func ask(_ service: SCServiceType, _ reply: SalesforceSettingsReply) -> Bool {
    guard let delegate else { return false }
    return delegate.serviceCloud(self, shouldAuthenticateServiceType: service) { reply($0?.handedOver) }
  }

  @MainActor
  private func tell(_ error: OstiaryError, _ service: SCServiceType) -> Bool {
    delegate?.serviceCloud(self, authenticationFailed: ServiceErrors.aboutSettings(error), forServiceType: service)
      ?? false
  }

  /// The services; not who uses them.
  public override var description: String { "ServiceCloud" }
  public override var debugDescription: String { description }
}

extension ServiceCloud: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}

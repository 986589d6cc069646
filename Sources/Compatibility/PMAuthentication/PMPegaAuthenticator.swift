public import Dispatch
public import Foundation
package import Ostiary
package import OstiaryPega

/// Logs in to a Pega 7 Platform server, logs off, and asks whether a user is logged in.
///
/// A drop-in for the class of this name in Pega's Mashup SDK 2, on Ostiary. What differs, and why:
///
/// - **Completion handlers** are called exactly once, also when the authenticator is released or a log-off overtakes a
///   login, on ``completionQueue``: the main queue unless you say otherwise. On Linux the main queue works when the
///   program's main thread runs it: an `async` main does, as does `dispatchMain()` or a running `RunLoop.main`.
/// - **Calls wait for one another**, in the order in which they are made, whichever of a server's authenticators they are made on,
///   so that two logins at once never make two sessions: the second finds the first's session and fails. A log-off cancels logins
///   that are waiting or under way.
/// - **Logging in while logged in** fails with ``PMAuthenticationError/internal`` and leaves the session alone, for the
///   same user and for another: the vendor's page demands to log off first. A session that the server has ended in the
///   meantime is no obstacle.
/// - **Cookies** live in `HTTPCookieStorage.shared`, too, so that the app's own requests carry the session and a POST of
///   the app's own can begin one.
/// - **Names** that the vendor has not published are settings: ``PMPegaConfiguration``.
///
/// See the vendor's page "Authenticate with the Mashup SDK on iOS".
public final class PMPegaAuthenticator: NSObject, CustomReflectable, Sendable {
  private struct State: Sendable {
    /// The activity that the app has chosen.
    var activity: PMPegaAuthenticationLoginActivity?
    var queue = DispatchQueue.main
    /// What the first call found.
    var environment: PegaEnvironment?
  }

  private let serverURL: URL?
  private let state: Locked<State>

  /// Makes an authenticator.
  /// - Parameter serverURL: the server's address, such as `https://host:port/prweb`. With `nil` it is that of
  ///   ``PMPegaConfiguration``. With an address that isn't `http` or `https`, every call fails with
  ///   ``PMAuthenticationError/invalidInputData``.
  public convenience init(serverURL: URL?) {
    self.init(serverURL: serverURL, environment: nil)
  }

  /// Makes an authenticator, as ``init(serverURL:)-(URL?)``.
  @_disfavoredOverload
  public convenience init(serverURL: NSURL?) {
    // Bridging an address that RFC 3986 does not allow, such as the page's own "http://host:port/path", would trap. It is no address.
    self.init(serverURL: serverURL.map { URL(string: $0.absoluteString) ?? URL(filePath: "/") }, environment: nil)
  }

  package init(serverURL: URL?, environment: PegaEnvironment?) {
    self.serverURL = serverURL
    state = Locked(State(environment: environment))
  }

  /// The activity to call: `mobileAppConfiguration`, unless ``PMPegaConfiguration`` says otherwise. Servers before Pega 7.2.1 need
  /// `accessGroupDetails`.
  public var loginActivity: PMPegaAuthenticationLoginActivity {
    get { state.withLock { $0.activity } ?? .init(configured.knownSettings.loginActivity ?? .mobileAppConfiguration) }
    set { state.withLock { $0.activity = newValue } }
  }

  /// The queue that completion handlers are called on; the main queue at first. (Not in the vendor's SDK.)
  public var completionQueue: DispatchQueue {
    get { state.withLock { $0.queue } }
    set { state.withLock { $0.queue = newValue } }
  }

  /// The activity and the server's host.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["loginActivity": loginActivity, "host": serverURL?.host(percentEncoded: false) ?? "none"],
      displayStyle: .class)
  }

  /// The environment of the first call, or of one that would be made now.
  private var configured: PegaEnvironment { state.withLock { $0.environment } ?? .shared }

  /// Carries out a call when every call before it is done, and completes it on the queue of the present.
  func perform<Value: Sendable>(
    as kind: PegaServices.Kind = .question,
    _ work: @escaping @Sendable (PegaService) async throws -> Value,
    completion: @escaping @Sendable (Result<Value, NSError>) -> Void
  ) {
    let fresh = configured
    let (environment, activity, queue) = state.withLock { state in
      let environment = state.environment ?? fresh
      state.environment = environment
      return (environment, state.activity, state.queue)
    }
    let settings = environment.knownSettings
    environment.services.begin(
      at: serverURL, by: activity?.activity ?? settings.loginActivity ?? .mobileAppConfiguration, in: environment,
      as: kind, work
    ) { result in
      let result = result.mapError { PMAuthenticationError.nsError($0, numbers: settings.errorNumbers) }
      QueueDelivery.post(on: queue) { completion(result) }
    }
  }
}

/// The activity that an authenticator calls on the server.
public enum PMPegaAuthenticationLoginActivity: Int, Sendable, Hashable, CaseIterable {
  /// For servers before Pega 7.2.1; has to be set explicitly.
  case accessGroupDetails
  /// For Pega 7.2.1 and later; the default.
  case mobileAppConfiguration

  /// The spelling of the vendor's page.
  @available(*, deprecated, renamed: "accessGroupDetails")
  public static var AccessGroupDetails: PMPegaAuthenticationLoginActivity { .accessGroupDetails }

  /// The spelling of the vendor's samples.
  @available(*, deprecated, renamed: "mobileAppConfiguration")
  public static var MobileAppConfiguration: PMPegaAuthenticationLoginActivity { .mobileAppConfiguration }

  init(_ activity: PegaLoginActivity) {
    switch activity {
    case .accessGroupDetails: self = .accessGroupDetails
    case .mobileAppConfiguration: self = .mobileAppConfiguration
    }
  }

  var activity: PegaLoginActivity {
    switch self {
    case .accessGroupDetails: .accessGroupDetails
    case .mobileAppConfiguration: .mobileAppConfiguration
    }
  }
}

extension JSONValue {
  /// The value as `JSONSerialization` would give it.
  package var foundationValue: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): NSNumber(value: value)
    case .number(let value): NSNumber(value: value)
    case .string(let value): value
    case .array(let values): values.map(\.foundationValue)
    case .object(let members): members.mapValues(\.foundationValue)
    }
  }
}

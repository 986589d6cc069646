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
/// - **Calls wait for one another**, in the order in which they are made, so that two logins at once never make two
///   sessions: the second finds the first's session and fails. A log-off cancels logins that are waiting or under way.
/// - **Logging in while logged in** fails with ``PMAuthenticationError/internal`` and leaves the session alone, for the
///   same user and for another: the vendor's page demands to log off first. A session that the server has ended in the
///   meantime is no obstacle.
/// - **Cookies** live in `HTTPCookieStorage.shared`, too, so that the app's own requests carry the session and a POST of
///   the app's own can begin one.
///
/// See the vendor's page "Authenticate with the Mashup SDK on iOS".
public final class PMPegaAuthenticator: NSObject, CustomReflectable, Sendable {
  private struct State: Sendable {
    var activity = PMPegaAuthenticationLoginActivity.mobileAppConfiguration
    var queue = DispatchQueue.main
    var service: PegaService?
    /// The call that the next one waits for.
    var last: Task<Void, Never>?
    var logins: [UUID: Task<Void, Never>] = [:]
  }

  private let serverURL: URL?
  private let environment: PegaEnvironment
  private let state = Locked(State())

  /// Makes an authenticator.
  /// - Parameter serverURL: the server's address, such as `https://host:port/prweb`. With `nil` or an address that isn't
  ///   `http` or `https`, every call fails with ``PMAuthenticationError/invalidInputData``.
  public convenience init(serverURL: URL?) {
    self.init(serverURL: serverURL, environment: .shared)
  }

  /// Makes an authenticator, as ``init(serverURL:)-(URL?)``.
  @_disfavoredOverload
  public convenience init(serverURL: NSURL?) {
    // Bridging an address that RFC 3986 does not allow, such as the page's own "http://host:port/path", would trap.
    self.init(serverURL: (serverURL?.absoluteString).flatMap { URL(string: $0) }, environment: .shared)
  }

  package init(serverURL: URL?, environment: PegaEnvironment) {
    self.serverURL = serverURL
    self.environment = environment
  }

  /// The activity to call. Servers before Pega 7.2.1 need `accessGroupDetails`.
  public var loginActivity: PMPegaAuthenticationLoginActivity {
    get { state.withLock { $0.activity } }
    set {
      state.withLock { state in
        guard state.activity != newValue else { return }
        state.activity = newValue
        // The next call makes one for the new activity; it finds the session in the environment's store.
        state.service = nil
      }
    }
  }

  /// The queue that completion handlers are called on; the main queue at first. (Not in the vendor's SDK.)
  public var completionQueue: DispatchQueue {
    get { state.withLock { $0.queue } }
    set { state.withLock { $0.queue = newValue } }
  }

  /// Logs in.
  /// - Parameter completionHandler: gets the server's response with the access group's name, the base URL and other
  ///   properties, or an error in ``PMAuthenticationErrorDomain``; never both.
  @preconcurrency
  public func logInWithUsername(
    _ username: String?, password: String?,
    completionHandler: @escaping @Sendable (_ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    let secret = Secret(password ?? "")
    perform(isLogin: true) { service in
      try await service.logIn(username ?? "", secret)
    } completion: { result in
      switch result {
      case .success(let response): completionHandler(response.mapValues(\.foundationValue), nil)
      case .failure(let error): completionHandler(nil, PMAuthenticationError.nsError(error))
      }
    }
  }

  /// Logs off, and clears the cookies of the current or a previous session, also when the server can't be told.
  /// - Parameter completionHandler: gets `nil`, or why the server could not be told.
  @preconcurrency
  public func logOffWithCompletionHandler(
    _ completionHandler: @escaping @Sendable (_ error: (any Error)?) -> Void
  ) {
    for login in state.withLock({ Array($0.logins.values) }) { login.cancel() }
    perform { service in
      try await service.logOff()
    } completion: { result in
      switch result {
      case .success: completionHandler(nil)
      case .failure(let error): completionHandler(PMAuthenticationError.nsError(error))
      }
    }
  }

  /// Asks the server whether a user is logged in. Never logs a user in.
  /// - Parameter completionHandler: gets `true` and the server's response; or `false` and the reason:
  ///   ``PMAuthenticationError/invalidCredentials`` when no user is logged in or the session has expired,
  ///   ``PMAuthenticationError/network`` and others when it can't be told.
  @preconcurrency
  public func isLoggedInWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable (_ isSuccess: Bool, _ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    perform { service in
      guard let response = try await service.isLoggedIn() else {
        throw OstiaryError(.interactionRequired, "No user is logged in, or the session has expired.")
      }
      return response
    } completion: { result in
      switch result {
      case .success(let response): completionHandler(true, response.mapValues(\.foundationValue), nil)
      case .failure(let error): completionHandler(false, nil, PMAuthenticationError.nsError(error))
      }
    }
  }

  /// The activity and the server's host.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["loginActivity": loginActivity, "host": serverURL?.host(percentEncoded: false) ?? "none"],
      displayStyle: .class)
  }

  /// Carries out a call when every call before it is done, and completes it on the queue of the present.
  private func perform<Value: Sendable>(
    isLogin: Bool = false,
    _ work: @escaping @Sendable (PegaService) async throws -> Value,
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let id = UUID()
    state.withLock { state in
      let (before, queue) = (state.last, state.queue)
      let call = CapturedCall(.success(Result { try self.service(&state) })).start { service in
        await before?.value
        return try await work(service.get())
      } completion: { [state = self.state] result in
        state.withLock { $0.logins[id] = nil }
        QueueDelivery.post(on: queue) { completion(result) }
      }
      state.last = call
      if isLogin { state.logins[id] = call }
    }
  }

  /// The service for the present activity.
  private func service(_ state: inout State) throws -> PegaService {
    if let service = state.service { return service }
    guard let serverURL else {
      throw OstiaryError(
        .invalidInput, "There is no server address.", advice: "Give an address such as https://host/prweb.",
        requestMayHaveExecuted: false)
    }
    let service = try PegaService(server: serverURL, activity: state.activity.activity, environment: environment)
    state.service = service
    return service
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

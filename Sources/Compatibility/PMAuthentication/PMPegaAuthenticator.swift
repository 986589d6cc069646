public import Dispatch
public import Foundation
internal import Ostiary

/// Logs in to a Pega 7 Platform server, logs off, and asks whether somebody is logged in.
///
/// A drop-in for the class of this name in Pega's Mashup SDK 2, on Ostiary. What differs, and why:
///
/// - **Completion handlers** are called exactly once, also when the authenticator is released or a log-off overtakes a
///   login, on ``completionQueue``: the main queue unless you say otherwise. On Linux the main queue works when the
///   program's main thread runs it: an `async` main does, as does `dispatchMain()` or a running `RunLoop.main`.
/// - **Calls wait for one another**, so that two logins at once never make two sessions: the second finds the first's
///   session and fails. A log-off cancels logins that are waiting or under way.
/// - **Logging in while logged in** fails with ``PMAuthenticationError/internal`` and leaves the session alone, whoever
///   wants to log in, as the vendor's page demands to log off first. A session that the server has ended in the meantime
///   is no obstacle.
/// - **Cookies** live in `HTTPCookieStorage.shared`, too, so that the app's own requests carry the session and a POST of
///   the app's own can begin one.
///
/// See the vendor's page "Authenticate with the Mashup SDK on iOS".
#if canImport(ObjectiveC)
  @objc(PMPegaAuthenticator)
#endif
public final class PMPegaAuthenticator: NSObject, Sendable {
  private struct State: Sendable {
    var activity = PMPegaAuthenticationLoginActivity.mobileAppConfiguration
    var queue = DispatchQueue.main
    var service: PegaService?
    var logins: [UUID: Task<Void, Never>] = [:]
  }

  private let serverURL: URL?
  private let environment: PegaEnvironment
  private let state = Locked(State())

  /// Makes an authenticator.
  /// - Parameter serverURL: the server's address, such as `https://host:port/prweb`. With `nil` or an address that isn't
  ///   `http` or `https`, every call fails with ``PMAuthenticationError/invalidInputData``.
  #if canImport(ObjectiveC)
    @objc(initWithServerURL:)
  #endif
  public convenience init(serverURL: URL?) {
    self.init(serverURL: serverURL, environment: .shared)
  }

  /// Makes an authenticator, as ``init(serverURL:)-(URL?)``.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
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
  #if canImport(ObjectiveC)
    @objc
  #endif
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
  #if canImport(ObjectiveC)
    @objc(logInWithUsername:password:completionHandler:)
  #endif
  @preconcurrency
  public func logInWithUsername(
    _ username: String?, password: String?,
    completionHandler: @escaping @Sendable (_ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    let secret = Secret(password ?? "")
    let id = UUID()
    let (service, queue) = prepare()
    state.withLock { state in
      state.logins[id] = Task { [state = self.state] in
        let result = await Self.result { try await service.get().logIn(username ?? "", secret) }
        state.withLock { $0.logins[id] = nil }
        queue.async {
          switch result {
          case .success(let response): completionHandler(response.mapValues(\.foundationValue), nil)
          case .failure(let error): completionHandler(nil, PMAuthenticationError.nsError(error))
          }
        }
      }
    }
  }

  /// Logs off, and clears the cookies of the current or a previous session, also when the server can't be told.
  /// - Parameter completionHandler: gets `nil`, or why the server could not be told.
  #if canImport(ObjectiveC)
    @objc(logOffWithCompletionHandler:)
  #endif
  @preconcurrency
  public func logOffWithCompletionHandler(
    _ completionHandler: @escaping @Sendable (_ error: (any Error)?) -> Void
  ) {
    let (service, queue) = prepare()
    for login in state.withLock({ Array($0.logins.values) }) { login.cancel() }
    Task {
      let result = await Self.result { try await service.get().logOff() }
      queue.async {
        switch result {
        case .success: completionHandler(nil)
        case .failure(let error): completionHandler(PMAuthenticationError.nsError(error))
        }
      }
    }
  }

  /// Asks the server whether somebody is logged in. Never logs anybody in.
  /// - Parameter completionHandler: gets `true` and the server's response; or `false` and the reason:
  ///   ``PMAuthenticationError/invalidCredentials`` when nobody is logged in or the session has expired,
  ///   ``PMAuthenticationError/network`` and others when it can't be told.
  #if canImport(ObjectiveC)
    @objc(isLoggedInWithCompletionHandler:)
  #endif
  @preconcurrency
  public func isLoggedInWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable (_ isSuccess: Bool, _ json: [String: Any]?, _ error: (any Error)?) -> Void
  ) {
    let (service, queue) = prepare()
    Task {
      let result = await Self.result {
        guard let response = try await service.get().isLoggedIn() else {
          throw OstiaryError(.interactionRequired, "Nobody is logged in, or the session has expired.")
        }
        return response
      }
      queue.async {
        switch result {
        case .success(let response): completionHandler(true, response.mapValues(\.foundationValue), nil)
        case .failure(let error): completionHandler(false, nil, PMAuthenticationError.nsError(error))
        }
      }
    }
  }

  /// The service for the present activity, and the queue for the present call.
  private func prepare() -> (Result<PegaService, any Error>, DispatchQueue) {
    state.withLock { state in
      if let service = state.service { return (.success(service), state.queue) }
      guard let serverURL else {
        let missing = OstiaryError(
          .invalidInput, "There is no server address.", advice: "Give an address such as https://host/prweb.",
          requestMayHaveExecuted: false)
        return (.failure(missing), state.queue)
      }
      do {
        let service = try PegaService(server: serverURL, activity: state.activity.activity, environment: environment)
        state.service = service
        return (.success(service), state.queue)
      } catch {
        return (.failure(error), state.queue)
      }
    }
  }

  private static func result<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async -> Result<Value, any Error> {
    do { return .success(try await work()) } catch { return .failure(error) }
  }
}

public import Dispatch
public import Foundation
public import NewzuluCore
internal import Ostiary
public import OstiaryNewzulu

/// A client of the Newzulu Platform.
///
/// A drop-in for the class of this name in Newzulu's Platform SDK, on Ostiary. What differs, and why:
///
/// - **The initialiser** is our choice; the vendor's page doesn't show it. What the platform calls things, and where it is, an
///   app's Info.plist or a file can say: see ``setConfiguration(_:)``.
/// - **Completion blocks** are called exactly once, also when other credentials are set meanwhile, on ``completionQueue``:
///   the main queue unless you say otherwise. On Linux the main queue works when the program's main thread runs it: an
///   `async` main does, as does `dispatchMain()` or a running `RunLoop.main`. Progress comes there too, in order.
/// - **A stored session** is read in the background after `setCredentials`, so ``currentSession`` is there a moment later.
///   Requests need not wait for it.
/// - **Uploads** survive the process when the session store does: starting the same file again sends only what is missing.
///
/// See the vendor's pages "Authenticate" and "Upload media".
public final class PlatformClient: Sendable {
  private let client: Result<NewzuluClient, any Error>
  private let queue = Locked(DispatchQueue.main)

  /// Makes a client. Nothing is sent.
  /// - Parameters:
  ///   - apiKey: your app's key.
  ///   - vhost: your project's tenant.
  ///   - baseURL: the platform's address; by default the vendor's. With an address that isn't `http` or `https` every call
  ///     fails with ``/NewzuluCore/NewzuluError/Reason-swift.enum/unknown``.
  ///
  /// A key, a tenant or an address in the app's configuration (``setConfiguration(_:)``) takes the place of these, so that an app
  /// moves without code. An address of another origin than `baseURL` fails every call instead: no password is sent to either.
  public convenience init(apiKey: String, vhost: String, baseURL: URL? = nil) {
    self.init(apiKey: apiKey, vhost: vhost, baseURL: baseURL, environment: .app)
  }

  /// Makes a client for a tenant given as a number, as ``init(apiKey:vhost:baseURL:)-(String,_,_)``.
  public convenience init(apiKey: String, vhost: Int, baseURL: URL? = nil) {
    self.init(apiKey: apiKey, vhost: String(vhost), baseURL: baseURL)
  }

  /// Makes a client of the platform that a configuration describes. Nothing is sent.
  ///
  /// Without a key or a tenant in the configuration every call fails with
  /// ``/NewzuluCore/NewzuluError/Reason-swift.enum/unknown``.
  public convenience init(configuration: NewzuluPlatformConfiguration) {
    var environment = NewzuluEnvironment.app
    environment.platform = .success(configuration)
    self.init(apiKey: nil, vhost: nil, baseURL: nil, environment: environment)
  }

  package init(apiKey: String?, vhost: String?, baseURL: URL?, environment: NewzuluEnvironment) {
    client = Result {
      let platform = try environment.platform.get()
      return try NewzuluClient(
        server: platform.address(inCode: baseURL), apiKey: platform.key(inCode: apiKey),
        vhost: platform.tenant(inCode: vhost), transport: environment.transport, configuration: platform.names,
        sessions: environment.sessions, clock: environment.clock)
    }
  }

  /// The queue that completion blocks are called on; the main queue at first. (Not in the vendor's SDK.)
  public var completionQueue: DispatchQueue {
    get { queue.withLock { $0 } }
    set { queue.withLock { $0 = newValue } }
  }

  // MARK: Authenticating

  /// Sets who the user is. Nothing is sent; see ``authenticate(onSuccess:onError:)``.
  /// - Parameters:
  ///   - email: the user's e-mail address.
  ///   - password: the user's password. It is kept in memory only.
  ///   - userVHost: the tenant in which the account lives, when that is not the project's.
  ///   - sessionStore: where the session is kept.
  public func setCredentials(
    email: String, password: String, userVHost: String? = nil,
    sessionStore: any NewzuluCore.SessionStore = EphemeralSessionStore()
  ) {
    try? client.get().setCredentials(
      email: email, password: Secret(password), userVHost: userVHost, store: sessionStore.storage)
  }

  /// Sets who the user is, with a tenant given as a number.
  public func setCredentials(
    email: String, password: String, userVHost: Int,
    sessionStore: any NewzuluCore.SessionStore = EphemeralSessionStore()
  ) {
    setCredentials(email: email, password: password, userVHost: String(userVHost), sessionStore: sessionStore)
  }

  /// Forgets who the user is and removes the session from its store. (Not in the vendor's SDK, which has no log-out.)
  /// - Parameter completion: is called when that is done. The user is signed out in any case; an error says why the session
  ///   could not be removed from its store yet, which is tried again as long as the program runs, or what the server could not
  ///   be told.
  @preconcurrency
  public func clearCredentials(completion: @escaping @Sendable (NewzuluError?) -> Void = { _ in }) {
    start(client.map { $0.beginClearing() }) {
      try await $0.value()
    } completion: { outcome in
      switch outcome {
      case .success(let report): completion((report?.storeError ?? report?.serverError).map { NewzuluError($0) })
      case .failure(let error): completion(error)
      }
    }
  }

  /// Validates the credentials with the server and creates a new session.
  /// - Parameters:
  ///   - onSuccess: gets the session.
  ///   - onError: gets what went wrong.
  @preconcurrency
  public func authenticate(
    onSuccess: @escaping @Sendable (NewzuluCore.Session) -> Void, onError: @escaping @Sendable (NewzuluError) -> Void
  ) {
    start(Result { (try client.get().beginAuthentication(), try client.get().configuration) }) { work, configuration in
      guard let user = NewzuluUser(try await work.value(), configuration: configuration) else {
        throw OstiaryError(
          .notRestoredYet, "The stored session has no user by the names of the present configuration.",
          advice: "Authenticate again.", requestMayHaveExecuted: false)
      }
      return NewzuluCore.Session(user: User(user))
    } completion: {
      $0.hand(to: onSuccess, onError)
    }
  }

  /// The session; `nil` when the user isn't properly authenticated.
  public var currentSession: NewzuluCore.Session? {
    (try? client.get())?.currentUser.map { NewzuluCore.Session(user: User($0)) }
  }

  // MARK: The rest of the face

  /// Carries out a call for the user who is set now.
  @discardableResult
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (NewzuluClient) async throws -> Value,
    completion: @escaping @Sendable (Result<Value, NewzuluError>) -> Void
  ) -> Task<Void, Never> {
    start(client.map(\.atThisMoment), work, completion: completion)
  }

  @discardableResult
  private func start<Captured: Sendable, Value: Sendable>(
    _ captured: Result<Captured, any Error>, _ work: @escaping @Sendable (Captured) async throws -> Value,
    completion: @escaping @Sendable (Result<Value, NewzuluError>) -> Void
  ) -> Task<Void, Never> {
    let queue = completionQueue
    return CapturedCall(captured).start(work) { outcome in
      QueueDelivery.post(on: queue) { completion(outcome.mapError { NewzuluError($0) }) }
    }
  }
}

extension Result {
  /// Calls one of the vendor's two blocks.
  func hand(to onSuccess: (Success) -> Void, _ onError: (Failure) -> Void) {
    switch self {
    case .success(let value): onSuccess(value)
    case .failure(let error): onError(error)
    }
  }
}

extension PlatformClient: CustomReflectable {
  /// Who is signed in.
  public var customMirror: Mirror {
    Mirror(self, children: ["user": currentSession?.user.id ?? "none"], displayStyle: .class)
  }
}

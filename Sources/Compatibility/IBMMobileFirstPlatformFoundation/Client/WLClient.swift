public import Foundation
public import Ostiary
#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Knows the server, the challenge handlers, the cookies and the fields that every request carries.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0, as far as gateways go. MobileFirst's own token service
/// (registration, access tokens, security checks) and its heartbeat are not part of this module. Everything may be called by
/// any thread.
public final class WLClient: NSObject, CustomReflectable, Sendable {
  struct State: Sendable {
    var serverURL: URL?
    var connection: ServerConnection?
    var headers: [String: String] = [:]
    var timeout: TimeInterval = 30
    var formTimeout: TimeInterval = 10
    var challengeTimeout: TimeInterval = 0
    var cookieStore: (any SessionStore)?
    /// The cookies of the servers before, which may not be gone yet where they rest.
    var dropped: [ClientCookies] = []
    /// Servers that the app has left before a store was set. What rests there from an earlier run is dropped, too.
    var left: [ServerAddress?] = []
    var gateway: Result<MobileFirstGatewayConfiguration, OstiaryError>
    /// Why requests can't be sent at all.
    var obstacle: OstiaryError?
  }

  let environment: WLEnvironment
  let registry: HandlerRegistry
  let state: Locked<State>

  static let shared = WLClient(environment: .shared)

  package init(environment: WLEnvironment) {
    self.environment = environment
    registry = HandlerRegistry()
    state = Locked(State(serverURL: environment.serverURL, gateway: environment.gateway))
    super.init()
  }

  /// Another object for the process's client: server, handlers, cookies and fields are the same as ``sharedInstance()``'s.
  public override init() {
    environment = Self.shared.environment
    registry = Self.shared.registry
    state = Self.shared.state
    super.init()
  }

  /// The process's client.
  public class func sharedInstance() -> WLClient! { shared }

  // MARK: The server

  /// The server's address: the one that was set, or the one in the app's `mfpclient.plist`.
  public func serverUrl() -> URL! { state.withLock { $0.serverURL } }

  /// Changes the server. Cookies are dropped, requests that wait for a challenge's answer fail with
  /// ``WLErrorCode/challengeHandlingCanceled``, and those under way fail, too.
  /// - Parameter url: protocol, host, port and context, such as `http://host:9080/mfp`. Relative addresses are relative to
  ///   `api/` in it.
  public func setServerUrl(_ url: URL!) {
    let (previous, dropped) = state.withLock { state -> (ServerConnection?, ClientCookies?) in
      let before = state.serverURL
      state.serverURL = url
      if let previous = state.connection.take() {
        // The next connection may be to the same server, whose cookies must be gone by then where they rest, too.
        state.dropped.append(previous.cookies)
        return (previous, previous.cookies)
      }
      // No request was sent to the server before. What rests there is from an earlier run.
      guard let before, state.leaves(before, for: url) else { return (nil, nil) }
      return (nil, state.dropRest(of: ServerAddress(before)))
    }
    previous?.retire()
    if let dropped { forget(dropped) }
  }

  /// Removes dropped cookies from where they rest.
  func forget(_ dropped: ClientCookies) {
    SharedWork<Void>().launch { [state] in
      guard await dropped.drop() else { return }
      state.withLock { $0.dropped.removeAll { $0 === dropped } }
    }
  }

  /// How long a request may take when it says nothing else, in seconds; 30 at first.
  public var defaultRequestTimeoutInterval: TimeInterval {
    get { state.withLock { $0.timeout } }
    set { state.withLock { $0.timeout = newValue } }
  }

  /// How long a login form may take when its sender says nothing else, in seconds; 10 at first, as the vendor documents. 0
  /// and less mean that, too. (Not in the vendor's SDK.)
  public var defaultLoginFormTimeoutInterval: TimeInterval {
    get { state.withLock { $0.formTimeout } }
    set { state.withLock { $0.formTimeout = newValue > 0 ? min(newValue, 86_400) : 10 } }
  }

  /// How long a challenge may wait for an answer, in seconds, until the requests that wait fail; 0, the value at first, is
  /// as long as it takes. To be set before the first request. (Not in the vendor's SDK.)
  public var challengeTimeoutInterval: TimeInterval {
    get { state.withLock { $0.challengeTimeout } }
    set { state.withLock { $0.challengeTimeout = newValue } }
  }

  /// The addresses and names of the server's gateway, where no handler of the app's signs in and out. To be set before the first
  /// request. (Not in the vendor's SDK.)
  ///
  /// At first what the app brings along (``MobileFirstGatewayConfiguration/ofApp(_:)``). Where that can't be read, it is as by
  /// default here, and calls that need it fail and name the key.
  public var gatewayConfiguration: MobileFirstGatewayConfiguration {
    get { state.withLock { (try? $0.gateway.get()) ?? MobileFirstGatewayConfiguration() } }
    set {
      state.withLock { state in
        state.gateway = .success(newValue)
        if state.serverURL == nil { state.serverURL = newValue.server }
      }
    }
  }

  // MARK: Challenge handlers

  /// Registers a handler. Handlers are asked in the order in which they were registered; one of the same name is replaced
  /// in its place. A challenge that the replaced one has in hand stays its own.
  public func registerChallengeHandler(_ challengeHandler: BaseChallengeHandler!) {
    guard let challengeHandler else { return }
    challengeHandler.challenges.client = self
    registry.register(challengeHandler)
  }

  /// ``registerChallengeHandler(_:)`` as Swift called it while the vendor's header did not name it.
  public func register(_ challengeHandler: BaseChallengeHandler!) {
    registerChallengeHandler(challengeHandler)
  }

  /// The handler of this name.
  public func getChallengeHandler(bySecurityCheck securityCheck: String!) -> BaseChallengeHandler! {
    registry.handler(named: securityCheck ?? "")
  }

  /// All handlers by their names.
  public func getAllChallengeHandlers() -> [AnyHashable: Any]! {
    Dictionary(registry.handlers.map { ($0.name as AnyHashable, $0.handler as Any) }) { $1 }
  }

  func isGatewayResponse(_ response: WLResponse) -> Bool {
    registry.gateway(claiming: response) != nil
  }

  // MARK: Fields

  /// Adds a field that every request to the server carries from now on, login forms as well. It goes to no other server.
  public func addGlobalHeader(_ headerName: String!, headerValue value: String!) {
    guard let headerName, let value else { return }
    removeGlobalHeader(headerName)
    state.withLock { $0.headers[headerName] = value }
  }

  /// Removes such a field.
  public func removeGlobalHeader(_ headerName: String!) {
    guard let name = headerName?.lowercased() else { return }
    state.withLock { state in
      for key in state.headers.keys where key.lowercased() == name { state.headers[key] = nil }
    }
  }

  /// The fields that every request to the server carries.
  public func getGlobalHeaders() -> [AnyHashable: Any]! { state.withLock { $0.headers } }

  // MARK: Cookies

  /// The cookies of this client alone. A cookie that is added or deleted there counts from the next request on. After
  /// ``setServerUrl(_:)`` and a logout there is another storage.
  public func httpCookieStorage() -> HTTPCookieStorage! { connection.cookies.storage }

  /// Keeps cookies to which the server gave a date in a store, so that they outlive the process; without one all cookies end
  /// with it. To be called before the first request and before ``httpCookieStorage()``. (Not in the vendor's SDK, which left
  /// that to the system.)
  public func keepPersistentCookies(in store: any SessionStore) {
    let dropped = state.withLock { state in
      state.cookieStore = store
      let left = state.left
      state.left = []
      return left.compactMap { state.dropRest(of: $0) }
    }
    for cookies in dropped { forget(cookies) }
  }

  // MARK: Sending

  /// How many login forms one challenge may take.
  var maximumForms: Int { environment.maximumForms }

  /// Sends a login form.
  func submit(_ form: LoginForm, completion: @escaping @Sendable (Outcome) async -> Void) {
    let (headers, timeout, obstacle) = state.withLock { ($0.headers, $0.formTimeout, $0.obstacle) }
    connection.submit(
      {
        if let obstacle { throw obstacle }
        return try form.draft(.seconds(timeout)).request(to: $0.address, global: headers)
      }, completion: completion)
  }

  /// Sends a resource request.
  func fetch(
    _ draft: @autoclosure () throws -> RequestDraft, completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    let (headers, obstacle) = state.withLock { ($0.headers, $0.obstacle) }
    let draft = Result { try draft() }
    connection.fetch(
      {
        if let obstacle { throw obstacle }
        return try draft.get().request(to: $0.address, global: headers)
      }, completion: completion)
  }

  /// What there is of the present server.
  var connection: ServerConnection { state.withLock { $0.connect(environment, registry) } }

  /// The server's host and how many handlers there are; no fields, which may be tokens.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["host": serverUrl()?.host() ?? "none", "handlers": registry.handlers.count],
      displayStyle: .class)
  }
}

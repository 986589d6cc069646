internal import Foundation
internal import HTTPTypes
internal import Ostiary
internal import OstiaryGateway

/// A client's dealings with one server, from one `setServerUrl(_:)` to the next: its cookies, and the one session manager
/// that lets challenges be answered once.
final class ServerConnection: Sendable {
  /// Where the server is; `nil` when the app uses absolute addresses alone.
  let address: ServerAddress?
  let cookies: ClientCookies

  struct BackgroundTasks: Sendable {
    var isRetired = false
    var tasks: [UUID: Task<Void, Never>] = [:]
    /// Ends with the exchange of the last login form.
    var lastForm: SharedWork<Void>?
    /// Where the last login form was sent to.
    var formAddress: URL?
  }

  let environment: WLEnvironment
  let registry: HandlerRegistry
  private let forms: CookieTransport
  private let resources: CookieTransport
  private let manager = Locked<SessionManager?>(nil)
  let backgroundTasks = Locked(BackgroundTasks())
  private let entry = CallEntry()

  init(
    address: ServerAddress?, environment: WLEnvironment, registry: HandlerRegistry, rest: CookieRest?
  ) {
    self.address = address
    self.environment = environment
    self.registry = registry
    let cookies = ClientCookies(restingIn: rest)
    self.cookies = cookies
    resources = CookieTransport(network: environment.transport, cookies: cookies, clock: environment.clock)
    var forms = resources
    forms.sendsForms = true
    self.forms = forms
  }

  /// Sends a login form: no handler is asked about what comes. Forms change the user: each waits for the one before.
  func submit(
    _ form: @escaping @Sendable (ServerConnection) throws -> TransportRequest,
    completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    inTurn(completion: completion) { connection in
      let request = try form(connection)
      connection.noteForm(request.head.targetURL)
      return try await connection.forms.send(request)
    }
  }

  /// Does what may change the user after all of that kind that was begun before.
  func inTurn(
    completion: @escaping @Sendable (Outcome) async -> Void,
    _ exchange: @escaping @Sendable (ServerConnection) async throws -> TransportResponse
  ) {
    let turn = SharedWork<Void>()
    let earlier = backgroundTasks.withLock { backgroundTasks in
      defer { backgroundTasks.lastForm = turn }
      return backgroundTasks.lastForm
    }
    run(CapturedCall(.success(earlier)), completion: completion) { connection, earlier in
      defer { turn.finish(.success(())) }
      _ = await earlier?.outcome
      try Task.checkCancellation()
      return try await exchange(connection)
    }
  }

  /// Sends a resource request with the cookies of this moment: when a handler says that the response is a challenge, the request
  /// waits until it has been answered, and is sent again with the cookies of then.
  func fetch(
    _ request: @escaping @Sendable (ServerConnection) throws -> TransportRequest,
    completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    let clock = environment.clock
    let call = entry.capture(now: { cookies.snapshotNow(at: clock.now) }) { [cookies] in
      try await cookies.snapshot(at: clock.now)
    }
    run(call, completion: completion) { connection, snapshot in
      try Task.checkCancellation()
      var request = try request(connection)
      request.replay = .always
      // Cookies and redirects are left to what lies below.
      request.layerContext.isFromLayer = true
      let sessions = try connection.sessions(for: request.head)
      return try await AuthenticatedTransport(sessions, over: connection.resources.of(snapshot)).send(request)
    }
  }

  /// The session manager, which is made for the server's address, or for the first one that the app asks where it uses
  /// absolute addresses alone.
  private func sessions(for request: HTTPRequest) throws -> SessionManager {
    var home = request
    home.path = "/"
    if let address {
      home.scheme = address.origin.scheme
      home.authority = address.origin.authority
      home.path = address.base
    }
    guard let server = home.targetURL else {
      throw OstiaryError(.invalidInput, "The server's address can't be read.", requestMayHaveExecuted: false)
    }
    return try manager.withLock { manager in
      if let manager { return manager }
      var authenticator = try GatewayAuthenticator(
        server: server,
        handlers: [HandlerDispatch(registry: registry, cookies: cookies)] + UnansweredForm(environment.gateway).handlers
      )
      authenticator.asksHandlersFirst = true
      // The app's handlers decide whether a response is a challenge, from any host. The session that they
      // sign in to holds no proof that could leave its origin.
      var configuration = environment.sessions
      configuration.unsafelyAcceptsChallengesFromAnyOrigin = true
      let made = SessionManager(
        authenticator: authenticator, transport: environment.transport, credentials: .byHandler,
        configuration: configuration, clock: environment.clock)
      manager = made
      return made
    }
  }

  /// Does an exchange in a task of its own, which ends when the connection does.
  private func run<Captured: Sendable>(
    _ call: CapturedCall<Captured>, completion: @escaping @Sendable (Outcome) async -> Void,
    _ exchange: @escaping @Sendable (ServerConnection, Captured) async throws -> TransportResponse
  ) {
    let id = UUID()
    backgroundTasks.withLock { backgroundTasks in
      let task = call.start { captured in
        try await exchange(self, captured)
      } completion: { result in
        self.backgroundTasks.withLock { $0.tasks[id] = nil }
        // Transports tell a cancelled task in their own words.
        let result = result.mapError { Task.isCancelled && !Self.isChallengeCancelled($0) ? CancellationError() : $0 }
        let refusal: CheckRefusal? =
          if case .success(let response) = result { await self.registry.hear(response) } else { nil }
        await completion(Outcome(result, refusal: refusal))
      }
      guard !backgroundTasks.isRetired else { return task.cancel() }
      backgroundTasks.tasks[id] = task
    }
  }

  /// Ends everything: who waits for a challenge's answer, and what is under way.
  func retire() {
    let tasks = backgroundTasks.withLock { backgroundTasks in
      backgroundTasks.isRetired = true
      defer { backgroundTasks.tasks = [:] }
      return Array(backgroundTasks.tasks.values)
    }
    manager.withLock { $0 }?.cancelSignIn()
    for task in tasks { task.cancel() }
  }

  private static func isChallengeCancelled(_ error: any Error) -> Bool {
    (error as? OstiaryError)?.code == .interactionCancelled
  }
}

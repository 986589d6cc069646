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

  private struct BackgroundTasks: Sendable {
    var isRetired = false
    var tasks: [UUID: Task<Void, Never>] = [:]
  }

  private let environment: WLEnvironment
  private let registry: HandlerRegistry
  private let forms: CookieTransport
  private let resources: CookieTransport
  private let manager = Locked<SessionManager?>(nil)
  private let backgroundTasks = Locked(BackgroundTasks())

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

  /// Sends a login form: no handler is asked about what comes.
  func submit(_ form: TransportRequest) async throws -> TransportResponse {
    try await forms.send(form)
  }

  /// Sends a resource request: when a handler says that the response is a challenge, the request waits until it has been
  /// answered, and is sent again.
  func fetch(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.replay = .always
    // Cookies and redirects are left to what lies below.
    request.layerContext.isFromLayer = true
    return try await AuthenticatedTransport(try sessions(for: request.head), over: resources).send(request)
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
        server: server, handlers: [HandlerDispatch(registry: registry, cookies: cookies)])
      authenticator.asksHandlersFirst = true
      // The app's handlers decide whether a response is a challenge, whatever host it comes from. The session that they
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
  func run(
    _ exchange: @escaping @Sendable (ServerConnection) async throws -> TransportResponse,
    completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    let id = UUID()
    backgroundTasks.withLock { backgroundTasks in
      let task = CapturedCall(.success(self)).start {
        try Task.checkCancellation()
        return try await exchange($0)
      } completion: { result in
        self.backgroundTasks.withLock { $0.tasks[id] = nil }
        // Transports tell a cancelled task in their own words.
        await completion(
          Outcome(result.mapError { Task.isCancelled && !Self.isChallengeCancelled($0) ? CancellationError() : $0 }))
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

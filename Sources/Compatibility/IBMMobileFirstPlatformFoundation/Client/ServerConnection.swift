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
  private let forms: CookieTransport
  private let resources: CookieTransport
  private let manager: Result<SessionManager, any Error>
  private let home: HTTPRequest
  private let backgroundTasks = Locked(BackgroundTasks())

  init(
    address: ServerAddress?, environment: WLEnvironment, registry: HandlerRegistry, rest: CookieRest?
  ) {
    self.address = address
    self.environment = environment
    let cookies = ClientCookies(restingIn: rest)
    self.cookies = cookies
    resources = CookieTransport(network: environment.transport, cookies: cookies, clock: environment.clock)
    var forms = resources
    forms.sendsForms = true
    self.forms = forms
    home = HTTPRequest(
      method: .get, scheme: address?.origin.scheme ?? "https",
      authority: address?.origin.authority ?? "gateway.invalid", path: address?.base ?? "/")
    manager = Result { [home] in
      guard let url = home.targetURL else {
        throw OstiaryError(.invalidInput, "The server's address can't be read.", requestMayHaveExecuted: false)
      }
      var authenticator = try GatewayAuthenticator(
        server: url, handlers: [HandlerDispatch(registry: registry, cookies: cookies)])
      // What a challenge is, the app's handlers know best.
      authenticator.asksHandlersFirst = true
      return SessionManager(
        authenticator: authenticator, transport: environment.transport, credentials: .byHandler,
        configuration: environment.sessions, clock: environment.clock)
    }
  }

  /// Sends a login form: no handler is asked about what comes.
  func submit(_ form: TransportRequest) async throws -> TransportResponse {
    try await forms.send(form)
  }

  /// Sends a resource request: when a handler says that the response is a challenge, the request waits until it has been
  /// answered, and is sent again.
  func fetch(_ request: TransportRequest) async throws -> TransportResponse {
    // To the manager every request is one to the gateway, whatever host it goes to: which responses are challenges, only
    // the handlers know. Cookies and redirects are left to what lies below.
    var request = request
    request.replay = .always
    request.layerContext.isFromLayer = true
    var known = request
    known.head.scheme = home.scheme
    known.head.authority = home.authority
    let transport = AuthenticatedTransport(try manager.get(), over: Aimed(target: request, transport: resources))
    return try await transport.send(known)
  }

  /// Does an exchange in a task of its own, which ends when the connection does.
  func run(
    _ exchange: @escaping @Sendable (ServerConnection) async throws -> TransportResponse,
    completion: @escaping @Sendable (Outcome) async -> Void
  ) {
    let id = UUID()
    backgroundTasks.withLock { backgroundTasks in
      let task = Task {
        let result: Result<TransportResponse, any Error>
        do {
          try Task.checkCancellation()
          result = .success(try await exchange(self))
        } catch {
          // Transports tell a cancelled task in their own words.
          result = .failure(Task.isCancelled && !Self.isChallengeCancelled(error) ? CancellationError() : error)
        }
        self.backgroundTasks.withLock { $0.tasks[id] = nil }
        await completion(Outcome(result))
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
    if case .success(let manager) = manager { manager.cancelSignIn() }
    for task in tasks { task.cancel() }
  }

  private static func isChallengeCancelled(_ error: any Error) -> Bool {
    (error as? OstiaryError)?.code == .interactionCancelled
  }
}

/// Sends a certain request, whatever the layer above takes it for.
private struct Aimed: Transport {
  let target: TransportRequest
  let transport: CookieTransport

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await transport.send(target)
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await transport.stream(target)
  }
}

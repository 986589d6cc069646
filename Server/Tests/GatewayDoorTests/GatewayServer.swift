import Foundation
import Ostiary
import OstiaryGateway
import OstiaryServer
import OstiaryTesting
import Testing

/// A running server with a gateway, cheap hashing, the user `ann`, and its time in the test's hands.
struct GatewayServer: Sendable {
  let application: OstiaryApplication
  let clock: ManualClock
  let url: URL
  let style: GatewayStyle

  static let password: Secret = "a fine long password"

  /// Starts a server, lets `body` use it, and stops it, also after an error.
  static func run<Value: Sendable>(
    _ variant: GatewayVariant = GatewayVariant(), _ gateway: (inout GatewayDoorConfiguration) -> Void = { _ in },
    server configure: (inout ServerConfiguration) -> Void = { _ in }, body: (GatewayServer) async throws -> Value
  ) async throws -> Value {
    let clock = ManualClock()
    var door = GatewayDoorConfiguration()
    door.style = variant.style
    door.challenge = variant.challenge
    door.success = variant.success
    gateway(&door)
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    configuration.gateway = door
    configure(&configuration)
    let application = try OstiaryApplication(configuration)
    let running = try await application.start()
    let outcome: Result<Value, any Error>
    do {
      guard let url = URL(string: running.origin.description) else { throw URLError(.badURL) }
      try await application.identity.addUser(name: "ann", displayName: "Ann", password: password)
      outcome = .success(
        try await body(GatewayServer(application: application, clock: clock, url: url, style: door.style)))
    } catch {
      outcome = .failure(error)
    }
    await application.stop()
    return try outcome.get()
  }

  // MARK: What the server saw

  /// How many login forms were sent.
  var forms: Int {
    application.journal?.entries.count { $0.method == "POST" && $0.path == formPath } ?? 0
  }

  /// Where the style's form goes.
  var formPath: String {
    switch style {
    case .ostiary: "/gateway/login"
    case .webSEAL: "/pkmslogin.form"
    case .ltpa: "/j_security_check"
    case .classic: "/apps/services/j_security_check"
    }
  }

  // MARK: Clients

  func address(_ path: String) throws -> URL {
    guard let url = URL(string: url.absoluteString + path) else { throw URLError(.badURL) }
    return url
  }

  /// The style's login page.
  var pagePath: String {
    switch style {
    case .ostiary: "/gateway/login"
    case .webSEAL, .ltpa: "/login"
    case .classic: "/apps/services/login"
    }
  }

  /// A form login for the server, which may do without https here.
  /// - Parameter knowsPage: Whether it was told that a redirect to the login page is a challenge, and not the answer to what
  ///   was asked.
  func login(knowsPage: Bool = true) throws -> FormLogin {
    var login = try FormLogin(at: url)
    login.allowingInsecureHTTPForPasswords = true
    if knowsPage { login.recogniser = .any(of: [login.recogniser, .redirect(toPath: pagePath)]) }
    return login
  }

  /// A person who knows Ann's password, or another.
  /// - Parameter forms: what a login form waits for before it is sent.
  func client(
    _ password: Secret = password, login: FormLogin? = nil, logout: GatewayLogout = .none, holding forms: Gate? = nil
  ) throws -> GatewayClient {
    try client(
      .onRequest { _ in
        try await forms?.pass()
        return .password(username: "ann", password: password)
      }, login: login, logout: logout)
  }

  /// What a client without a session gets.
  func firstGet(_ password: Secret = password) async throws -> TransportResponse {
    try await client(password).get()
  }

  func firstPost(_ body: String) async throws -> TransportResponse {
    try await client().post(body)
  }

  func client(
    _ credentials: CredentialSource, login: FormLogin? = nil, logout: GatewayLogout = .none
  ) throws -> GatewayClient {
    var authenticator = try GatewayAuthenticator(
      server: try address("/jct/echo"), handlers: [try login ?? self.login()])
    authenticator.logout = logout
    var configuration = SessionConfiguration()
    configuration.retry = .none
    configuration.maximumCredentialAttempts = 1
    // Once without a session, and once more where it ends meanwhile.
    configuration.maximumReplays = 2
    return GatewayClient(
      server: self,
      manager: SessionManager(
        authenticator: authenticator, transport: PlatformTransport(), credentials: credentials,
        configuration: configuration))
  }
}

/// A session manager for a gateway, and requests through it.
struct GatewayClient: Sendable {
  let server: GatewayServer
  let manager: SessionManager

  private var http: AuthenticatedTransport { AuthenticatedTransport(manager) }

  func get(_ path: String = "/jct/echo") async throws -> TransportResponse {
    try await http.send(.get(server.address(path)))
  }

  func post(_ body: String, to path: String = "/jct/echo") async throws -> TransportResponse {
    try await http.send(.post(server.address(path), body: Data(body.utf8), contentType: "text/plain"))
  }

  /// How often a user was signed in.
  var signIns: Int { manager.history.count { $0.kind == .signedIn } }
}

extension TransportResponse {
  /// A field of a JSON answer.
  subscript(name: String) -> JSONValue? { JSONValue(json: body)?.object?[name] }
}

/// What a gateway does with a client that has no session, and after the password.
struct GatewayVariant: Sendable, CustomTestStringConvertible {
  var style = GatewayStyle.ostiary
  var challenge = GatewayDoorConfiguration.Challenge.negotiated
  var success = GatewayDoorConfiguration.Success.originalResource

  var testDescription: String { "\(style), \(challenge), \(success)" }

  /// All of them.
  static let all: [GatewayVariant] = GatewayStyle.allCases.flatMap { style in
    GatewayDoorConfiguration.Challenge.allCases.flatMap { challenge in
      GatewayDoorConfiguration.Success.allCases.map {
        GatewayVariant(style: style, challenge: challenge, success: $0)
      }
    }
  }

  /// Every challenge with every success, each with another style.
  static let each: [GatewayVariant] = GatewayDoorConfiguration.Challenge.allCases.enumerated().flatMap { number, one in
    GatewayDoorConfiguration.Success.allCases.enumerated().map { other, success in
      let styles = GatewayStyle.allCases
      return GatewayVariant(style: styles[(number + other) % styles.count], challenge: one, success: success)
    }
  }
}

/// The error that `work` throws, as ours.
func failure(_ work: () async throws -> some Sendable) async -> OstiaryError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? OstiaryError
  }
}

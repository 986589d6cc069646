import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting

/// One client of the cluster: an app with our own SDK, whose user works, and now and then signs out.
final class CrewClient: Sendable {
  let number: Int
  private let user: String
  private let manager: SessionManager
  private let transport: CrewTransport
  private let oauth: OAuthClient
  /// The app, with its secret: it asks about tokens.
  private let confidential: OAuthClient
  private let recorder: HistoryRecorder
  private let random: Locked<SplitMix64>

  init(
    number: Int, user: String, nodes: [ClusterNode], inner: any Transport, recorder: HistoryRecorder, seed: UInt64
  ) throws {
    (self.number, self.user, self.recorder) = (number, user, recorder)
    random = Locked(SplitMix64(seed: seed))
    let transport = CrewTransport(client: number, nodes: nodes, inner: inner, recorder: recorder, seed: seed ^ 1)
    self.transport = transport
    let home = try Self.url("")
    var endpoints = OAuthEndpoints(
      token: try Self.url(CrewTransport.tokenPath), revocation: try Self.url("/services/oauth2/revoke"))
    oauth = try OAuthClient(id: Cluster.app, endpoints: endpoints)
    endpoints.introspection = try Self.url("/services/oauth2/introspect")
    confidential = try OAuthClient(
      id: Cluster.app, authentication: .secretPost(Cluster.appSecret), endpoints: endpoints)
    var authenticator = try OAuthAuthenticator(
      server: home, client: oauth,
      flow: OAuthFlow(needsPerson: true) { client, context in
        try await Self.signIn(user, client, context)
      })
    authenticator.identity = .known(Session.User(id: user))
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 1, base: .milliseconds(100), longestInline: .seconds(1))
    configuration.maximumFreshRejections = 1000
    manager = SessionManager(
      authenticator: authenticator, transport: transport, configuration: configuration,
      logger: Logger(label: "crew") { _ in SwiftLogNoOpLogHandler() })
    _ = manager.onEvent { event in
      guard event.kind == .signedOut, event.cause != .requestedByApp else { return }
      recorder.record(ClusterSignOut(client: number, time: recorder.now, cause: "\(event)"))
    }
  }

  private static func url(_ path: String) throws -> URL {
    guard let url = URL(string: CrewTransport.origin + path) else { throw URLError(.badURL) }
    return url
  }

  // MARK: Signing in

  /// A name and a password for a code, and the code for tokens, each request once.
  private static func signIn(
    _ user: String, _ client: OAuthClient, _ context: AuthenticationContext
  ) async throws -> TokenSet {
    let pkce = PKCE()
    let code = try await code(for: user, pkce, context.transport)
    return try await client.tokens(
      forGrant: "authorization_code", parameters: redemption(of: code, pkce), secrets: [code], in: context)
  }

  private static func redemption(of code: Secret, _ pkce: PKCE) -> OAuthParameters {
    ["code": code.reveal(), "redirect_uri": Cluster.callback, "code_verifier": pkce.verifier.reveal()]
  }

  private static func code(for user: String, _ pkce: PKCE, _ transport: any Transport) async throws -> Secret {
    let form = FormEncoding.serialize([
      (name: "response_type", value: "code_credentials"), (name: "client_id", value: Cluster.app),
      (name: "redirect_uri", value: Cluster.callback), (name: "code_challenge", value: pkce.challenge),
    ])
    var request = try TransportRequest.post(
      url("/services/oauth2/authorize"), body: Data(form.utf8), contentType: FormEncoding.mediaType)
    let basic = Data("\(user):\(Cluster.password.reveal())".utf8).base64EncodedString()
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = "Basic \(basic)"
    if let type = HTTPField.Name("Auth-Request-Type") { request.head.headerFields[type] = "Named-User" }
    let response = try await transport.send(request)
    guard response.status == .ok, let code = JSONValue(json: response.body)?["code"]?.string else {
      throw OstiaryError(
        .serverUnavailable, "No code: \(response.status).", disposition: .transient(retryAfter: nil),
        requestMayHaveExecuted: false)
    }
    return Secret(code)
  }

  // MARK: Working

  /// Works until the task is cancelled.
  /// - Parameter pace: how long it does nothing between two things, at most.
  func work(pace: Duration) async {
    while !Task.isCancelled {
      // The pace is the input. This waits for nothing.
      let pause = random.withLock { Double.random(in: 0...1, using: &$0) }
      try? await Task.sleep(for: pace * pause)
      guard !Task.isCancelled else { return }
      // What has begun is finished: a client that is cancelled in the middle would lose answers of its own making.
      await Task { await self.doSomething() }.value
    }
  }

  private func doSomething() async {
    guard manager.status.isSignedIn else {
      _ = try? await manager.signIn(with: .byHandler)
      return
    }
    switch random.withLock({ Int.random(in: 0..<100, using: &$0) }) {
    case ..<45: await call()
    case ..<75: await renew()
    case ..<85: await renewTogether()
    case ..<91: await ask()
    case ..<95: _ = await manager.signOut()
    default: await revokeElsewhere()
    }
  }

  /// Whether the server has taken the session.
  @discardableResult
  private func call() async -> Bool {
    guard let request = try? TransportRequest.get(Self.url(CrewTransport.callPath)) else { return false }
    return (try? await AuthenticatedTransport(manager).send(request))?.status == .ok
  }

  /// Finds the access token run out.
  @discardableResult
  private func renew() async -> Bool {
    transport.makeStale()
    return await call()
  }

  /// As ``renew()``, by three calls at once.
  private func renewTogether() async {
    transport.makeStale(3)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { await self.call() } }
    }
    transport.makeStale(0)
  }

  private var context: AuthenticationContext { AuthenticationContext(transport: transport) }

  private func ask() async {
    guard let token = manager.current.flatMap({ TokenSet($0) })?.accessToken else { return }
    _ = try? await confidential.introspect(token, in: context)
  }

  /// The user ends the sign-in from another place. After that no node takes it.
  private func revokeElsewhere() async {
    guard let tokens = manager.current.flatMap({ TokenSet($0) }), let refreshToken = tokens.refreshToken,
      var request = try? TransportRequest.get(Self.url(CrewTransport.callPath))
    else { return }
    guard (try? await oauth.revoke(refreshToken, kind: .refreshToken, in: context)) != nil else { return }
    request.head.headerFields[.authorization] = "Bearer \(tokens.accessToken.reveal())"
    for node in 0..<transport.count { _ = try? await transport.send(request, to: node) }
    await call()
  }

  /// Two nodes get one code at the same moment.
  func race() async {
    let pkce = PKCE()
    guard let code = try? await Self.code(for: user, pkce, transport) else { return }
    let (oauth, context) = (oauth, context)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          _ = try? await oauth.tokens(
            forGrant: "authorization_code", parameters: Self.redemption(of: code, pkce), secrets: [code], in: context)
        }
      }
    }
  }

  // MARK: At the end

  /// Shows that a client that is signed in still is, now that the cluster has recovered.
  /// - Returns: whether it has got newer tokens, or is signed out.
  func settle(attempts: Int = 240) async -> Bool {
    for _ in 0..<attempts {
      guard manager.status.isSignedIn else { return true }
      if await renew() { return true }
      // As long as a client waits that was told to come back.
      try? await Task.sleep(for: .milliseconds(500))
    }
    return !manager.status.isSignedIn
  }

  /// Asks about refresh tokens, of any client.
  func probe(_ tokens: [String]) async {
    transport.beginProbing()
    for token in tokens { _ = try? await confidential.introspect(Secret(token), kind: .refreshToken, in: context) }
  }
}

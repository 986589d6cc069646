import Foundation
import HTTPTypes
import Logging
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiaryOAuth

/// An app with this project's SDK. It knows the servers by the public address alone, and refreshes its tokens all the time.
final class ArticleClient: Sendable {
  private static let app = "phone"
  private static let callback = "app:/done"

  private let manager: SessionManager
  private let transport: ArticleTransport
  private let call: URL
  private let ends = Locked<[String]>([])

  /// - Parameters:
  ///   - origin: what the app calls.
  ///   - authority: the certificate that it trusts there.
  init(origin: String, authority: String, user: String, password: Secret) throws {
    func url(_ path: String) throws -> URL {
      guard let url = URL(string: origin + path) else { throw URLError(.badURL) }
      return url
    }
    var options = AsyncHTTPClientTransport.Options()
    options.additionalTrustRoots = try .init(pemFile: URL(filePath: authority))
    let transport = ArticleTransport(AsyncHTTPClientTransport(options: options))
    self.transport = transport
    call = try url(ArticleTransport.callPath)
    let authorize = try url("/services/oauth2/authorize")
    let client = try OAuthClient(
      id: Self.app, endpoints: OAuthEndpoints(token: try url(ArticleTransport.tokenPath)))
    var authenticator = try OAuthAuthenticator(
      server: try url(""), client: client,
      flow: OAuthFlow(needsPerson: true) { client, context in
        let pkce = PKCE()
        let code = try await Self.code(for: user, password, pkce, at: authorize, context.transport)
        return try await client.tokens(
          forGrant: "authorization_code",
          parameters: [
            "code": code.reveal(), "redirect_uri": Self.callback, "code_verifier": pkce.verifier.reveal(),
          ], secrets: [code], in: context)
      })
    authenticator.identity = .known(Session.User(id: user))
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 1, base: .milliseconds(100), longestInline: .seconds(1))
    configuration.maximumFreshRejections = 100_000
    manager = SessionManager(
      authenticator: authenticator, transport: transport, configuration: configuration,
      logger: Logger(label: "article") { _ in SwiftLogNoOpLogHandler() })
    _ = manager.onEvent { [ends] event in
      if event.kind == .signedOut { ends.withLock { $0.append("\(event)") } }
    }
  }

  /// How often it was signed out, and why.
  var signOuts: [String] { ends.withLock { $0 } }
  /// While a refresh is under way its status is neither.
  var isSignedIn: Bool { if case .signedOut = manager.status { false } else { true } }
  /// What the servers have answered to its refreshes.
  var seen: ArticleTransport.Seen { transport.seen }

  func signIn() async throws { _ = try await manager.signIn(with: .byHandler) }

  /// Refreshes until the task is cancelled.
  func work() async {
    while !Task.isCancelled {
      // The pace is the input. This waits for nothing.
      try? await Task.sleep(for: .milliseconds(100))
      // What has begun is finished: a client that is cancelled in the middle would lose an answer of its own making.
      await Task { await self.refresh() }.value
    }
  }

  /// Waits until the servers have answered in a way, while it works.
  func wait(until isMet: (ArticleTransport.Seen) -> Bool) async throws {
    for _ in 0..<3600 {
      if isMet(seen) || !isSignedIn { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw ClusterDatabase.Failed(description: "The client waited for three minutes: \(seen)")
  }

  func close() async { await transport.close() }

  /// Finds its access token run out, gets another one, and uses it.
  private func refresh() async {
    transport.makeStale()
    guard let request = try? TransportRequest.get(call) else { return }
    _ = try? await AuthenticatedTransport(manager).send(request)
  }

  /// A name and a password for a code.
  private static func code(
    for user: String, _ password: Secret, _ pkce: PKCE, at url: URL, _ transport: any Transport
  ) async throws -> Secret {
    let form = FormEncoding.serialize([
      (name: "response_type", value: "code_credentials"), (name: "client_id", value: app),
      (name: "redirect_uri", value: callback), (name: "code_challenge", value: pkce.challenge),
    ])
    var request = try TransportRequest.post(url, body: Data(form.utf8), contentType: FormEncoding.mediaType)
    let basic = Data("\(user):\(password.reveal())".utf8).base64EncodedString()
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.authorization] = "Basic \(basic)"
    if let type = HTTPField.Name("Auth-Request-Type") { request.head.headerFields[type] = "Named-User" }
    let response = try await transport.send(request)
    guard response.status == .ok, let code = JSONValue(json: response.body)?["code"]?.string else {
      throw ClusterDatabase.Failed(description: "No code: \(response.status) \(response.text)")
    }
    return Secret(code)
  }
}

/// The client's way to the load balancer, which counts what comes of its refreshes.
final class ArticleTransport: Transport {
  static let tokenPath = "/services/oauth2/token"
  static let callPath = "/services/data/v59.0/limits"

  /// Answers to refreshes.
  struct Seen {
    /// New tokens.
    var refreshed = 0
    /// 503 with the time after which to ask again.
    var unavailable = 0
    /// What a load balancer says when a server goes away in the middle.
    var interrupted = 0
    /// Every other answer.
    var faults: [String] = []
  }

  private struct State {
    var seen = Seen()
    var isStale = false
  }

  private let inner: AsyncHTTPClientTransport
  private let state = Locked(State())

  init(_ inner: AsyncHTTPClientTransport) { self.inner = inner }

  var seen: Seen { state.withLock { $0.seen } }

  /// Lets the next call find the access token run out.
  func makeStale() { state.withLock { $0.isStale = true } }

  func close() async { await inner.close() }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if request.head.path == Self.callPath, takeStale() { return Self.stale }
    var request = request
    request.timeout = min(request.timeout, .seconds(6))
    let response = try await inner.send(request)
    if request.head.path == Self.tokenPath { note(response) }
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }

  private func note(_ response: TransportResponse) {
    state.withLock { state in
      switch response.status.code {
      case 200: state.seen.refreshed += 1
      case 503 where response.head.headerFields[.retryAfter] != nil: state.seen.unavailable += 1
      case 502, 504: state.seen.interrupted += 1
      default: state.seen.faults.append("\(response.status.code) \(response.text)")
      }
    }
  }

  private func takeStale() -> Bool {
    state.withLock { state in
      defer { state.isStale = false }
      return state.isStale
    }
  }

  private static var stale: TransportResponse {
    TransportResponse(
      HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: #"Bearer error="invalid_token""#]))
  }
}

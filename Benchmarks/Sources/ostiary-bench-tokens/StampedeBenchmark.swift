import Foundation
import HTTPTypes
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting

/// A thousand requests at once with an access token that is over, at a token endpoint that takes 25 ms, with refresh tokens
/// that are good once. The raw way is what a program would do that knew it beforehand: one refresh, then the requests.
enum StampedeBenchmark {
  private static let callers = 1_000

  /// - Parameter isRefused: whether the server has to say so, because the token looks good.
  static func run(isRefused: Bool) async throws -> Bool {
    let server = try Server()
    defer { server.stop() }
    let network = AsyncHTTPClientTransport()
    let client = try OAuthClient(id: "bench", endpoints: OAuthEndpoints(token: server.url("/token")))
    let context = AuthenticationContext(transport: network)
    var figure = Figure()
    var refreshes = 0
    let rounds = 17
    for _ in 0..<rounds {
      let manager = try await manager(server, client, network, isRefused: isRefused)
      let own = AuthenticatedTransport(manager)
      let refreshToken = server.begin()
      try await figure.round {
        let request = try TransportRequest.get(server.url("/things"))
        // The first of the thousand has to be refused here, too.
        if isRefused { try await send(callers, expecting: .unauthorized) { try await network.send(request) } }
        let tokens = try await client.refresh(refreshToken, in: context)
        var good = request
        good.head.headerFields[.authorization] = "Bearer " + tokens.accessToken.reveal()
        let sent = good
        try await send(callers, expecting: .ok) { try await network.send(sent) }
      } own: {
        let before = server.refreshes
        try await send(callers, expecting: .ok) { try await own.get(server.url("/things")) }
        refreshes += server.refreshes - before
      }
    }
    figure.forget(2)
    let time = figure.median(\.wall)
    return Figure.report(
      "\(callers) requests, the token \(isRefused ? "refused" : "expired"): "
        + "\(String(format: "%.2f", Double(refreshes) / Double(rounds))) refreshes",
      "\(Figure.text(time.own * 1e3)) ms = \(String(format: "%.2f", time.ratio)) of the raw way",
      raw: "\(Figure.text(time.raw * 1e3)) ms", bar: "1 refresh, ≤ 1.05",
      isMet: refreshes == rounds && time.ratio <= 1.05)
  }

  private static func manager(
    _ server: Server, _ client: OAuthClient, _ network: any Transport, isRefused: Bool
  ) async throws -> SessionManager {
    let refreshToken = server.begin()
    let flow = OAuthFlow(needsPerson: true) { _, context in
      TokenSet(
        accessToken: "old", refreshToken: refreshToken,
        expiresAt: context.clock.now.addingTimeInterval(isRefused ? 3600 : -1))
    }
    let manager = SessionManager(
      authenticator: try OAuthAuthenticator(server: server.url("/"), client: client, flow: flow), transport: network)
    try await manager.signIn(with: .byHandler)
    return manager
  }

  private static func send(
    _ count: Int, expecting status: HTTPResponse.Status,
    _ send: @escaping @Sendable () async throws -> TransportResponse
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { guard try await send().status == status else { throw BenchmarkOrg.notWhatWasMeant } }
      }
      try await group.waitForAll()
    }
  }

  /// Gives tokens slowly, and takes those that it has given.
  private final class Server: Sendable {
    private struct State {
      var number = 0
      var refreshTokens: Set<String> = []
      var accessTokens: Set<String> = []
      var refreshes = 0
    }

    private let state: Locked<State>
    private let server: LoopbackServer

    init() throws {
      let state = Locked(State())
      self.state = state
      server = try LoopbackServer { request in Self.answer(request, state) }
    }

    func url(_ path: String) -> URL { server.url(path) }
    func stop() { server.stop() }
    var refreshes: Int { state.withLock { $0.refreshes } }

    /// A refresh token for a new user.
    func begin() -> Secret {
      state.withLock { state in
        state.number += 1
        state.refreshTokens.insert("refresh-\(state.number)")
        return Secret("refresh-\(state.number)")
      }
    }

    private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
      guard request.path == "/token" else {
        let token = request.fields[.authorization]?.dropFirst("Bearer ".count)
        let isGood = state.withLock { $0.accessTokens.contains(String(token ?? "")) }
        return [.response(isGood ? 200 : 401, [("WWW-Authenticate", "Bearer")], body: "{}")]
      }
      let presented = FormEncoding.parse(request.text).first { $0.name == "refresh_token" }?.value ?? ""
      let body = state.withLock { state -> String? in
        state.refreshes += 1
        guard state.refreshTokens.remove(presented) != nil else { return nil }
        state.number += 1
        let (access, refresh) = ("access-\(state.number)", "refresh-\(state.number)")
        state.accessTokens.insert(access)
        state.refreshTokens.insert(refresh)
        return #"{"access_token":"\#(access)","refresh_token":"\#(refresh)","expires_in":3600}"#
      }
      let gate = Gate()
      Task {
        try await Task.sleep(for: .milliseconds(25))
        gate.open()
      }
      let json = [("Content-Type", "application/json")]
      guard let body else { return [.wait(gate), .response(400, json, body: #"{"error":"invalid_grant"}"#)] }
      return [.wait(gate), .response(200, json, body: body)]
    }
  }
}

import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport

/// A provider for several processes, on real sockets: one for the provider, one for its API. Its tokens are bound to keys, its refresh tokens
/// are good once, and each of its answers brings another nonce.
final class ProviderServer: Sendable {
  let clock = ShiftedClock()
  let provider: ScriptedProvider
  private let sockets: [LoopbackServer]
  /// Hears of a renewal that has been carried out and not yet answered, of the process with this number. It says whether the answer is
  /// lost.
  let onRenewal: Locked<@Sendable (Int) -> Bool>

  init(_ rotation: RefreshRotation) throws {
    let provider = Locked<ScriptedProvider?>(nil)
    let ports = Locked<[Int]>([])
    let onRenewal = Locked<@Sendable (Int) -> Bool>({ _ in false })
    self.onRenewal = onRenewal
    sockets = try (0..<2).map { index in
      try LoopbackServer { request in
        guard let provider = provider.withLock({ $0 }) else { return [.response(503)] }
        let port = ports.withLock { $0[index] }
        return Self.answer(request, "127.0.0.1:\(port)", provider) { number in onRenewal.withLock { $0 }(number) }
      }
    }
    ports.withLock { [sockets] in $0 = sockets.map(\.port) }
    var settings = ProviderSettings()
    settings.issuer = "http://127.0.0.1:\(sockets[0].port)"
    settings.resources = ["http://127.0.0.1:\(sockets[1].port)/"]
    settings.requiresProofs = true
    settings.nonces = .eachAnswer
    settings.rotation = rotation
    settings.accessTokenLifetime = .seconds(600)
    let made = try ScriptedProvider(settings, clock: clock)
    self.provider = made
    provider.withLock { $0 = made }
  }

  deinit {
    for socket in sockets { socket.stop() }
  }

  /// The API.
  var api: URL { sockets[1].url("/") }
  /// Where tokens are renewed.
  var tokens: URL { provider.address(of: .token) }

  /// Called on a thread of the server's own, which may be blocked.
  private static func answer(
    _ request: LoopbackServer.Request, _ authority: String, _ provider: ScriptedProvider,
    _ onRenewal: (Int) -> Bool
  ) -> [LoopbackServer.Action] {
    var head = HTTPRequest(
      method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: authority, path: request.target)
    head.headerFields = request.fields
    let before = provider.counts
    let outcome = Locked<TransportResponse?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached { [head] in
      let response = try? await provider.respond(to: TransportRequest(head, body: request.body))
      outcome.withLock { $0 = response }
      done.signal()
    }
    done.wait()
    guard let answer = outcome.withLock({ $0 }) else { return [.reset] }
    let after = provider.counts
    let isRenewal = after.renewals + after.repeatedRenewals > before.renewals + before.repeatedRenewals
    if isRenewal, request.path == "/token" {
      let number = HTTPField.Name("X-Process").flatMap { request.fields[$0] }.flatMap { Int($0) } ?? 0
      if onRenewal(number) { return [.reset] }
    }
    return [
      .response(
        answer.status.code, answer.head.headerFields.map { ($0.name.rawName, $0.value) }, body: answer.text)
    ]
  }

  /// A manager in this process, as a program has one that starts anew.
  /// - Parameter mayAsk: whether a user is there, who signs in at once.
  func manager(_ store: any SessionStore, key: String, mayAsk: Bool) throws -> SessionManager {
    let callback = try AddressMissing.url("https://app.example/callback")
    let flow = OAuthFlow.authorizationCode(
      in: ClosureUserAgent { [provider] in try provider.visit($0.url) }, redirectURI: callback, scope: "offline_access")
    let authenticator = try Worker.boundAuthenticator(
      server: api, tokens: tokens, page: provider.address(of: .authorization), flow: flow)
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 2, base: .milliseconds(5))
    return SessionManager(
      authenticator: authenticator, transport: SocketTransport(connections: 2),
      credentials: mayAsk ? .byHandler : .manual, store: store, key: SessionKey(key), configuration: configuration,
      clock: clock, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private struct AddressMissing: Error {
    static func url(_ text: String) throws -> URL {
      guard let url = URL(string: text) else { throw AddressMissing() }
      return url
    }
  }
}

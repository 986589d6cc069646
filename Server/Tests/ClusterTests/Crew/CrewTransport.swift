import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A client's way to the cluster: each request goes to one of the nodes, and is recorded as it was seen on the wire.
final class CrewTransport: Transport {
  /// The address that the client knows; the nodes stand behind it.
  static let origin = "http://127.0.0.1:1"
  static let tokenPath = "/services/oauth2/token"
  static let callPath = "/services/data/v59.0/limits"

  private let client: Int
  private let nodes: [ClusterNode]
  private let inner: any Transport
  private let recorder: HistoryRecorder
  private let state: Locked<State>

  private struct State {
    var random: SplitMix64
    /// How many calls are answered as if the access token had run out.
    var staleCalls = 0
    var isProbing = false
  }

  init(client: Int, nodes: [ClusterNode], inner: any Transport, recorder: HistoryRecorder, seed: UInt64) {
    (self.client, self.nodes, self.inner, self.recorder) = (client, nodes, inner, recorder)
    state = Locked(State(random: SplitMix64(seed: seed)))
  }

  /// How many nodes there are.
  var count: Int { nodes.count }

  /// Lets calls find the access token run out, so that the client renews it.
  func makeStale(_ calls: Int = 1) { state.withLock { $0.staleCalls = calls } }

  func beginProbing() { state.withLock { $0.isProbing = true } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if request.head.path == Self.callPath, takeStale() { return Self.stale }
    return try await send(request, to: state.withLock { Int.random(in: 0..<nodes.count, using: &$0.random) })
  }

  /// Sends a request to a node of the caller's choice.
  func send(_ request: TransportRequest, to node: Int) async throws -> TransportResponse {
    var request = request
    request.head.authority = "127.0.0.1:\(nodes[node].port)"
    // An address of its own for each client, as behind a proxy: log-ins that a killed node has counted and not taken back keep others
    // of the same address waiting.
    if let field = HTTPField.Name("X-Forwarded-For") {
      request.head.headerFields[field] = "10.1.\(client / 250).\(client % 250 + 1)"
    }
    request.timeout = min(request.timeout, .seconds(6))
    let isProbing = state.withLock { $0.isProbing }
    let wire = WireRequest(request, isProbing: isProbing)
    let begin = recorder.now
    func record(_ outcome: ClusterEvent.Outcome) {
      guard let wire else { return }
      recorder.record(
        ClusterEvent(
          client: client, node: node, action: wire.action, token: wire.token, begin: begin, end: recorder.now,
          outcome: outcome))
    }
    do {
      let response = try await inner.send(request)
      record(wire?.outcome(of: response) ?? .lost)
      return response
    } catch {
      record(.lost)
      throw error
    }
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }

  private func takeStale() -> Bool {
    state.withLock { state in
      guard state.staleCalls > 0 else { return false }
      state.staleCalls -= 1
      return true
    }
  }

  private static var stale: TransportResponse {
    TransportResponse(
      HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: #"Bearer error="invalid_token""#]))
  }
}

/// What a request asks the cluster for, read from its bytes.
private struct WireRequest {
  let action: ClusterEvent.Action
  let token: String

  init?(_ request: TransportRequest, isProbing: Bool) {
    let form = Dictionary(
      FormEncoding.parse(String(decoding: request.body ?? Data(), as: UTF8.self)).map { ($0.name, $0.value) },
      uniquingKeysWith: { first, _ in first })
    switch request.head.path {
    case CrewTransport.callPath:
      action = .call
      token = String((request.head.headerFields[.authorization] ?? "").dropFirst("Bearer ".count))
    case "/services/oauth2/authorize":
      action = .authorize
      token = ""
    case "/services/oauth2/revoke":
      action = .revoke
      token = form["token"] ?? ""
    case "/services/oauth2/introspect":
      action = isProbing ? .probe : .introspect
      token = form["token"] ?? ""
    case CrewTransport.tokenPath:
      action = form["grant_type"] == "refresh_token" ? .refresh : .redeem
      token = form["refresh_token"] ?? form["code"] ?? ""
    default: return nil
    }
  }

  func outcome(of response: TransportResponse) -> ClusterEvent.Outcome {
    let members = JSONValue(json: response.body)?.object ?? [:]
    switch response.status.code {
    case 200:
      switch action {
      case .authorize: return members["code"]?.string.map { .coded($0) } ?? .fault(status: 200)
      case .redeem, .refresh:
        guard let access = members["access_token"]?.string, let refresh = members["refresh_token"]?.string else {
          return .fault(status: 200)
        }
        return .issued(access: access, refresh: refresh)
      case .introspect, .probe:
        guard let isActive = members["active"]?.bool else { return .fault(status: 200) }
        return isActive ? .accepted : .refused(status: 200)
      case .call, .revoke: return .accepted
      }
    case 400, 401, 403: return .refused(status: response.status.code)
    case 503: return .unavailable(saysWhen: response.head.headerFields[.retryAfter] != nil)
    default: return .fault(status: response.status.code)
    }
  }
}

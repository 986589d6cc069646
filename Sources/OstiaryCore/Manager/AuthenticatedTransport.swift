internal import Foundation
internal import HTTPTypes

/// Sends requests with a session: gets one when there is none, attaches its proof, watches the answers, renews and
/// repeats once where that is safe, and follows redirects without letting proof leave its origin.
///
/// Requests to other servers pass through as they are. It is a ``Transport`` itself, so that layers stack.
public struct AuthenticatedTransport: Transport {
  private let manager: SessionManager
  private let inner: any Transport

  /// Makes a transport.
  /// - Parameters:
  ///   - manager: owns the session.
  ///   - inner: carries the requests; by default the manager's own transport.
  public init(_ manager: SessionManager, over inner: (any Transport)? = nil) {
    self.manager = manager
    self.inner = inner ?? manager.transport
  }

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await exchange(request) { request in
      let response = try await inner.send(request)
      return Answer(head: response.head, response: response, toJudge: response)
    }
  }

  public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await exchange(request) { request in
      var response = try await inner.stream(request)
      let needed = manager.authenticator.bodyNeeded(toJudge: response)
      let prefix = try await response.body.split(after: needed)
      response.body = prefix.whole
      return Answer(
        head: response.head, response: response,
        toJudge: TransportResponse(response.head, body: prefix.start, url: response.url))
    }
  }

  /// One answer of the server, whole or streaming.
  private struct Answer<Response: Sendable>: Sendable {
    let head: HTTPResponse
    let response: Response
    let toJudge: TransportResponse
  }

  private func exchange<Response: Sendable>(
    _ original: TransportRequest, _ perform: (TransportRequest) async throws -> Answer<Response>
  ) async throws -> Response {
    var replays = 0
    var user: Session.User?
    restart: while true {
      var hop = original
      var hops = 0
      var wasActedOn = false
      while true {
        var request = hop
        let sent = try await prepare(&request.head, for: &user, isRedirected: hops > 0)
        let answer = try await perform(request)
        if let warm = sent {
          let verdict = await manager.judge(answer.toJudge, to: request, carrying: warm.version)
          if case .rejected(let reason, let mayHaveExecuted) = verdict {
            guard replays < manager.configuration.maximumReplays else {
              throw OstiaryError(
                .challengedAgain, "The server refused the request again with a new session: \(reason).",
                request: original.head)
            }
            replays += 1
            _ = try await manager.warmSession(.ensure(.rejectedByServer))
            try checkReplay(of: original, mayHaveExecuted: mayHaveExecuted || wasActedOn)
            continue restart
          }
        }
        guard let next = try manager.configuration.redirects.next(after: answer.head, to: hop, hops: hops) else {
          return answer.response
        }
        hops += 1
        // Whoever says "now get that" has done what was asked; whoever repeats the method elsewhere has not.
        if next.head.method != hop.head.method { wasActedOn = true }
        hop = next
      }
    }
  }

  /// Attaches proof where it belongs and returns the session it is from; `nil` when the request is not the session's.
  private func prepare(
    _ request: inout HTTPRequest, for user: inout Session.User?, isRedirected: Bool
  ) async throws -> WarmSession? {
    try await manager.lookAgain()
    var known = manager.state.withLock { $0.warm }
    if known == nil, !manager.isHome(request) {
      // It may go to another of the session's origins, which only the session knows.
      guard await manager.knownSessionCovers(request) else { return nil }
      known = manager.state.withLock { $0.warm }
    }
    if let known, !known.attachment.covers(request) {
      // The app may send cookies wherever RFC 6265bis lets it; a redirect takes none to another origin.
      if !isRedirected { _ = manager.attach(known, to: &request) }
      return nil
    }
    let warm: WarmSession
    if let known, known.isFresh(at: manager.clock) {
      warm = known
    } else {
      warm = try await manager.warmSession(.ensure(.neededByRequest))
    }
    // A request is made for one user. If somebody else has signed in by the time it is repeated, it is not theirs.
    if let user, user.id != warm.session.user.id { throw SessionManager.signedOutMeanwhile }
    user = warm.session.user
    guard case .attached = manager.attach(warm, to: &request) else { return nil }
    return warm
  }

  private func checkReplay(of request: TransportRequest, mayHaveExecuted: Bool) throws {
    let isSafe =
      switch request.replay {
      case .always: true
      case .never: false
      case .ifSafe: !mayHaveExecuted || request.head.method.isIdempotent
      }
    guard isSafe else {
      throw OstiaryError(
        .replayUnsafe, "The session was renewed; the request may have been executed and was not sent again.",
        request: request.head)
    }
  }
}

extension HTTPRequest.Method {
  /// Whether repeating a request has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .get, .head, .options, .trace, .put, .delete: true
    default: false
    }
  }
}

internal import Foundation
internal import HTTPTypes

/// Sends requests with a session: gets one when there is none, attaches its proof, watches the answers, renews and
/// repeats once where that is safe, and follows redirects without letting proof leave its origin.
///
/// Requests to other servers pass through as they are. It is a ``Transport`` itself, so that layers stack: the one nearest
/// the network belongs to the outermost gateway, and is asked about each response first. Redirects are followed, and
/// cookies kept, by the layer that the app uses; those below add and watch their own proof.
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
      return Answer(head: response.head, response: response, toJudge: response, isWhole: true)
    }
  }

  public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await exchange(request) { request in
      var response = try await inner.stream(request)
      let needed = manager.authenticator.bodyNeeded(toJudge: response, to: request)
      let body = response.body
      // A server that stalls here must not hold the caller longer than one that never answers.
      let prefix = try await withDeadline(request.timeout) {
        try await body.split(after: needed)
      } timedOut: {
        OstiaryError(
          .timedOut, "The server did not send enough of its answer in time to tell what it is.", request: request.head)
      }
      response.body = prefix.whole
      return Answer(
        head: response.head, response: response,
        toJudge: TransportResponse(response.head, body: prefix.start, url: response.url), isWhole: false)
    }
  }

  /// One answer of the server, whole or streaming.
  private struct Answer<Response: Sendable>: Sendable {
    let head: HTTPResponse
    let response: Response
    let toJudge: TransportResponse
    /// Whether ``toJudge`` has the whole body.
    let isWhole: Bool
  }

  /// What a request carries that is the session's business.
  private struct Carried {
    /// The session; `nil` for none, where a request needs one only when challenged.
    let warm: SessionDriver.Known?
    /// How many sign-ins had failed for good when the request was sent.
    let failures: UInt64
  }

  private func exchange<Response: Sendable>(
    _ original: TransportRequest, _ perform: (TransportRequest) async throws -> Answer<Response>
  ) async throws -> Response {
    var replays = 0
    var wasBare = false
    var user: Session.User?
    restart: while true {
      var hop = original
      var hops = 0
      var wasActedOn = false
      var firstProof: Carried?
      while true {
        var request = hop
        request.layerContext.isRedirected = hop.layerContext.isRedirected || hops > 0
        let carried = try await prepare(&request, for: &user)
        request.layerContext.isFromLayer = true
        var answer = try await perform(request)
        var verdict: Verdict?
        if let warm = carried?.warm, let proof = warm.prepared.attachment.perRequest {
          (answer, verdict) = try await review(answer, to: &request, by: proof, of: warm, perform)
        }
        request.layerContext.isFromLayer = original.layerContext.isFromLayer
        if let carried {
          // A redirect to a login page is a word about the proof that was redirected, though by the time the page is
          // fetched there may be a newer one.
          let shown = firstProof ?? carried
          firstProof = shown
          switch await manager.note(
            verdict ?? manager.authenticator.judge(answer.toJudge, to: request), answer.head, to: request,
            carrying: carried.warm?.version, after: shown.warm?.version)
          {
          case .accepted, .insufficient: break
          case .obstructed(let error): throw error
          case .rejected(let reason, let mayHaveExecuted), .doubtful(let reason, let mayHaveExecuted):
            // The first challenge of all is no refusal: the session that it led to may be over by the request's turn.
            let limit = manager.configuration.maximumReplays
            guard replays < (wasBare ? max(limit, 2) : limit) else {
              throw OstiaryError(
                .challengedAgain, "The server refused the request again with a new session: \(reason).",
                request: original.head)
            }
            replays += 1
            if shown.warm == nil { wasBare = true }
            if request.layerContext.endsSession, manager.mayAsk {
              throw SessionDriver.Machine.interactionRequired(nil)
            }
            let challenge = Challenge(
              request: hop, response: answer.toJudge,
              recognition: Recognition(reason, mayHaveExecuted: mayHaveExecuted), hasWholeBody: answer.isWhole,
              original: original)
            do {
              try await manager.session(
                after: challenge, isFirst: shown.warm == nil, since: shown.failures)
            } catch  where SessionManager.isNoChallenge(error) {
              return answer.response
            }
            try checkReplay(of: original, mayHaveExecuted: mayHaveExecuted || wasActedOn)
            continue restart
          }
        }
        guard !original.layerContext.isFromLayer,
          let next = try manager.configuration.redirects.next(after: answer.head, to: hop, hops: hops)
        else { return answer.response }
        hops += 1
        // Whoever says "now get that" has done what was asked; whoever repeats the method elsewhere has not.
        if next.head.method != hop.head.method { wasActedOn = true }
        hop = next
      }
    }
  }

  /// Lets proof that is made for each request see the answer, and sends the request again as often as it wants: that is
  /// no matter of the session.
  /// - Returns: the last answer, and what it means if the proof knows.
  private func review<Response: Sendable>(
    _ first: Answer<Response>, to request: inout TransportRequest, by proof: any RequestProof,
    of warm: SessionDriver.Known,
    _ perform: (TransportRequest) async throws -> Answer<Response>
  ) async throws -> (Answer<Response>, Verdict?) {
    var answer = first
    let limit = max(0, manager.configuration.maximumProofRepetitions)
    for repetitions in 0...limit {
      let body = answer.isWhole ? answer.toJudge.body : nil
      let review = proof.review(answer.head, body: body, to: request, repetitions: repetitions)
      switch review {
      case .undecided: return (answer, nil)
      case .decided(let verdict): return (answer, verdict)
      case .failed(var error):
        error.method = request.head.method
        error.host = request.head.authority
        throw error
      case .again, .againWithout:
        guard repetitions < limit else { break }
        try checkReplay(of: request, mayHaveExecuted: false)
        // Somebody may have signed out meanwhile.
        guard manager.driver.snapshot.state.known?.lineage == warm.lineage else {
          throw SessionManager.signedOutMeanwhile
        }
        await manager.driver.absorb(
          answer.head, to: request.head, version: warm.version, isFromLayer: request.layerContext.isFromLayer)
        review.apply(to: &request.head)
        answer = try await perform(request)
      }
    }
    throw OstiaryError(
      .challengedAgain, "The server wants newer proof for this request again and again.", request: request.head,
      requestMayHaveExecuted: false)
  }

  /// Attaches proof where it belongs and says what the request carries; `nil` when it is not the session's business.
  private func prepare(
    _ request: inout TransportRequest, for user: inout Session.User?
  ) async throws -> Carried? {
    try await manager.lookAgain()
    let snapshot = manager.driver.snapshot
    var (known, failures) = (snapshot.usable, snapshot.failedSignIns)
    if known == nil, !manager.isHome(request.head) {
      // It may go to another of the session's origins, which only the session knows.
      guard await manager.knownSessionCovers(request.head) else { return nil }
      known = manager.driver.snapshot.usable
    }
    if known == nil, manager.authenticator.proofNeed == .whenChallenged {
      known = try await manager.settled()
      failures = manager.driver.snapshot.failedSignIns
      if known == nil { return Carried(warm: nil, failures: failures) }
    }
    if let known, !known.prepared.attachment.covers(request.head) {
      // The app may send cookies wherever RFC 6265bis lets it; a redirect takes none to another origin.
      if !request.layerContext.isRedirected { _ = manager.attach(known, to: &request.head, body: request.body) }
      return nil
    }
    let warm: SessionDriver.Known
    if let known, known.isFresh(at: manager.driver.clock.moment) {
      warm = known
    } else {
      if request.layerContext.endsSession, manager.mayAsk { throw SessionDriver.Machine.interactionRequired(nil) }
      warm = try await manager.usable(.ensure(.neededByRequest, failures: nil))
    }
    // A request is made for one user. If somebody else has signed in by the time it is repeated, it is not theirs.
    if let user, user.id != warm.user.id { throw SessionManager.signedOutMeanwhile }
    user = warm.user
    guard case .attached = manager.attach(warm, to: &request.head, body: request.body) else { return nil }
    return Carried(warm: warm, failures: failures)
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
  /// Whether a request asks for nothing to be changed (RFC 9110 §9.2.1).
  var isSafe: Bool {
    switch self {
    case .get, .head, .options, .trace: true
    default: false
    }
  }

  /// Whether repeating a request has the effect of sending it once (RFC 9110 §9.2.2).
  var isIdempotent: Bool {
    switch self {
    case .get, .head, .options, .trace, .put, .delete: true
    default: false
    }
  }
}

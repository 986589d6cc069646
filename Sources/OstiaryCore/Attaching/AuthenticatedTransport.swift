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
  private var inner: any Transport
  /// Whose requests it sends; `nil` where that is the user who is known when a request is made.
  private var owner: RequestOwner?

  /// Makes a transport.
  /// - Parameters:
  ///   - manager: owns the session.
  ///   - inner: carries the requests; by default the manager's own transport.
  public init(_ manager: SessionManager, over inner: (any Transport)? = nil) {
    self.manager = manager
    self.inner = inner ?? manager.transport
  }

  /// The same for what was begun for the user who is known now, in this layer and in those below.
  package var atThisMoment: AuthenticatedTransport {
    var transport = self
    transport.owner = knownOwner
    transport.inner = innerAtThisMoment
    return transport
  }

  private var knownOwner: RequestOwner? {
    if let owner { return owner }
    let snapshot = manager.driver.snapshot
    return snapshot.state.known.map { snapshot.owner($0.user) }
  }

  /// A request that this layer sends again is still the one of its first moment for the layers below.
  ///
  /// The types are compared first: a cast that fails searches all that the program conforms to, the first time.
  private var innerAtThisMoment: any Transport {
    guard type(of: inner) == AuthenticatedTransport.self, let layer = inner as? AuthenticatedTransport else {
      return inner
    }
    return layer.atThisMoment
  }

  /// What is to be done with a request. It is the known user's from the moment at which it is made, before anything is awaited.
  private func begin(_ request: TransportRequest) throws -> RequestRun {
    var run = RequestRun(request, manager.rules)
    if let knownOwner { try run.found(knownOwner) }
    return run
  }

  nonisolated(nonsending) public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let inner = innerAtThisMoment
    return try await exchange(request, begin(request)) { request in
      let response = try await inner.send(request)
      return Answer(head: response.head, response: response, toJudge: response, isWhole: true)
    }
  }

  nonisolated(nonsending) public func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let inner = innerAtThisMoment
    return try await exchange(request, begin(request)) { request in
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

  /// Carries out what a ``RequestRun`` says.
  private func exchange<Response: Sendable>(
    _ original: TransportRequest, _ begun: RequestRun,
    _ perform: @Sendable (TransportRequest) async throws -> Answer<Response>
  ) async throws -> Response {
    var run = begun
    while true {
      var request = run.request
      var turn: RequestTurn?
      let known = try await attach(to: &request, of: &run, in: &turn)
      request.layerContext.isFromLayer = true
      var answer = try await perform(request)
      var verdict: Verdict?
      if let known, let proof = known.prepared.attachment.proof(for: request.head) {
        verdict = try await review(&answer, to: &request, by: proof, of: known, in: &run, &turn, perform)
      }
      turn?.end()
      request.layerContext.isFromLayer = original.layerContext.isFromLayer
      if let carried = run.carried {
        verdict = await manager.note(
          verdict ?? manager.authenticator.judge(answer.toJudge, to: request), answer.head, to: request,
          carrying: carried.version, after: run.shown, parts: (carried.part, run.refusable.part),
          isOwn: known != nil)
      }
      switch try run.judged(verdict, answer.head) {
      case .send: continue
      case .deliver: return answer.response
      case .signIn(let recognition, let shown):
        let challenge = Challenge(
          request: run.challenged, response: answer.toJudge, recognition: recognition, hasWholeBody: answer.isWhole,
          original: original)
        do {
          try await manager.session(after: challenge, shown)
        } catch {
          try run.signInFailed(error)
          return answer.response
        }
        try run.signedIn()
      case .stepUp(let recognition, let version, let failures):
        let challenge = Challenge(
          request: run.challenged, response: answer.toJudge, recognition: recognition, hasWholeBody: answer.isWhole,
          original: original)
        try await manager.stepUp(for: challenge, version, failures: failures)
        try run.signedIn()
      }
    }
  }

  /// Lets proof that is made for each request see the answer, and sends the request again as often as it wants.
  /// - Returns: what the last answer means, if the proof knows.
  private func review<Response: Sendable>(
    _ answer: inout Answer<Response>, to request: inout TransportRequest, by proof: any RequestProof,
    of known: SessionDriver.Known, in run: inout RequestRun, _ turn: inout RequestTurn?,
    _ perform: @Sendable (TransportRequest) async throws -> Answer<Response>
  ) async throws -> Verdict? {
    while true {
      let review = proof.review(
        answer.head, body: answer.isWhole ? answer.toJudge.body : nil, to: request, repetitions: run.proofRepetitions,
        at: manager.driver.clock.now)
      if case .judge(let verdict) = try run.reviewed(review, of: request) { return verdict }
      // The user may have signed out meanwhile.
      guard manager.driver.snapshot.state.known?.lineage == known.lineage else {
        throw SessionManager.signedOutMeanwhile
      }
      await manager.driver.absorb(
        answer.head, to: request.head, version: known.version, isFromLayer: request.layerContext.isFromLayer)
      review.apply(to: &request.head)
      if case .again(let fields) = review, fields.isEmpty {
        // What the server gives to requests that are under way changes what this one has to show.
        turn?.end()
        turn = try await self.turn(for: request, proof, isRepeated: true)
        proof.attach(to: &request.head, body: request.body, at: { manager.driver.clock.now })
      }
      answer = try await perform(request)
    }
  }

  /// Attaches proof where it belongs, and tells the run what the request carries.
  /// - Parameters:
  ///   - turn: the request's turn, where its proof has turns.
  ///   - isAfterLoss: whether there is a new session since the key of one was lost.
  /// - Returns: the session whose proof was attached.
  private func attach(
    to request: inout TransportRequest, of run: inout RequestRun, in turn: inout RequestTurn?,
    isAfterLoss: Bool = false
  ) async throws -> SessionDriver.Known? {
    run.attached(nil)
    try await manager.lookAgain()
    let snapshot = manager.driver.snapshot
    var (known, failedSignIns) = (snapshot.usable, snapshot.failedSignIns)
    let isJudgedAnywhere = manager.configuration.unsafelyAcceptsChallengesFromAnyOrigin
    var needsProof = manager.authenticator.proofNeed == .always
    if known == nil, !manager.isHome(request.head) {
      // It may go to another of the session's origins, which only the session knows.
      let isOwn = await manager.knownSessionCovers(request.head)
      guard isOwn || isJudgedAnywhere else { return nil }
      needsProof = needsProof && isOwn
      known = manager.driver.snapshot.usable
    }
    if known == nil, !needsProof {
      known = try await manager.settled()
      failedSignIns = manager.driver.snapshot.failedSignIns
      if known == nil {
        run.attached(RequestRun.Carried(failedSignIns: failedSignIns))
        return nil
      }
    }
    if let known, !known.prepared.attachment.covers(request.head) {
      // The app may send cookies wherever RFC 6265bis lets it; a redirect takes none to another origin.
      if !request.layerContext.isRedirected {
        _ = manager.attach(known.prepared, to: &request)
      }
      guard isJudgedAnywhere else { return nil }
      try run.found(owner(of: known, since: snapshot))
      run.attached(RequestRun.Carried(version: known.version, failedSignIns: failedSignIns))
      return nil
    }
    if known?.prepared.attachment.part(for: request.head) == nil,
      known?.isFresh(at: manager.driver.clock.moment) != true
    {
      try run.needsSession()
      known = try await manager.usable(.ensure(.neededByRequest, failures: nil))
    }
    if let part = known?.prepared.attachment.part(for: request.head), !manager.isUsable(part) {
      try run.needsSession()
      known = try await manager.usable(for: request.head)
    }
    guard let known else { return nil }
    try run.found(owner(of: known, since: snapshot))
    if let proof = known.prepared.attachment.proof(for: request.head) {
      if let obstacle = proof.obstacle {
        guard obstacle.disposition == .terminal, !isAfterLoss else { throw obstacle.keeping(request.head) }
        manager.driver.step(.lost(known.version))
        return try await attach(to: &request, of: &run, in: &turn, isAfterLoss: true)
      }
      turn = try await self.turn(for: request, proof, isRepeated: false)
      // Newer proof may have come while it waited, or the user may have signed out.
      guard manager.driver.snapshot.usable?.version == known.version else {
        turn = nil
        return try await attach(to: &request, of: &run, in: &turn, isAfterLoss: isAfterLoss)
      }
    }
    guard case .attached(let version) = manager.attach(known.prepared, to: &request) else { return nil }
    run.attached(
      RequestRun.Carried(
        version: version, part: manager.carriedPart(known, request.head), failedSignIns: failedSignIns,
        failedStepUps: run.stepsUp ? manager.stepUps.failures : 0))
    return known
  }

  /// Waits for the request's turn, where its proof has turns: a part of the request's own time, and not for long.
  private func turn(
    for request: TransportRequest, _ proof: any RequestProof, isRepeated: Bool
  ) async throws -> RequestTurn? {
    try await proof.turns?.turn(
      for: request.head, isRepeated: isRepeated, within: min(request.timeout, .seconds(10)),
      by: manager.driver.clock)
  }

  /// Whose request one is that this session is attached to.
  /// - Throws: ``OstiaryError`` `signedOut` when the user has signed out since the snapshot, so that it can't be told.
  private func owner(of known: SessionDriver.Known, since before: SessionSnapshot) throws -> RequestOwner {
    let snapshot = manager.driver.snapshot
    guard snapshot.signOuts == before.signOuts || snapshot.state.known?.lineage == known.lineage else {
      throw SessionManager.signedOutMeanwhile
    }
    return snapshot.owner(known.user)
  }
}

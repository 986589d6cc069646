internal import Foundation
internal import HTTPTypes

/// One request on its way, as a value: each input says what has happened, and returns what to do next. It has no session,
/// transport or task; ``AuthenticatedTransport`` carries it out.
///
/// | Input | Next |
/// |---|---|
/// | ``attached(_:)`` | send ``request`` |
/// | ``reviewed(_:of:)`` | judge the answer, or send the request again with other proof |
/// | ``judged(_:_:)``: accepted | deliver the answer, or send the request that it redirects to |
/// | ``judged(_:_:)``: refused | sign in, or fail when the request has been sent again often enough |
/// | ``judged(_:_:)``: insufficient | sign in more strongly, where that is possible, or deliver the answer |
/// | ``signedIn()`` | send the original request again, or fail where that is not safe |
/// | ``signInFailed(_:)`` | fail, or deliver the answer where a handler said that it is no challenge |
struct RequestRun: Sendable {
  /// How often a request may be sent again, and where it may be redirected to.
  struct Rules: Sendable {
    var maximumReplays = 1
    var maximumProofRepetitions = 3
    var redirects = RedirectPolicy()
    /// Whether a sign-in may ask a person or the app.
    var mayAsk = false
    /// Whether a user can be asked for a stronger sign-in.
    var stepsUp = false
  }

  /// What a request carries that is the session's business.
  struct Carried: Sendable, Hashable {
    /// The proof; `nil` for none, where a request needs a session only when challenged.
    var version: ProofVersion?
    /// The part of the proof that it is; `nil` for the rest.
    var part: CarriedPart?
    /// How many sign-ins had failed for good when the request was sent.
    var failedSignIns: UInt64 = 0
    /// How many questions for a stronger sign-in had.
    var failedStepUps: UInt64 = 0
  }

  /// What follows an answer.
  enum Next: Sendable {
    /// Attach proof to ``RequestRun/request`` and send it.
    case send
    /// The app gets the answer.
    case deliver
    /// The server demands a session.
    case signIn(Recognition, after: Carried)
    /// The server wants a stronger or more recent sign-in than the one that was carried.
    case stepUp(Recognition, ProofVersion, failures: UInt64)
  }

  /// What follows the review of an answer by proof that is made for each request.
  enum AfterReview: Sendable, Equatable {
    /// The answer means this; `nil` when the authenticator has the word.
    case judge(Verdict?)
    /// The request is sent again with what the review says.
    case sendAgain
  }

  /// What has happened since the original request was sent, or sent again.
  private struct Attempt: Sendable {
    /// The original request, or the one that it was redirected to.
    var hop: TransportRequest
    var hops = 0
    /// Whether the server can have acted on the request.
    var mayHaveExecuted = false
    /// What the last request carries; `nil` when it is not the session's business.
    var carried: Carried?
    /// What the first one carried. A redirect to a login page is a word about the proof that was redirected, though by the
    /// time the page is fetched there may be a newer one.
    var shown: Carried?
    var proofRepetitions = 0
  }

  /// The request as the app made it.
  let original: TransportRequest
  private let rules: Rules
  private var attempt: Attempt
  private var replays = 0
  /// How often it waited for a stronger sign-in. A renewal before takes nothing from that: the two are different refusals.
  private var stepUps = 0
  /// Whether a request without a session was refused.
  private var wasBare = false
  /// The user whose proof the request carried first, or who was known when it was made.
  private var owner: RequestOwner?

  init(_ request: TransportRequest, _ rules: Rules) {
    original = request
    self.rules = rules
    attempt = Attempt(hop: request)
  }

  // MARK: What is sent

  /// The request to send, without proof.
  var request: TransportRequest {
    var request = attempt.hop
    if attempt.hops > 0 { request.layerContext.isRedirected = true }
    return request
  }

  /// The request to send as it stands in a challenge: as the app made it, or as the server redirected it.
  var challenged: TransportRequest { attempt.hop }

  /// What the last request sent carries; `nil` when it is not the session's business.
  var carried: Carried? { attempt.carried }

  /// Whether a user can be asked for a stronger sign-in.
  var stepsUp: Bool { rules.stepsUp }

  /// The proof that a refusal is about.
  var shown: ProofVersion? { refusable.version }

  /// What a refusal is about. Where a redirect led to an address with proof of its own, that is what was refused.
  var refusable: Carried {
    guard let carried = attempt.carried, carried.part != attempt.shown?.part else { return attempt.shown ?? Carried() }
    return carried
  }

  /// How often the last request was sent again because its proof was stale or missing.
  var proofRepetitions: Int { attempt.proofRepetitions }

  /// There is no session that is good now.
  /// - Throws: ``OstiaryError`` `interactionRequired` where a person would be asked to sign in only to end another session.
  func needsSession() throws {
    if original.layerContext.endsSession, rules.mayAsk { throw SessionDriver.Machine.interactionRequired(nil) }
  }

  /// A session of this user is there to be attached.
  /// - Throws: ``OstiaryError`` `signedOut` when the request was made for another user, or before a sign-out.
  mutating func found(_ owner: RequestOwner) throws {
    if let known = self.owner, known != owner { throw SessionManager.signedOutMeanwhile }
    self.owner = owner
  }

  /// The request to be sent carries this; `nil` when it is not the session's business.
  mutating func attached(_ carried: Carried?) {
    attempt.carried = carried
    attempt.proofRepetitions = 0
    if attempt.shown == nil { attempt.shown = carried }
  }

  // MARK: What comes back

  /// Proof that is made for each request has seen the answer. That the server wants newer proof is no matter of the session.
  /// - Parameter request: the request as it was sent.
  mutating func reviewed(_ review: ProofReview, of request: TransportRequest) throws -> AfterReview {
    switch review {
    case .undecided: return .judge(nil)
    case .decided(let verdict): return .judge(verdict)
    case .failed(var error):
      error.method = request.head.method
      error.host = request.head.authority
      throw error
    case .again, .againWithout:
      guard attempt.proofRepetitions < rules.maximumProofRepetitions else {
        throw OstiaryError(
          .challengedAgain, "The server wants newer proof for this request again and again.", request: request.head,
          requestMayHaveExecuted: false)
      }
      try checkReplay(of: request, mayHaveExecuted: false)
      attempt.proofRepetitions += 1
      return .sendAgain
    }
  }

  /// The answer means this; `nil` when it is not the session's business.
  mutating func judged(_ verdict: Verdict?, _ answer: HTTPResponse) throws -> Next {
    switch verdict {
    case .insufficient(let reason):
      if let next = stepUp(reason) { return next }
      return try follow(answer)
    case nil, .accepted: return try follow(answer)
    case .obstructed(let error): throw error
    case .rejected(let reason, let mayHaveExecuted), .doubtful(let reason, let mayHaveExecuted):
      return try refused(Recognition(reason, mayHaveExecuted: mayHaveExecuted))
    }
  }

  private mutating func follow(_ answer: HTTPResponse) throws -> Next {
    guard !original.layerContext.isFromLayer,
      let next = try rules.redirects.next(after: answer, to: attempt.hop, hops: attempt.hops)
    else { return .deliver }
    // A server that redirects with another method has acted on the request; one that keeps the method has not.
    if next.head.method != attempt.hop.head.method { attempt.mayHaveExecuted = true }
    attempt.hop = next
    attempt.hops += 1
    return .send
  }

  /// A server that wants a stronger sign-in has not acted on the request.
  /// - Returns: `nil` where the app gets the answer: no user can be asked, or the request could not be sent again.
  private mutating func stepUp(_ reason: String) -> Next? {
    guard rules.stepsUp, let carried = attempt.carried, let version = carried.version, stepUps < rules.maximumReplays,
      !original.layerContext.endsSession,
      original.replay.allows(original.head.method, mayHaveExecuted: attempt.mayHaveExecuted)
    else { return nil }
    stepUps += 1
    return .stepUp(
      Recognition(reason, mayHaveExecuted: attempt.mayHaveExecuted), version, failures: carried.failedStepUps)
  }

  private mutating func refused(_ recognition: Recognition) throws -> Next {
    let shown = attempt.shown ?? Carried()
    // The first challenge of all is no refusal: the session that it led to may be over by the request's turn.
    let limit = rules.maximumReplays
    guard replays < (wasBare ? max(limit, 2) : limit) else {
      throw OstiaryError(
        .challengedAgain, "The server refused the request again with a new session: \(recognition.reason).",
        request: original.head)
    }
    replays += 1
    if shown.version == nil { wasBare = true }
    try needsSession()
    if recognition.mayHaveExecuted { attempt.mayHaveExecuted = true }
    return .signIn(recognition, after: shown)
  }

  /// The challenge has been answered, or the session renewed: the original request is to be sent again.
  /// - Throws: ``OstiaryError`` `replayUnsafe`.
  mutating func signedIn() throws {
    try checkReplay(of: original, mayHaveExecuted: attempt.mayHaveExecuted)
    attempt = Attempt(hop: original)
  }

  /// There is no new session.
  /// - Throws: the error, unless it says that the answer is no challenge after all: the app gets the answer then.
  func signInFailed(_ error: any Error) throws {
    guard (error as? OstiaryError)?.code == .notChallenged else { throw error }
  }

  private func checkReplay(of request: TransportRequest, mayHaveExecuted: Bool) throws {
    guard request.replay.allows(request.head.method, mayHaveExecuted: mayHaveExecuted) else {
      throw OstiaryError(
        .replayUnsafe, "The session was renewed; the request may have been executed and was not sent again.",
        request: request.head)
    }
  }
}

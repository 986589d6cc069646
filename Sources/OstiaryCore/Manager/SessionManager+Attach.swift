public import Foundation
public import HTTPTypes

/// What came of attaching proof to a request.
public enum Attachment: Sendable, Hashable {
  /// The request carries this version of the proof.
  case attached(ProofVersion)
  /// The request goes to an address that is not the session's, and was left alone save for cookies that belong there.
  case notCovered
  /// There is no session that is good now; ``SessionManager/session()`` gets one.
  case noSession
}

extension SessionManager {
  /// Adds the session's proof to a request, if there is a session that is good now. Costs well under a microsecond and
  /// what the store's ``SessionStore/stamp(of:)`` costs, asks nobody else and never waits. Proof that is made for each
  /// request costs what making it does.
  /// - Parameter body: the body that the request will have, where proof has to cover it (Digest with `auth-int`).
  @discardableResult
  public func attach(to request: inout HTTPRequest, body: Data? = nil) -> Attachment {
    guard let warm = ready else { return .noSession }
    return attach(warm, to: &request, body: body)
  }

  func attach(_ warm: WarmSession, to request: inout HTTPRequest, body: Data?) -> Attachment {
    let isCovered = warm.attachment.covers(request)
    let now = clock.now
    warm.attachment.apply(to: &request, body: body, isCovered: isCovered, now: now)
    if isCovered { noteUse(of: warm.version, at: now) }
    return isCovered ? .attached(warm.version) : .notCovered
  }

  /// The proof that is good now and its version, for modules that attach to other types of request. They tell what they
  /// have attached with ``noteUse(of:)``.
  package var readyAttachment: (version: ProofVersion, attachment: ProofAttachment)? {
    ready.map { ($0.version, $0.attachment) }
  }

  /// The session, if it is good now.
  private var ready: WarmSession? {
    let (warm, stamp) = state.withLock { ($0.warm, $0.stamp) }
    guard let warm, warm.isFresh(at: clock) else { return nil }
    // Whether another process has changed what is stored, as far as the store can tell quickly.
    if let stamp, let present = store.stamp(of: key), present != stamp { return nil }
    return warm
  }

  /// Notes that a session has been shown to its server.
  package func noteUse(of version: ProofVersion) {
    noteUse(of: version, at: clock.now)
  }

  /// Notes what the store says of the session's last use, which another process may have written. The lock is held.
  func noteStored(use: Date?, _ state: inout ManagerState) {
    state.use.stored = use
    guard state.writer.owesUse else { return }
    guard let last = state.use.last, let session = state.session else {
      state.writer.owesUse = false
      return
    }
    state.writer.owesUse = state.use.isOwed(at: last, every: lastUseInterval, since: session.issuedAt)
  }

  private func noteUse(of version: ProofVersion, at now: Date) {
    state.withLock { state in
      guard let warm = state.warm, warm.version.lineage == version.lineage else { return }
      state.use.last = now
      guard !state.writer.owesUse,
        state.use.isOwed(at: now, every: lastUseInterval, since: warm.session.issuedAt)
      else { return }
      state.writer.owesUse = true
      scheduleWriter(&state, after: configuration.writeDelay)
    }
  }

  /// The time by this manager's clock.
  package var now: Date { clock.now }

  /// Whether a request is for the server that this manager signs in to, before a session says so more exactly.
  func isHome(_ request: HTTPRequest) -> Bool {
    guard let origin = Origin(request) else { return false }
    return homes.contains(origin)
  }

  /// Whether a request goes to an origin of the session that is known or stored, good or not. Asks only the store.
  func knownSessionCovers(_ request: HTTPRequest) async -> Bool {
    _ = await restore()
    guard let session = state.withLock({ $0.session }) else { return false }
    return authenticator.attachment(for: session).covers(request)
  }

  /// Tells the manager what a server answered to a request that ``attach(to:body:)`` added proof to, for apps that send
  /// requests their own way.
  /// - Parameter version: what ``attach(to:body:)`` said; `nil` when the request carried no proof, because there was none and
  ///   the authenticator needs one only when challenged.
  /// - Returns: whether the proof was refused. Get a new ``session()`` then, attach its proof, and send the request again if
  ///   that is safe. The session may be the same as before: proof that is made for each request can be stale by itself.
  public func judge(
    _ response: TransportResponse, to request: TransportRequest, carrying version: ProofVersion?
  ) async -> Verdict {
    let warm = version.flatMap { version in
      state.withLock { state in state.warm.flatMap { $0.version == version ? $0 : nil } }
    }
    switch warm?.attachment.perRequest?.review(
      response.head, body: response.body, to: request, repetitions: nil)
    {
    case .decided(let verdict):
      return await note(verdict, response.head, to: request, carrying: version, after: version)
    case .again, .againWithout:
      return .rejected(reason: "the server wants newer proof for this request", mayHaveExecuted: false)
    case .failed(let error): return .obstructed(error)
    case .undecided, nil:
      return await note(
        authenticator.judge(response, to: request), response.head, to: request, carrying: version, after: version)
    }
  }

  /// Draws the consequences of what a response means.
  /// - Parameter shown: the proof that a refusal is about: the one that was carried, or an older one if a redirect led
  ///   here.
  func note(
    _ verdict: Verdict, _ response: HTTPResponse, to request: TransportRequest, carrying version: ProofVersion?,
    after shown: ProofVersion?
  ) async -> Verdict {
    switch verdict {
    case .accepted:
      guard let version else { break }
      if let warm = state.withLock({ $0.warm }), warm.version == version { noteAccepted(warm) }
      await absorb(response, to: request, version: version)
    case .obstructed, .insufficient:
      break
    case .rejected(let reason, _), .doubtful(let reason, _):
      if let shown { noteRejected(shown, reason: reason) }
    }
    return verdict
  }
}

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
    guard let known = ready else { return .noSession }
    return attach(known, to: &request, body: body)
  }

  func attach(_ known: SessionDriver.Known, to request: inout HTTPRequest, body: Data?) -> Attachment {
    let attachment = known.prepared.attachment
    let isCovered = attachment.covers(request)
    let moment = driver.clock.moment
    attachment.apply(to: &request, body: body, isCovered: isCovered, at: moment, isProof: isProof)
    if isCovered { noteUse(of: known.version, at: moment.wall) }
    return isCovered ? .attached(known.version) : .notCovered
  }

  /// The proof that is good now and its version, for modules that attach to other types of request. They tell what they
  /// have attached with ``noteUse(of:)``.
  package var readyAttachment: (version: ProofVersion, attachment: ProofAttachment)? {
    ready.map { ($0.version, $0.prepared.attachment) }
  }

  /// The session, if it is good now.
  private var ready: SessionDriver.Known? {
    let snapshot = driver.snapshot
    guard let known = snapshot.usable, known.isFresh(at: driver.clock.moment) else { return nil }
    // Whether another process has changed what is stored, as far as the store can tell quickly.
    if let stamp = snapshot.stamp, let present = store.stamp(of: key), present != stamp { return nil }
    return known
  }

  /// The time by this manager's clocks.
  package var moment: Moment { driver.clock.moment }

  /// Whether a cookie of this name carries the session.
  package func isProof(_ name: String) -> Bool { authenticator.isProof(cookieNamed: name) }

  /// Tells the manager what a server answered to a request that ``attach(to:body:)`` added proof to, for apps that send
  /// requests their own way.
  /// - Parameter version: what ``attach(to:body:)`` said; `nil` when the request carried no proof, because there was none and
  ///   the authenticator needs one only when challenged.
  /// - Returns: whether the proof was refused. Get a new ``session()`` then, attach its proof, and send the request again if
  ///   that is safe. The session may be the same as before: proof that is made for each request can be stale by itself.
  public func judge(
    _ response: TransportResponse, to request: TransportRequest, carrying version: ProofVersion?
  ) async -> Verdict {
    let known = driver.snapshot.usable.flatMap { $0.version == version ? $0 : nil }
    switch known?.prepared.attachment.perRequest?.review(
      response.head, body: response.body, to: request, repetitions: nil)
    {
    case .decided(let verdict):
      return await note(verdict, response.head, to: request, carrying: version, after: version, isOwn: true)
    case .again, .againWithout:
      return .rejected(reason: "the server wants newer proof for this request", mayHaveExecuted: false)
    case .failed(let error): return .obstructed(error)
    case .undecided, nil:
      return await note(
        authenticator.judge(response, to: request), response.head, to: request, carrying: version, after: version,
        isOwn: true)
    }
  }
}

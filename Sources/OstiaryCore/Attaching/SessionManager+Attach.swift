public import Foundation
public import HTTPTypes

/// What came of attaching proof to a request.
public enum Attachment: Sendable, Hashable {
  /// The request carries this version of the proof.
  case attached(ProofVersion)
  /// The request goes to an address that is not the session's, or the kind's proof stands in the body and is added by
  /// ``AuthenticatedTransport`` alone. The request was left alone save for cookies that belong there.
  case notCovered
  /// There is no session that is good now for this address; ``SessionManager/session(for:)`` gets one.
  case noSession
}

extension SessionManager {
  /// Adds the session's proof to a request, if there is a session that is good now. Costs well under a microsecond and
  /// what the store's ``SessionStore/stamp(of:)`` costs, asks nothing else and never waits. Proof that is made for each
  /// request costs what making it does.
  /// - Parameter body: the body that the request will have, where proof has to cover it (Digest with `auth-int`).
  @discardableResult
  public func attach(to request: inout HTTPRequest, body: Data? = nil) -> Attachment {
    guard let ready else { return .noSession }
    if let part = ready.attachment.part(for: request), !isUsable(part) { return .noSession }
    return attach(ready, to: &request, body: body)
  }

  func attach(_ prepared: PreparedSession, to request: inout TransportRequest) -> Attachment {
    guard let inBody = prepared.attachment.inBody else {
      return attach(prepared, to: &request.head, body: request.body)
    }
    let isCovered = prepared.attachment.covers(request.head)
    if isCovered {
      inBody(&request)
      noteUse(of: prepared.version)
    }
    _ = attach(prepared, to: &request.head, body: request.body)
    return isCovered ? .attached(prepared.version) : .notCovered
  }

  func attach(_ prepared: PreparedSession, to request: inout HTTPRequest, body: Data?) -> Attachment {
    let isCovered = prepared.attachment.inBody == nil && prepared.attachment.covers(request)
    let part = isCovered ? prepared.attachment.part(for: request) : nil
    if let part, part.digest == nil { return .noSession }
    prepared.attachment.apply(
      to: &request, body: body, isCovered: isCovered && part == nil, at: driver.clock.moment, isProof: isProof)
    part?.attachment.apply(to: &request, body: body, isCovered: true, at: driver.clock.moment, isProof: isProof)
    if isCovered { noteUse(of: prepared.version) }
    return isCovered ? .attached(prepared.version) : .notCovered
  }

  /// The session, if it is good now. Modules that attach its proof to other types of request tell of that with
  /// ``noteUse(of:)``.
  package var ready: PreparedSession? {
    let snapshot = driver.snapshot
    guard let prepared = snapshot.ready(at: driver.clock.moment) else { return nil }
    // Whether another process has changed what is stored, as far as the store can tell quickly.
    if let stamp = snapshot.stamp, let present = store.stamp(of: key), present != stamp { return nil }
    return prepared
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
    let present = driver.snapshot.usable
    let known = present.flatMap { $0.version == version ? $0 : nil }
    if known == nil, let present, present.version.lineage == version?.lineage,
      let part = present.prepared.attachment.part(for: request.head)
    {
      return judge(response, to: request, of: part, carrying: version)
    }
    let part = known.flatMap { carriedPart($0, request.head) }
    let parts = (carried: part, shown: part)
    switch known?.prepared.attachment.proof(for: request.head)?.review(
      response.head, body: response.body, to: request, repetitions: nil, at: driver.clock.now)
    {
    case .decided(let verdict):
      return await note(
        verdict, response.head, to: request, carrying: version, after: version, parts: parts, isOwn: true)
    case .again, .againWithout:
      return .rejected(reason: "the server wants newer proof for this request", mayHaveExecuted: false)
    case .failed(let error): return .obstructed(error)
    case .undecided, nil:
      return await note(
        authenticator.judge(response, to: request), response.head, to: request, carrying: version, after: version,
        parts: parts, isOwn: true)
    }
  }
}

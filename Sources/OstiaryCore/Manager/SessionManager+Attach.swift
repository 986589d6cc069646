package import Foundation
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
  /// what the store's ``SessionStore/stamp(of:)`` costs, asks nobody else and never waits.
  @discardableResult
  public func attach(to request: inout HTTPRequest) -> Attachment {
    guard let warm = ready else { return .noSession }
    return attach(warm, to: &request)
  }

  func attach(_ warm: WarmSession, to request: inout HTTPRequest) -> Attachment {
    let isCovered = warm.attachment.covers(request)
    warm.attachment.apply(to: &request, isCovered: isCovered, now: clock.now)
    return isCovered ? .attached(warm.version) : .notCovered
  }

  /// The proof that is good now and its version, for modules that attach to other types of request.
  package var readyAttachment: (version: ProofVersion, attachment: ProofAttachment)? {
    ready.map { ($0.version, $0.attachment) }
  }

  /// The session, if it is good now.
  private var ready: WarmSession? {
    guard let warm = state.withLock({ $0.warm }), warm.isFresh(at: clock), !isOvertaken else { return nil }
    return warm
  }

  /// The time by this manager's clock.
  package var now: Date { clock.now }

  /// Whether a request is for the server that this manager signs in to, before a session says so more exactly.
  func isHome(_ request: HTTPRequest) -> Bool {
    guard let home, let origin = Origin(request) else { return false }
    return origin == home
  }

  /// Whether a request goes to an origin of the session that is known or stored, good or not. Asks only the store.
  func knownSessionCovers(_ request: HTTPRequest) async -> Bool {
    _ = await restore()
    guard let session = state.withLock({ $0.session }) else { return false }
    return authenticator.attachment(for: session).covers(request)
  }

  /// Tells the manager what a server answered to a request that ``attach(to:)`` added proof to, for apps that send
  /// requests their own way.
  /// - Returns: whether the proof was refused. Get a new ``session()`` then, and send the request again if that is safe.
  public func judge(
    _ response: TransportResponse, to request: TransportRequest, carrying version: ProofVersion
  ) async -> Verdict {
    let verdict = authenticator.judge(response, to: request)
    switch verdict {
    case .accepted:
      if let warm = state.withLock({ $0.warm }), warm.version == version { noteAccepted(warm) }
      await absorb(response.head, to: request.head, version: version)
    case .rejected(let reason, _):
      noteRejected(version, reason: reason)
    }
    return verdict
  }
}

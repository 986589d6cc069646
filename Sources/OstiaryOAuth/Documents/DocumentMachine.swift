internal import Foundation
internal import OstiaryCore

/// What is held of one document of a server, as a value: calls in, steps out. No clock, lock or task is inside.
struct DocumentMachine<Document: Sendable>: Sendable {
  /// A document that was had from the server.
  struct Copy: Sendable {
    var document: Document
    /// Names this version to the server (`ETag`).
    var tag: String?
    /// When the server last said that this is its document.
    var confirmed: Moment
    /// For how long it is fresh since then, in seconds.
    var lifetime: TimeInterval
  }

  /// What a caller wants.
  enum Want: Sendable, Hashable {
    /// A document that is fresh.
    case fresh
    /// A document that is newer than the one that is held, which lacks something. At most one request for such callers
    /// is begun in ``pause`` seconds.
    case newer
  }

  /// What to do for a caller.
  enum Step: Sendable {
    /// There is a document.
    case use(Delivery)
    /// Another caller's fetch is under way.
    case join
    /// No fetch is under way: this caller fetches, and says how it went with ``finish(_:at:)``.
    case fetch(Copy?)
  }

  /// A document as callers get it.
  struct Delivery: Sendable {
    let document: Document
    /// Whether the server has just confirmed or sent it.
    let isNew: Bool
    /// Why there is no newer one, if there should be.
    let failure: (any Error)?
  }

  /// What came of a fetch.
  enum Outcome: Sendable {
    case document(Document, tag: String?, lifetime: TimeInterval)
    /// The copy is still the server's document.
    case unchanged(lifetime: TimeInterval)
    case failure(any Error)
  }

  private(set) var copy: Copy?
  private(set) var isUnderWay = false
  private var failed: (error: any Error, at: Moment)?
  private var demanded: Moment?

  /// How long callers that want a newer document share one request, in seconds.
  static var pause: TimeInterval { DocumentLifetime.pause }

  /// The document that is held, if it is fresh: no caller has to wait for it.
  func fresh(at now: Moment) -> Document? {
    guard let copy, Self.isWithin(copy.lifetime, since: copy.confirmed, now) else { return nil }
    return copy.document
  }

  /// A caller wants the document.
  mutating func want(_ want: Want, at now: Moment) -> Step {
    let usable = copy.flatMap { now.seconds(since: $0.confirmed) <= DocumentLifetime.kept ? $0 : nil }
    let isFresh = usable.map { Self.isWithin($0.lifetime, since: $0.confirmed, now) } ?? false
    if let usable {
      let delivery = Delivery(document: usable.document, isNew: false, failure: failed?.error)
      switch want {
      case .fresh where isFresh || (isPaused(failed?.at, now) && !isUnderWay): return .use(delivery)
      case .newer where !isUnderWay && (isPaused(failed?.at, now) || isPaused(demanded, now)): return .use(delivery)
      default: break
      }
    }
    if isUnderWay { return .join }
    isUnderWay = true
    if want == .newer { demanded = now }
    return .fetch(usable)
  }

  /// The fetch is over.
  /// - Returns: what each caller that waited for it gets.
  mutating func finish(_ outcome: Outcome, at now: Moment) -> Result<Delivery, any Error> {
    isUnderWay = false
    switch outcome {
    case .document(let document, let tag, let lifetime):
      copy = Copy(document: document, tag: tag, confirmed: now, lifetime: lifetime)
    case .unchanged(let lifetime):
      copy?.confirmed = now
      copy?.lifetime = lifetime
    case .failure(let error):
      failed = (error, now)
      guard let copy, now.seconds(since: copy.confirmed) <= DocumentLifetime.kept else { return .failure(error) }
      return .success(Delivery(document: copy.document, isNew: false, failure: error))
    }
    failed = nil
    guard let copy else {
      return .failure(
        OstiaryError(.unexpectedResponse, "The server says that a document has not changed that it has not sent."))
    }
    return .success(Delivery(document: copy.document, isNew: true, failure: nil))
  }

  private func isPaused(_ since: Moment?, _ now: Moment) -> Bool {
    since.map { Self.isWithin(Self.pause, since: $0, now) } ?? false
  }

  /// Whether less time has passed. When the clock was set back, it is not known how much has.
  private static func isWithin(_ limit: TimeInterval, since earlier: Moment, _ now: Moment) -> Bool {
    let passed = now.seconds(since: earlier)
    return passed >= 0 && passed < limit
  }
}

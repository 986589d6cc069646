import Foundation
import HTTPTypes
internal import Logging
import OstiaryCore

/// The most recent events of a development server, for the person at its start page: requests, decisions and their
/// causes. It stores only the last ones, in memory.
///
/// It never contains queries, bodies, cookies or proofs. Texts that clients chose are shortened, and unprintable characters are
/// escaped.
final class RecentEvents: Sendable {
  struct Event: Hashable, Sendable {
    let time: Date
    /// The request, or the subject of a decision.
    let what: String
    /// The outcome.
    let outcome: String
    /// Further facts, each with its name.
    let details: [Detail]

    struct Detail: Hashable, Sendable {
      let name: String
      let value: String
    }
  }

  /// The most events that are kept; the oldest are removed first.
  static let limit = 100
  private static let longest = 160
  static let resource = ResourceLimit(
    "recent_events", "Events on a development server's start page", .count(limit), standard: "100",
    refusal: "the oldest are forgotten", count: nil)

  private let clock: any SessionClock
  private let events = Locked<[Event]>([])

  init(clock: any SessionClock) { self.clock = clock }

  /// The newest first.
  var newest: [Event] { events.withLock { $0.reversed() } }

  private func record(_ what: String, _ outcome: String, _ details: [(String, String?)]) {
    let known = details.compactMap { name, value in
      value.map { Event.Detail(name: name, value: Self.shown($0)) }
    }
    let event = Event(time: clock.now, what: Self.shown(what), outcome: Self.shown(outcome), details: known)
    events.withLock { events in
      if events.count >= Self.limit { events.removeFirst() }
      events.append(event)
    }
  }

  /// A request that has been answered.
  /// - Parameter path: Without the query, and without segments that are a proof.
  func record(_ request: DoorRequest, path: String, status: Int) {
    record(
      "\(request.method.rawValue) \(path)", "\(status)",
      [("program", request.headers[.userAgent]), ("request", request.id)])
  }

  /// A line of the log, if it reports a decision.
  func record(_ message: Logger.Message, _ metadata: Logger.Metadata) {
    func text(_ key: String) -> String? {
      guard let value = metadata[key]?.description, !value.isEmpty, value != "-" else { return nil }
      return value
    }
    // Only decisions that this server's own code logs, not the lines of other libraries.
    guard let event = text("event") else { return }
    record(
      event, text("result") ?? "\(message)",
      Self.told.map { name, key in (name, text(key)) })
  }

  /// The facts of a decision: the words here, and the names in the log. Other facts are only in the log.
  private static let told = [
    ("by", "pathway"), ("for", "target"), ("client", "client"), ("because", "cause"), ("because", "error"),
    ("request", "request_id"),
  ]

  private static func shown(_ text: String) -> String {
    // Nearly all of it: looking up what each of its scalars is costs more than answering a request.
    if text.utf8.count <= longest, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    var shown = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < longest else { return shown + "…" }
      if scalar.isUnprintable {
        shown += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

/// Passes the log's lines on, and shows the decisions among them on the start page as well.
struct RecentLogHandler: LogHandler {
  private var inner: any LogHandler
  private let recent: RecentEvents

  init(_ inner: any LogHandler, _ recent: RecentEvents) {
    self.inner = inner
    self.recent = recent
  }

  /// Decisions are logged at this level, whether or not the log itself takes it.
  private static let decisions = Logger.Level.info

  var logLevel: Logger.Level {
    get { min(inner.logLevel, Self.decisions) }
    set { inner.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { inner.metadata }
    set { inner.metadata = newValue }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { inner.metadataProvider }
    set { inner.metadataProvider = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { inner[metadataKey: key] }
    set { inner[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    if let metadata = event.metadata { recent.record(event.message, metadata) }
    if event.level >= inner.logLevel { inner.log(event: event) }
  }
}

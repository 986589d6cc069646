internal import Foundation

/// What became of the renewals with a proof that have brought no newer one, for this process and the next. It is written with what is
/// written before each renewal in any case, and once more after one that failed. It holds no secret.
struct RenewalTrail: Hashable, Sendable, Codable {
  /// The renewal that has begun and of whose outcome nothing is written yet.
  var begun: Begun?
  /// One whose answer is known to no process: the server may have given newer proof with it.
  var lost: Lost?
  /// Those that the server refused without a reason that can be read.
  var refused: Refused?

  /// A renewal.
  struct Begun: Hashable, Sendable, Codable {
    /// The session manager that renews.
    var writer: UUID
    /// When, by the clock of its process.
    var date: Date
  }

  /// A renewal without an answer.
  struct Lost: Hashable, Sendable, Codable {
    /// When it had begun, by the clock of its process.
    var date: Date
    /// Whether its process saw that the answer did not come, or could not be read. Otherwise that process wrote nothing more.
    var isSeen: Bool
  }

  /// Refusals without a reason.
  struct Refused: Hashable, Sendable, Codable {
    var count = 0
    /// When the first one was.
    var since: Date
  }

  /// How many refusals, and in how many seconds at least, are no passing trouble.
  static let patience = (count: 3, seconds: 60.0)

  var isEmpty: Bool { self == RenewalTrail() }

  /// A renewal begins. Another process that had begun one wrote nothing of its outcome.
  mutating func begin(by writer: UUID, at now: Date) {
    if let begun, begun.writer != writer, lost == nil { lost = Lost(date: begun.date, isSeen: false) }
    begun = Begun(writer: writer, date: now)
  }

  /// The server has answered, or can't have acted.
  mutating func end() { begun = nil }

  /// The server may have acted, and its answer did not come or could not be read.
  mutating func lose(at now: Date) {
    lost = Lost(date: begun?.date ?? now, isSeen: true)
    begun = nil
  }

  /// The server has refused it without a reason that can be read.
  mutating func refuse(at now: Date) {
    // A clock that was set back makes no refusal one of the future.
    let since = min(refused?.since ?? now, now)
    refused = Refused(count: min(refused?.count ?? 0, 1_000_000) + 1, since: since)
    begun = nil
  }

  /// Whether the server has refused so often, and for so long, that trying again is of no use to the user.
  func isRefusedForGood(at now: Date) -> Bool {
    guard let refused else { return false }
    return refused.count >= Self.patience.count && now.timeIntervalSince(refused.since) >= Self.patience.seconds
  }

  /// What may be behind a refusal, for a person; `nil` where nothing is known.
  var explanation: String? {
    guard let lost else { return nil }
    let date = lost.date.ISO8601Format()
    let what =
      lost.isSeen
      ? "An answer to the same request was lost before, at \(date): the server may have put a new token into it."
      : "A process began the same renewal at \(date) and wrote nothing more: it may have been ended before it could write a new "
        + "token of the server's answer."
    return what + " A server that repeats such an answer (RFC 9700 §4.14.2) keeps the session good."
  }

  /// How often the server has refused, for a person; `nil` where that is no more than once.
  var repetition: String? {
    guard let refused, refused.count > 1 else { return nil }
    return "It has done so \(refused.count) times since \(refused.since.ISO8601Format())."
  }
}

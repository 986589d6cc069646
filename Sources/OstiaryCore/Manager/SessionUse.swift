internal import Foundation

/// When a session was last used, here and as far as the store knows.
struct SessionUse: Sendable, Equatable {
  /// When it was last used here.
  var last: Date?
  /// What the store says of it.
  var stored: Date?

  /// What a writer says of it.
  func date(at now: Date) -> Date? {
    // Another process may have used it later than this one; a date to come is a clock's mistake.
    guard let last else { return stored }
    guard let stored, stored > last, stored <= now else { return last }
    return stored
  }

  /// Whether what the store says is so far off that it is worth a write of its own.
  /// - Parameter issuedAt: stands for a use that the store knows nothing of.
  func isOwed(at now: Date, every interval: TimeInterval, since issuedAt: Date) -> Bool {
    abs(now.timeIntervalSince(stored ?? issuedAt)) >= interval
  }
}

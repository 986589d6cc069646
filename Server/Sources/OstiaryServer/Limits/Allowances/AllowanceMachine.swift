import Foundation

/// How much is allowed within a window, and how servers share it.
struct AllowanceTerms: Hashable, Sendable {
  /// The most calls within a window, of all servers together.
  let limit: Int
  /// The length of a window, in seconds.
  let period: TimeInterval

  /// Allowances from this size on are shared out; of smaller ones, the row decides each call.
  static let leastShared = 1000
  /// A share is not used in the last seconds of its window: the clocks of the servers differ by less.
  static let margin: TimeInterval = 10

  /// The most that a server takes at a time: little, as a server that is killed has used it.
  var share: Int { limit >= Self.leastShared ? min(max(limit / 1000, 10), 1000) : 1 }
}

/// What the row of an allowance says: a window has begun, and servers have taken so much of it. A value: it has no clock and no
/// database.
struct AllowanceRow: Hashable, Sendable {
  /// The number of the window. What was taken in one can't be used or given back in another.
  var window = 0
  /// The window's beginning, in seconds since 1970.
  var start: TimeInterval
  /// How much servers have taken and not given back.
  var taken = 0

  /// A share, as a server gets it.
  struct Grant: Hashable, Sendable {
    let window: Int
    let start: TimeInterval
    /// How much it is; 0 if all has been taken.
    let count: Int
    /// How much all servers have taken by now.
    let taken: Int
  }

  /// An unused rest that a server gives back.
  struct Rest: Hashable, Sendable {
    let window: Int
    let count: Int
  }

  /// Gives a server its next share. The last ones are smaller, so that no server has much that another one lacks.
  mutating func take(_ rest: Rest?, _ terms: AllowanceTerms, now: TimeInterval) -> Grant {
    if now - start >= terms.period {
      self = AllowanceRow(window: window + 1, start: now)
    } else if start - now > terms.period {
      // The machines' clocks were set back by more than a window: it doesn't last until they are where they were.
      start = now
    }
    if let rest, rest.window == window { taken = max(taken - rest.count, 0) }
    let left = max(terms.limit - taken, 0)
    let isEnding = now - start >= terms.period - AllowanceTerms.margin
    let count = min(isEnding ? 1 : terms.share, max(left / 8, 1), left)
    taken += count
    return Grant(window: window, start: start, count: count, taken: taken)
  }
}

/// One server's share of an allowance, as a value: its inputs are calls and answers of the row, its actions are what to do. It has no
/// clock, lock or database.
///
/// Each call is counted before it is allowed. A server that is killed has used what it had taken. So the servers never allow more than
/// the limit in a window, however many they are.
struct AllowanceMachine: Hashable, Sendable {
  enum Input: Hashable, Sendable {
    /// A call wants to be allowed.
    case call(now: TimeInterval)
    /// The row has answered the question: an answer to the call that asked.
    case granted(AllowanceRow.Grant, now: TimeInterval)
    /// The row could not be asked, or its answer is not known.
    case failed
  }

  enum Action: Hashable, Sendable {
    /// The call is allowed.
    /// - Parameter used: how many calls there have been in this window, with this one, as far as this server knows.
    case allow(used: Int)
    /// The call is one too many.
    case refuse
    /// Asks the row for a share, in the name of this call, and gives the rest of another one back.
    case ask(AllowanceRow.Rest?)
    /// Another call asks: this one comes again when that is answered.
    case wait
  }

  /// A server that was refused asks again after so many seconds: another one may have given something back.
  static let patience: TimeInterval = 1

  let terms: AllowanceTerms
  private var window = 0
  private var start: TimeInterval = 0
  private var left = 0
  private var taken = 0
  /// Whether a call asks the row at this moment.
  private(set) var isAsking = false
  private var refusedAt: TimeInterval?

  init(_ terms: AllowanceTerms) { self.terms = terms }

  /// How many calls there have been, as far as this server knows.
  var used: Int { max(taken - left, 0) }

  mutating func step(_ input: Input) -> Action {
    switch input {
    case .call(let now): return call(now)
    case .granted(let grant, let now):
      isAsking = false
      (window, start, taken) = (grant.window, grant.start, grant.taken)
      guard grant.count > 0 else {
        refusedAt = now
        return .refuse
      }
      left = grant.count - 1
      return .allow(used: used)
    case .failed:
      isAsking = false
      return .refuse
    }
  }

  private mutating func call(_ now: TimeInterval) -> Action {
    if left > 0, isCurrent(now) {
      left -= 1
      return .allow(used: used)
    }
    if isAsking { return .wait }
    if let refusedAt, (0..<Self.patience).contains(now - refusedAt) { return .refuse }
    refusedAt = nil
    isAsking = true
    let rest = left > 0 ? AllowanceRow.Rest(window: window, count: left) : nil
    // What is given back is gone, also if the answer gets lost.
    left = 0
    return .ask(rest)
  }

  /// Whether the share belongs to the window of this moment, also by the clocks of other servers.
  private func isCurrent(_ now: TimeInterval) -> Bool {
    (-AllowanceTerms.margin..<max(terms.period - AllowanceTerms.margin, 0)).contains(now - start)
  }
}

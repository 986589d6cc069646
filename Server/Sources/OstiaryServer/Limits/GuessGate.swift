import Foundation
internal import OstiaryCore

/// Lets guesses run side by side. A guess that could be one too many waits for the guesses under way in the same count: if one of
/// these turns out right it does not count, and no caller needs to be refused.
///
/// Guesses from one network ask one at a time, in the order in which they came. All services over a storage share one gate, which
/// has their state about guesses in memory.
final class GuessGate: StorageCompanion {
  typealias Key = GuessTable.Row

  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct UnderWay {
    var count = 1
    /// The number of the last guess that was settled.
    var settled = 0
    /// The callers that wait until one is settled.
    var askers: [CheckedContinuation<Bool, Never>] = []
  }

  private struct State {
    /// The queues of the callers that wait for their turn to ask; an entry for each turn that is taken.
    var lines: [Data: [Waiter]] = [:]
    var underWay: [Key: UnderWay] = [:]
    /// Guesses settled so far, to notice one that settles between an answer and the wait for it.
    var settled = 0
    /// The ends of known waits, for guesses that are verified before the database is asked.
    var waits: [Data: (end: Date, whole: TimeInterval)] = [:]
    /// How many found no room among them.
    var unremembered = 0
    var countedSinceTidying = 0
    var tidiedAt = Date.distantPast
  }

  private let state = Locked(State())

  init(mostWaits: Int = 10_000) { self.mostWaits = mostWaits }

  /// The instance of a storage.
  static func of(_ storage: ServerStorage) -> GuessGate { storage.shared { GuessGate() } }

  func forgetAll() { state.withLock { $0.waits = [:] } }

  /// Asks until the answer is certain. The caller has to settle a guess that is counted.
  /// - Parameter turn: Callers with the same turn ask one after the other.
  func certainAnswer<Found: Sendable>(
    turn: Data, ask: () async throws(ServerError) -> (answer: GuessTable.Answer, found: Found)
  ) async throws(ServerError) -> (answer: GuessTable.Answer, found: Found) {
    await takeTurn(turn)
    defer { passTurn(turn) }
    while true {
      let before = state.withLock { $0.settled }
      let result = try await ask()
      switch result.answer {
      case .counted(let ticket):
        begin(ticket)
        return result
      case .wait(_, let row):
        guard await anotherSettles(row, since: before) else { return result }
      }
    }
  }

  private func takeTurn(_ turn: Data) async {
    await withCheckedContinuation { (waiter: Waiter) in
      let isMine = state.withLock { state in
        guard state.lines[turn] != nil else {
          state.lines[turn] = []
          return true
        }
        state.lines[turn]?.append(waiter)
        return false
      }
      if isMine { waiter.resume() }
    }
  }

  private func passTurn(_ turn: Data) {
    let next: Waiter? = state.withLock { state in
      guard state.lines[turn]?.isEmpty == false else {
        state.lines[turn] = nil
        return nil
      }
      return state.lines[turn]?.removeFirst()
    }
    next?.resume()
  }

  private func begin(_ ticket: GuessTable.Ticket) {
    state.withLock { state in
      for (_, row) in ticket.rows {
        if state.underWay[row] == nil { state.underWay[row] = UnderWay() } else { state.underWay[row]?.count += 1 }
      }
    }
  }

  /// Waits for a guess under way; false if none is, and none was settled since.
  private func anotherSettles(_ row: Key, since before: Int) async -> Bool {
    await withCheckedContinuation { (asker: CheckedContinuation<Bool, Never>) in
      let known: Bool? = state.withLock { state in
        guard let underWay = state.underWay[row] else { return state.settled > before }
        guard underWay.settled <= before else { return true }
        state.underWay[row]?.askers.append(asker)
        return nil
      }
      if let known { asker.resume(returning: known) }
    }
  }

  /// Ends a guess under way.
  func settle(_ ticket: GuessTable.Ticket) {
    let askers: [CheckedContinuation<Bool, Never>] = state.withLock { state in
      state.settled += 1
      var askers: [CheckedContinuation<Bool, Never>] = []
      for (_, row) in ticket.rows {
        guard var underWay = state.underWay[row] else { continue }
        askers += underWay.askers
        underWay.askers = []
        underWay.count -= 1
        underWay.settled = state.settled
        state.underWay[row] = underWay.count > 0 ? underWay : nil
      }
      return askers
    }
    for asker in askers { asker.resume(returning: true) }
  }

  /// How many counts have a guess under way.
  var count: Int { state.withLock { $0.underWay.count } }

  // MARK: Waits

  /// How many waits are remembered.
  let mostWaits: Int

  /// How many were not remembered, because there was no room.
  var unrememberedWaits: Int { state.withLock { $0.unremembered } }

  /// The wait as far as this process knows; nil if it knows of none.
  func wait(_ key: Data, now: Date) -> Duration? {
    guard let wait = state.withLock({ $0.waits[key] }) else { return nil }
    let rest = wait.end.timeIntervalSince(now)
    // More than the whole: the machine's clock was set back, and the database knows better.
    return rest > 0 && rest <= wait.whole ? .seconds(rest) : nil
  }

  func remember(_ wait: Duration, _ key: Data, now: Date) {
    state.withLock { state in
      if state.waits[key] == nil {
        if state.waits.count >= mostWaits { state.waits = state.waits.filter { $0.value.end > now } }
        // The table is full of waits that have not ended: the database still has the new one.
        guard state.waits.count < mostWaits else {
          state.unremembered += 1
          return
        }
      }
      state.waits[key] = (now.addingTimeInterval(wait.timeInterval), wait.timeInterval)
    }
  }

  // MARK: Housekeeping

  /// Counts a guess. Returns whether it is time to remove old counts from the table.
  func isTidyingDue(now: Date, most: Int) -> Bool {
    state.withLock { state in
      state.countedSinceTidying += 1
      guard state.countedSinceTidying >= max(most / 1000, 1) || abs(now.timeIntervalSince(state.tidiedAt)) >= 60 else {
        return false
      }
      state.countedSinceTidying = 0
      state.tidiedAt = now
      return true
    }
  }
}

internal import OstiaryCore

/// Lets attempts at one account, or from one address, run side by side, and lets those that might be one too many wait
/// for the ones under way: if one of these turns out right it does not count, and nobody needs to be sent away.
///
/// Attempts of one key ask in the order they came, one at a time; attempts of different keys don't meet.
final class AttemptGate<Key: Hashable & Sendable>: Sendable {
  private let entries = Locked<[Key: Entry]>([:])

  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct Entry {
    var isTurnTaken = false
    /// Those that wait for their turn to ask.
    var line: [Waiter] = []
    /// Attempts granted and not yet settled.
    var granted = 0
    /// Attempts settled so far, to notice one that settles between an answer and the wait for it.
    var settled = 0
    /// The one whose turn it is, when it waits for an attempt to be settled.
    var asker: CheckedContinuation<Bool, Never>?
  }

  /// What the one who asks is told. Attempts under way count as failures.
  enum Answer<Grant: Sendable>: Sendable {
    case granted(Grant)
    case blocked(Duration)
  }

  /// What became of an attempt.
  enum Outcome<Value: Sendable>: Sendable {
    case made(Value)
    /// Not made, and none may be before the time is over.
    case blocked(Duration)
  }

  /// Asks until the answer is certain and makes the attempt if it is granted.
  func run<Grant: Sendable, Value: Sendable>(
    _ key: Key,
    ask: () async throws(ServerError) -> Answer<Grant>,
    attempt: (Grant) async throws(ServerError) -> Value
  ) async throws(ServerError) -> Outcome<Value> {
    let grant: Grant
    switch try await certainAnswer(key, ask: ask) {
    case .blocked(let wait): return .blocked(wait)
    case .granted(let given): grant = given
    }
    defer { settle(key) }
    return .made(try await attempt(grant))
  }

  private func certainAnswer<Grant: Sendable>(
    _ key: Key, ask: () async throws(ServerError) -> Answer<Grant>
  ) async throws(ServerError) -> Answer<Grant> {
    await takeTurn(key)
    defer { passTurn(key) }
    while true {
      let before = entries.withLock { $0[key]?.settled ?? 0 }
      let answer = try await ask()
      switch answer {
      case .granted:
        entries.withLock { $0[key]?.granted += 1 }
        return answer
      case .blocked:
        guard await anotherSettles(key, since: before) else { return answer }
      }
    }
  }

  private func takeTurn(_ key: Key) async {
    await withCheckedContinuation { (waiter: Waiter) in
      let isMine = entries.withLock { entries in
        guard entries[key, default: Entry()].isTurnTaken else {
          entries[key, default: Entry()].isTurnTaken = true
          return true
        }
        entries[key]?.line.append(waiter)
        return false
      }
      if isMine { waiter.resume() }
    }
  }

  private func passTurn(_ key: Key) {
    let next: Waiter? = entries.withLock { entries in
      guard entries[key]?.line.isEmpty == false else {
        entries[key]?.isTurnTaken = false
        Self.tidy(&entries, key)
        return nil
      }
      return entries[key]?.line.removeFirst()
    }
    next?.resume()
  }

  /// Waits for an attempt under way; false if there is none.
  private func anotherSettles(_ key: Key, since before: Int) async -> Bool {
    await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
      let known: Bool? = entries.withLock { entries in
        guard let entry = entries[key], entry.settled == before else { return true }
        guard entry.granted > 0 else { return false }
        entries[key]?.asker = waiter
        return nil
      }
      if let known { waiter.resume(returning: known) }
    }
  }

  private func settle(_ key: Key) {
    let asker: CheckedContinuation<Bool, Never>? = entries.withLock { entries in
      entries[key]?.granted -= 1
      entries[key]?.settled += 1
      let asker = entries[key]?.asker
      entries[key]?.asker = nil
      Self.tidy(&entries, key)
      return asker
    }
    asker?.resume(returning: true)
  }

  private static func tidy(_ entries: inout [Key: Entry], _ key: Key) {
    guard let entry = entries[key], !entry.isTurnTaken, entry.granted == 0 else { return }
    entries[key] = nil
  }

  /// How many keys have an attempt under way.
  var count: Int { entries.withLock { $0.count } }
}

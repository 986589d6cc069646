import Foundation
internal import OstiaryCore

/// One server's use of an allowance that all servers over the database share: carries out what `AllowanceMachine` decides.
final class SharedAllowance: Sendable {
  private struct State {
    var machine: AllowanceMachine
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let terms: AllowanceTerms
  private let storage: ServerStorage
  private let name: String
  private let state: Locked<State>

  /// - Parameter name: The row's.
  init(_ storage: ServerStorage, named name: String, _ terms: AllowanceTerms) {
    self.storage = storage
    self.name = name
    self.terms = terms
    state = Locked(State(machine: AllowanceMachine(terms)))
  }

  /// How many calls there have been, as far as this server knows: it learns of others' when it takes a share.
  var used: Int { state.withLock { $0.machine.used } }

  /// Counts one call.
  /// - Returns: The number of calls with this one, as far as this server knows; nil if it is one too many.
  func take(at now: Date) async throws(ServerError) -> Int? {
    let now = now.timeIntervalSince1970
    while true {
      switch state.withLock({ $0.machine.step(.call(now: now)) }) {
      case .allow(let used): return used
      case .refuse: return nil
      case .wait: await answer()
      case .ask(let rest): return try await ask(rest, now)
      }
    }
  }

  private func ask(_ rest: AllowanceRow.Rest?, _ now: TimeInterval) async throws(ServerError) -> Int? {
    do {
      let grant = try await storage.writeTogether { [name, terms] db in
        var row =
          try db.first(AllowanceStatements.sql.findForUse, name) { reader in
            AllowanceRow(window: reader.next(), start: reader.next(), taken: reader.next())
          } ?? AllowanceRow(start: now)
        let grant = row.take(rest, terms, now: now)
        try db.run(AllowanceStatements.sql.write, name, row.window, row.start, row.taken)
        return grant
      }
      guard case .allow(let used) = settle(.granted(grant, now: now)) else { return nil }
      return used
    } catch {
      _ = settle(.failed)
      throw error
    }
  }

  private func settle(_ input: AllowanceMachine.Input) -> AllowanceMachine.Action {
    let (action, waiters) = state.withLock { state in
      let waiters = state.waiters
      state.waiters = []
      return (state.machine.step(input), waiters)
    }
    for waiter in waiters { waiter.resume() }
    return action
  }

  /// Waits until the question under way is answered.
  private func answer() async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        guard state.machine.isAsking else { return true }
        state.waiters.append(waiter)
        return false
      }
      if isOver { waiter.resume() }
    }
  }
}

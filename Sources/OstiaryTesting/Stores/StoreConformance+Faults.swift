import Foundation
package import OstiaryCore

/// What holds in tasks that have been cancelled, while the store is unavailable, and when a process dies.
extension StoreConformance {
  /// Runs a change in a task that has been cancelled before.
  private static func cancelled(_ what: String, _ change: @escaping @Sendable () async throws -> Void) async throws {
    let gate = Gate()
    let task = Task {
      try? await gate.pass()
      try require(Task.isCancelled, "The check's own task is not cancelled.")
      try await change()
    }
    task.cancel()
    gate.open()
    do {
      try await task.value
    } catch let failure as StoreCheckFailure {
      throw failure
    } catch {
      throw StoreCheckFailure("\(what) in a cancelled task threw \(error).")
    }
  }

  private static func expectUnavailable(_ what: String, _ change: () async throws -> Void) async throws {
    do {
      try await change()
    } catch let error as OstiaryError where error.code == .storeUnavailable {
      return
    } catch {
      throw StoreCheckFailure("\(what) threw \(error) while the store was unavailable.")
    }
    throw StoreCheckFailure("\(what) went through while the store was unavailable.")
  }

  static let faults: [StoreCheck] = [
    StoreCheck("Saving, ending and removing are done also in a task that has been cancelled") { open in
      let (store, other) = (try await open(), try await open())
      let entry = Data(#"{"ended":1}"#.utf8)
      try await cancelled("Saving") { try await store.save(a, for: key, replacing: .nothing) }
      try await expect(other, key, .present(a))
      try await cancelled("Saving") { _ = try await store.saveStamped(b, for: key, replacing: .exactly(a)) }
      try await expect(other, key, .present(b))
      try await cancelled("Ending") { try await store.end(key, with: entry, ifHolding: .exactly(b)) }
      try await expect(other, key, .present(entry))
      try await cancelled("Removing") { try await store.remove(key, ifHolding: .exactly(entry)) }
      try await expect(other, key, .absent)
      try await store.withExclusiveAccess(to: key, patience: .seconds(60)) {
        try await cancelled("Saving with exclusive access") { try await store.save(a, for: key, replacing: .nothing) }
      }
      try await expect(other, key, .present(a))
    },
    StoreCheck("A handle that has read sees what another has written since, also with exclusive access") { open in
      let (first, second) = (try await open(), try await open())
      for round in 0..<3 {
        try await expect(first, key, .absent)
        try await second.save(a, for: key, replacing: .nothing)
        try await expect(first, key, .present(a))
        try await expect(first, key, .present(a))
        try await first.withExclusiveAccess(to: key, patience: .seconds(60)) {
          try await expect(first, key, .present(a))
          try await second.save(b, for: key, replacing: .exactly(a))
          try await expect(first, key, .present(b))
        }
        try await expectConflict { try await first.save(a, for: key, replacing: .exactly(a)) }
        let accounts = try await first.accounts()
        try require(accounts == [key], "The accounts are \(accounts) in round \(round).")
        try await second.remove(key, ifHolding: .exactly(b))
        try await expect(first, key, .absent)
        let none = try await first.accounts()
        try require(none.isEmpty, "The accounts are \(none) after the removal.")
      }
    },
    StoreCheck(
      "A store that is unavailable says so, to everything, and has lost nothing when it is back",
      in: {
        surroundings in
        guard let outage = surroundings.outage else { return }
        let store = try await surroundings.open()
        let missing = SessionKey("never saved")
        try await store.save(a, for: key, replacing: .nothing)
        for _ in 0..<2 {
          try await expect(store, key, .present(a))
          try await outage.begin()
          do {
            for key in [key, missing] {
              let reading = await store.load(key)
              guard case .unavailable(let error) = reading else {
                throw StoreCheckFailure("Reading answered \(reading) while the store was unavailable.")
              }
              try require(error.code == .storeUnavailable, "Reading answered \(error).")
            }
            try await expectUnavailable("Saving") { try await store.save(b, for: key, replacing: .exactly(a)) }
            try await expectUnavailable("Saving") { try await store.save(b, for: missing, replacing: .anything) }
            try await expectUnavailable("Removing") { try await store.remove(key, ifHolding: .exactly(a)) }
            try await expectUnavailable("Ending") { try await store.end(key, with: b, ifHolding: .exactly(a)) }
            try await expectUnavailable("Listing") { _ = try await store.accounts() }
          } catch {
            try await outage.end()
            throw error
          }
          try await outage.end()
        }
        try await expect(store, key, .present(a))
        try await expect(store, missing, .absent)
        let accounts = try await store.accounts()
        try require(accounts == [key], "The accounts are \(accounts).")
      }),
    StoreCheck("Exclusive access ends with the process that has it, and what it saved stays") { open in
      let (store, other) = (try await open(), try await open())
      guard let other = other as? any StoreOfOtherProcess else { return }
      let gate = Gate()
      let holder = Task {
        try await other.withExclusiveAccess(to: key, patience: .seconds(60)) {
          try await other.save(a, for: key, replacing: .nothing)
          try await gate.pass()
        }
      }
      try await gate.waitForWaiting()
      await other.kill()
      try await store.withExclusiveAccess(to: key, patience: .seconds(60)) {
        try await expect(store, key, .present(a))
      }
      gate.open()
      _ = await holder.result
    },
  ]
}

/// A handle in another process, which can be killed.
package protocol StoreOfOtherProcess: SessionStore {
  func kill() async
}

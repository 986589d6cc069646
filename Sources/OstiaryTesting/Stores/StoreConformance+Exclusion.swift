import Foundation
import OstiaryCore

/// Exclusive access excludes, and ends; and two stores opened on the same place see the same.
extension StoreConformance {
  static let exclusion: [StoreCheck] = [
    StoreCheck("Exclusive access lets one in at a time") { open in
      let stores = [try await open(), try await open()]
      let inside = Locked((now: 0, most: 0, all: 0))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await stores[number % 2].withExclusiveAccess(to: key, patience: .seconds(60)) {
              inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
              for _ in 0..<5 { await Task.yield() }
              inside.withLock { $0.now -= 1 }
            }
          }
        }
        try await group.waitForAll()
      }
      let (_, most, all) = inside.withLock { $0 }
      try require(most == 1 && all == 40, "\(most) were inside at once, \(all) of 40 in all.")
    },
    StoreCheck("Exclusive access is for one key, and its holder can read, save and remove; its result comes back") {
      open in
      let store = try await open()
      let result = try await store.withExclusiveAccess(to: key, patience: .zero) {
        try await store.save(a, for: key, replacing: .nothing)
        try await expect(store, key, .present(a))
        try await store.remove(key, ifHolding: .exactly(a))
        return try await store.withExclusiveAccess(to: SessionKey("other"), patience: .zero) { 42 }
      }
      try require(result == 42, "The result is \(result).")
    },
    StoreCheck("Others can read, save and remove meanwhile") { open in
      let (holding, other) = (try await open(), try await open())
      try await holding.withExclusiveAccess(to: key, patience: .zero) {
        try await other.save(a, for: key, replacing: .nothing)
        try await expect(other, key, .present(a))
        try await other.remove(key, ifHolding: .exactly(a))
        try await expect(other, key, .absent)
      }
    },
    StoreCheck("Exclusive access ends when the body throws, and passes its error on") { open in
      struct Oops: Error {}
      let store = try await open()
      for _ in 0..<2 {
        do {
          try await store.withExclusiveAccess(to: key, patience: .zero) { throw Oops() }
          throw StoreCheckFailure("The body's error is lost.")
        } catch is Oops {}
      }
    },
    StoreCheck("Exclusive access ends when its task is cancelled") { open in
      let (store, other) = (try await open(), try await open())
      let gate = Gate()
      let holder = Task { try await store.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() } }
      try await gate.waitForWaiting()
      holder.cancel()
      try await expectCancelled(holder)
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
      try await other.withExclusiveAccess(to: key, patience: .zero) {}
    },
    StoreCheck("A task that is cancelled while waiting leaves the line, and disturbs no other in it") { open in
      let (holding, other) = (try await open(), try await open())
      for store in [holding, other] {
        let gate = Gate()
        let holder = Task { try await holding.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() } }
        try await gate.waitForWaiting()
        let waiter = Task {
          try await store.withExclusiveAccess(to: key, patience: .seconds(60)) {
            throw StoreCheckFailure("The body ran though its task was cancelled.")
          }
        }
        let last = Task { try await store.withExclusiveAccess(to: key, patience: .seconds(60)) { 7 } }
        waiter.cancel()
        try await expectCancelled(waiter)
        gate.open()
        try await holder.value
        try require(try await last.value == 7, "The next in line did not get in.")
      }
    },
    StoreCheck(
      "Patience is bounded: when it runs out the store is unavailable for now, and the body does not run",
      in: {
        surroundings in
        let (holding, other) = (try await surroundings.open(), try await surroundings.open())
        let gate = Gate()
        let holder = Task { try await holding.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() } }
        try await gate.waitForWaiting()
        for store in [holding, other] {
          for patience in [Duration.zero, .milliseconds(20)] {
            do {
              let limit = patience + surroundings.slack
              try await StoreSurroundings.bounded(limit, "Patience of \(patience) has not run out within \(limit).") {
                try await store.withExclusiveAccess(to: key, patience: patience) {
                  throw StoreCheckFailure("Two are inside at once.")
                }
              }
            } catch let error as OstiaryError {
              try require(error.code == .storeUnavailable && error.isTransient, "It ended with \(error).")
            }
          }
        }
        gate.open()
        try await holder.value
        try await other.withExclusiveAccess(to: key, patience: .seconds(10)) {}
      }),
  ]

  static let sharing: [StoreCheck] = [
    StoreCheck("A second store on the same place sees what was written, and compares with it") { open in
      let first = try await open()
      try await first.save(a, for: key, replacing: .nothing)
      let second = try await open()
      try await expect(second, key, .present(a))
      try await expectConflict { try await second.save(b, for: key, replacing: .nothing) }
      try await second.save(b, for: key, replacing: .exactly(a))
      try await expect(first, key, .present(b))
      try await expectConflict { try await first.remove(key, ifHolding: .exactly(a)) }
      let accounts = try await first.accounts()
      try require(accounts == [key], "The accounts are \(accounts).")
      try await first.remove(key, ifHolding: .exactly(b))
      try await expect(second, key, .absent)
      let none = try await second.accounts()
      try require(none.isEmpty, "The accounts are \(none) after the removal.")
    },
    StoreCheck("A stamp, where the store has one, changes with every change of what is stored") { open in
      let (reader, writer) = (try await open(), try await open())
      for number in 0..<30 {
        guard let before = reader.stamp(of: key) else { return }
        if number % 10 == 9 {
          try await writer.remove(key, ifHolding: .anything)
        } else {
          try await writer.save(Data("\(number % 10)".utf8), for: key, replacing: .anything)
          // News may have to travel; of a removal it must have.
          for _ in 0..<10_000 where reader.stamp(of: key) == before { try await Task.sleep(for: .milliseconds(1)) }
        }
        try require(reader.stamp(of: key) != before, "Change \(number) can't be seen in the stamp.")
      }
    },
    StoreCheck("What was saved and removed between two looks shows in the stamp") { open in
      let (reader, writer) = (try await open(), try await open())
      for _ in 0..<5 {
        guard let before = reader.stamp(of: key) else { return }
        try await writer.save(a, for: key, replacing: .nothing)
        try await writer.remove(key, ifHolding: .exactly(a))
        try require(reader.stamp(of: key) != before, "What came and went can't be seen in the stamp.")
      }
    },
    StoreCheck("The stamp of a save, where the store knows it, stands for that and for nothing later") { open in
      let (one, other) = (try await open(), try await open())
      for number in 0..<20 {
        _ = one.stamp(of: key)
        guard let stamp = try await one.saveStamped(Data("\(number)".utf8), for: key, replacing: .anything) else {
          continue
        }
        if number.isMultiple(of: 2) {
          try await other.remove(key, ifHolding: .anything)
        } else {
          try await other.save(Data("\(number)'".utf8), for: key, replacing: .anything)
          for _ in 0..<10_000 where one.stamp(of: key) == stamp { try await Task.sleep(for: .milliseconds(1)) }
        }
        try require(one.stamp(of: key) != stamp, "What came after save \(number) can't be seen in the stamp.")
      }
    },
  ]
}

import Foundation
import OstiaryCore

/// Saving and removing compare first.
extension StoreConformance {
  static let comparing: [StoreCheck] = [
    StoreCheck("Saving over nothing, over exactly these bytes and over anything does so") { open in
      let store = try await open()
      try await store.save(a, for: key, replacing: .nothing)
      try await store.save(b, for: key, replacing: .exactly(a))
      try await expect(store, key, .present(b))
      try await store.save(a, for: key, replacing: .anything)
      try await expect(store, key, .present(a))
      try await store.save(a, for: key, replacing: .exactly(a))
      try await expect(store, key, .present(a))
      try await store.save(b, for: SessionKey("another"), replacing: .anything)
      try await expect(store, SessionKey("another"), .present(b))
    },
    StoreCheck("Saving over something else is a conflict, and leaves it unchanged") { open in
      let store = try await open()
      try await expectConflict { try await store.save(b, for: key, replacing: .exactly(a)) }
      try await expectConflict { try await store.save(b, for: key, replacing: .exactly(Data())) }
      try await expect(store, key, .absent)
      try await store.save(a, for: key, replacing: .nothing)
      for expected in [StoreExpectation.nothing, .exactly(b), .exactly(Data()), .exactly(a + [0])] {
        try await expectConflict { try await store.save(b, for: key, replacing: expected) }
        try await expect(store, key, .present(a))
      }
    },
    StoreCheck("Removing compares too, and a conflict leaves everything unchanged") { open in
      let store = try await open()
      try await store.save(a, for: key, replacing: .nothing)
      for expected in [StoreExpectation.nothing, .exactly(b), .exactly(Data())] {
        try await expectConflict { try await store.remove(key, ifHolding: expected) }
        try await expect(store, key, .present(a))
      }
      try await store.remove(key, ifHolding: .exactly(a))
      try await expect(store, key, .absent)
    },
    StoreCheck("Nothing stored and nothing but empty bytes stored are told apart") { open in
      let store = try await open()
      try await store.save(Data(), for: key, replacing: .nothing)
      try await expect(store, key, .present(Data()))
      try await expectConflict { try await store.save(a, for: key, replacing: .nothing) }
      try await store.save(a, for: key, replacing: .exactly(Data()))
      try await expect(store, key, .present(a))
    },
    StoreCheck("A hundred tasks that compare and save lose no update") { open in
      let stores = [try await open(), try await open()]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 { group.addTask { try await increment(key, in: stores[number % 2]) } }
        try await group.waitForAll()
      }
      try await expect(stores[0], key, .present(Data("100".utf8)))
    },
  ]

  /// Adds one to the number that is stored, again as often as another writer is faster.
  private static func increment(_ key: SessionKey, in store: any SessionStore) async throws {
    while true {
      var expected = StoreExpectation.nothing
      var count = 0
      switch await store.load(key) {
      case .absent: break
      case .present(let data):
        guard let number = Int(String(decoding: data, as: UTF8.self)) else {
          throw StoreCheckFailure("What was read was never written: \(data.count) bytes.")
        }
        (count, expected) = (number, .exactly(data))
      case .unavailable(let error): throw error
      }
      do {
        return try await store.save(Data("\(count + 1)".utf8), for: key, replacing: expected)
      } catch let error as OstiaryError where error.code == .storeConflict {}
    }
  }
}

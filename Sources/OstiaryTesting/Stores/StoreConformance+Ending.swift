import Foundation
import OstiaryCore

/// What is left in the place of a session that has ended.
extension StoreConformance {
  private static let entry = Data(#"{"ended":1}"#.utf8)
  private static let otherEntry = Data(#"{"ended":2}"#.utf8)

  private static func expectAccounts(_ store: any SessionStore, _ expected: [SessionKey]) async throws {
    let accounts = try await store.accounts()
    try require(accounts == expected, "The accounts are \(accounts) instead of \(expected).")
  }

  static let ending: [StoreCheck] = [
    StoreCheck("An ended entry is read as it was written, is no account, and is replaced by the next save") { open in
      let store = try await open()
      try await store.save(a, for: key, replacing: .nothing)
      try await store.end(key, with: entry, ifHolding: .exactly(a))
      try await expect(store, key, .present(entry))
      try await expectAccounts(store, [])
      try await expectConflict { try await store.save(b, for: key, replacing: .nothing) }
      try await expectConflict { try await store.save(b, for: key, replacing: .exactly(a)) }
      try await store.save(b, for: key, replacing: .exactly(entry))
      try await expect(store, key, .present(b))
      try await expectAccounts(store, [key])
      try await store.end(key, with: entry, ifHolding: .anything)
      try await store.end(key, with: otherEntry, ifHolding: .exactly(entry))
      try await expect(store, key, .present(otherEntry))
      try await store.save(a, for: key, replacing: .anything)
      try await expectAccounts(store, [key])
      // The same bytes are a session when they are saved.
      try await store.end(key, with: entry, ifHolding: .exactly(a))
      try await store.save(entry, for: key, replacing: .exactly(entry))
      try await expectAccounts(store, [key])
    },
    StoreCheck("An ended entry can be written where nothing is, and is removed as a session is") { open in
      let store = try await open()
      try await store.end(key, with: entry, ifHolding: .nothing)
      try await expect(store, key, .present(entry))
      try await expectConflict { try await store.remove(key, ifHolding: .exactly(a)) }
      try await store.remove(key, ifHolding: .exactly(entry))
      try await expect(store, key, .absent)
      try await store.end(key, with: entry, ifHolding: .anything)
      try await store.save(a, for: SessionKey("another"), replacing: .nothing)
      try await expectAccounts(store, [SessionKey("another")])
      try await store.removeAll()
      try await expect(store, key, .absent)
      try await store.save(b, for: key, replacing: .nothing)
      try await expectAccounts(store, [key])
    },
    StoreCheck("Ending compares, and a conflict leaves everything unchanged") { open in
      let store = try await open()
      try await expectConflict { try await store.end(key, with: entry, ifHolding: .exactly(a)) }
      try await expect(store, key, .absent)
      try await store.save(a, for: key, replacing: .nothing)
      for expected in [StoreExpectation.nothing, .exactly(b), .exactly(Data())] {
        try await expectConflict { try await store.end(key, with: entry, ifHolding: expected) }
        try await expect(store, key, .present(a))
        try await expectAccounts(store, [key])
      }
    },
    StoreCheck("An ended entry is seen at once by every handle, and in every stamp") { open in
      let (reader, writer) = (try await open(), try await open())
      for number in 0..<10 {
        let session = Data("session \(number)".utf8)
        try await writer.save(session, for: key, replacing: .anything)
        try await expect(reader, key, .present(session))
        let before = reader.stamp(of: key)
        if number.isMultiple(of: 2) {
          try await writer.end(key, with: entry, ifHolding: .exactly(session))
        } else {
          try await writer.withExclusiveAccess(to: key, patience: .seconds(60)) {
            try await writer.end(key, with: entry, ifHolding: .exactly(session))
          }
        }
        let after = reader.stamp(of: key)
        try require(before == nil || after != before, "Ending \(number) can't be seen in the stamp.")
        try await expect(reader, key, .present(entry))
        try await expectAccounts(reader, [])
        try await writer.end(key, with: otherEntry, ifHolding: .exactly(entry))
        try require(after == nil || reader.stamp(of: key) != after, "Another entry can't be seen in the stamp.")
        try await expect(reader, key, .present(otherEntry))
      }
    },
  ]
}

import Foundation
import OstiaryCore

/// What is stored: present or absent, byte for byte, apart from what belongs to other keys, and listed.
extension StoreConformance {
  static let key = SessionKey("app@example.org")
  static let (a, b) = (Data("a".utf8), Data("b".utf8))

  static let content: [StoreCheck] = [
    StoreCheck("What was never saved is absent, and removing it is a success") { open in
      let store = try await open()
      try await expect(store, key, .absent)
      for expected in [StoreExpectation.anything, .nothing, .exactly(a)] {
        try await store.remove(key, ifHolding: expected)
      }
      try await expect(store, key, .absent)
    },
    StoreCheck("What was saved is present, byte for byte: nothing, every byte, a slice, a mebibyte") { open in
      let store = try await open()
      let bytes = Data((0...255).map(UInt8.init))
      var large = Data()
      while large.count < 1 << 20 { large += bytes }
      // A slice counts its bytes from elsewhere.
      for data in [Data(), Data([0]), bytes, (a + bytes).dropFirst(), large] {
        try await store.save(data, for: key, replacing: .anything)
        try await expect(store, key, .present(data))
      }
      try await store.save(a, for: key, replacing: .exactly(large))
      try await expect(store, key, .present(a))
    },
    StoreCheck("What was removed is absent, and can be saved anew") { open in
      let store = try await open()
      for _ in 0..<3 {
        try await store.save(a, for: key, replacing: .nothing)
        try await store.remove(key, ifHolding: .anything)
        try await expect(store, key, .absent)
      }
    },
    StoreCheck("Keys are kept apart, also those that look alike, are long, or mean harm to paths and queries") { open in
      let store = try await open()
      for (number, key) in hostileKeys.enumerated() {
        try await store.save(Data("\(number)".utf8), for: key, replacing: .nothing)
        try await store.withExclusiveAccess(to: key, patience: .zero) {}
      }
      for (number, key) in hostileKeys.enumerated() {
        try await expect(store, key, .present(Data("\(number)".utf8)))
      }
      try await store.remove(hostileKeys[0], ifHolding: .anything)
      for (number, key) in hostileKeys.enumerated() {
        try await expect(store, key, number == 0 ? .absent : .present(Data("\(number)".utf8)))
      }
    },
    StoreCheck("Two spellings of a name that Swift takes for equal are one key") { open in
      let store = try await open()
      try await store.save(a, for: SessionKey("caf\u{e9}"), replacing: .nothing)
      try await expect(store, SessionKey("cafe\u{301}"), .present(a))
      try await store.save(b, for: SessionKey("cafe\u{301}"), replacing: .exactly(a))
      try await expect(store, SessionKey("caf\u{e9}"), .present(b))
      let accounts = try await store.accounts()
      try require(accounts == [SessionKey("caf\u{e9}")], "The accounts are \(accounts).")
    },
  ]

  static let listing: [StoreCheck] = [
    StoreCheck("The accounts are the keys for which something is stored, sorted") { open in
      let store = try await open()
      func expectAccounts(_ names: [String]) async throws {
        let accounts = try await store.accounts().map(\.name)
        try require(accounts == names, "The accounts are \(accounts) instead of \(names).")
      }
      try await expectAccounts([])
      for name in ["b", "a", "c"] { try await store.save(a, for: SessionKey(name), replacing: .nothing) }
      try await store.save(b, for: SessionKey("b"), replacing: .anything)
      try await expectAccounts(["a", "b", "c"])
      try await store.remove(SessionKey("b"), ifHolding: .anything)
      try await store.withExclusiveAccess(to: SessionKey("d"), patience: .zero) {}
      _ = await store.load(SessionKey("e"))
      try await expectAccounts(["a", "c"])
    },
    StoreCheck("Removing everything leaves nothing, and the store can be used") { open in
      let store = try await open()
      try await store.removeAll()
      for key in hostileKeys { try await store.save(a, for: key, replacing: .nothing) }
      try await store.removeAll()
      let accounts = try await store.accounts()
      try require(accounts.isEmpty, "The accounts are \(accounts).")
      for key in hostileKeys { try await expect(store, key, .absent) }
      try await store.save(a, for: key, replacing: .nothing)
      try await expect(store, key, .present(a))
    },
    StoreCheck("Every key is listed as it was given, however hostile") { open in
      let store = try await open()
      for key in hostileKeys { try await store.save(a, for: key, replacing: .nothing) }
      let accounts = try await store.accounts()
      try require(accounts == hostileKeys.sorted { $0.name < $1.name }, "The accounts are \(accounts).")
    },
  ]

  static let hostileKeys: [SessionKey] =
    [
      "", " ", ".", "..", "../../x", "/etc/passwd", "a/b", "a\\b", "a\0b", "a\0c", "\0", "A", "a", "a.", "a ", "con",
      "-rf", "~", "$HOME", "%2e%2e%2f", "%", "_", "'", "\"", "'; DROP TABLE sessions; --", "日本", "é", "🔑",
      "\u{202E}gnp", "\u{FEFF}", "line\nbreak", "\r\n", String(repeating: "x", count: 4096),
      String(repeating: "x", count: 4097), String(repeating: "🔑", count: 1024),
    ].map { SessionKey($0) }
}

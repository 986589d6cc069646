import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

/// What every store has to do, whatever it is made of.
@Suite(.timeLimit(.minutes(2))) struct SessionStoreContractTests {
  /// A store that is under the contract.
  enum Kind: String, CaseIterable, Sendable {
    case ephemeral, file, faulty
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let key = SessionKey("app@example.org")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ kind: Kind) -> any SessionStore {
    switch kind {
    case .ephemeral: EphemeralStore(clock: clock)
    case .file: FileStore(folder: folder.store, clock: clock)
    case .faulty: FaultyStore(EphemeralStore(clock: clock))
    }
  }

  @Test("Invariant 7: what was never saved or was removed is absent", arguments: Kind.allCases)
  func absent(kind: Kind) async throws {
    let store = store(kind)
    #expect(await store.load(key) == .absent)
    try await store.remove(key, ifHolding: .anything)
    try await store.save(Data("a".utf8), for: key, replacing: .nothing)
    try await store.remove(key, ifHolding: .exactly(Data("a".utf8)))
    #expect(await store.load(key) == .absent)
    try await store.remove(key, ifHolding: .exactly(Data("a".utf8)))
    #expect(await store.load(SessionKey("other")) == .absent)
  }

  @Test("Invariant 7: what was saved is present, byte for byte", arguments: Kind.allCases)
  func present(kind: Kind) async throws {
    let store = store(kind)
    for data in [Data(), Data([0]), Data((0...255).map(UInt8.init)), Data(repeating: 7, count: 100_000)] {
      try await store.save(data, for: key, replacing: .anything)
      #expect(await store.load(key) == .present(data))
      // A slice counts its bytes from elsewhere.
      let slice = (Data("xx".utf8) + data).dropFirst(2)
      try await store.save(slice, for: key, replacing: .exactly(data))
      #expect(await store.load(key) == .present(data))
    }
  }

  @Test(
    "Invariant 5: saving and removing compare first and leave alone what they did not expect", arguments: Kind.allCases)
  func comparing(kind: Kind) async throws {
    let store = store(kind)
    let (a, b) = (Data("a".utf8), Data("b".utf8))
    let conflict = OstiaryError(.storeConflict, "")
    await #expect(throws: conflict) { try await store.save(b, for: key, replacing: .exactly(a)) }
    #expect(await store.load(key) == .absent)
    try await store.save(a, for: key, replacing: .nothing)
    await #expect(throws: conflict) { try await store.save(b, for: key, replacing: .nothing) }
    await #expect(throws: conflict) { try await store.save(b, for: key, replacing: .exactly(b)) }
    await #expect(throws: conflict) { try await store.remove(key, ifHolding: .exactly(b)) }
    await #expect(throws: conflict) { try await store.remove(key, ifHolding: .nothing) }
    #expect(await store.load(key) == .present(a))
    try await store.save(b, for: key, replacing: .exactly(a))
    #expect(await store.load(key) == .present(b))
  }

  @Test("A hundred tasks that compare and save lose no update", arguments: Kind.allCases)
  func race(kind: Kind) async throws {
    let stores = [store(kind), kind == .file ? store(kind) : nil].compactMap { $0 }
    // A memory store is shared as an instance, a file store as a folder.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { [key] in
          let store = stores[number % stores.count]
          while true {
            let reading = await store.load(key)
            guard case .present(let data) = reading else {
              #expect(reading == .absent)
              if (try? await store.save(Data("1".utf8), for: key, replacing: .nothing)) != nil { return }
              continue
            }
            let count = try #require(Int(String(decoding: data, as: UTF8.self)))
            do {
              try await store.save(Data("\(count + 1)".utf8), for: key, replacing: .exactly(data))
              return
            } catch let error as OstiaryError where error.code == .storeConflict {}
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await stores[0].load(key) == .present(Data("100".utf8)))
  }

  @Test("Exclusive access lets one in at a time, per key, whoever else reads and writes", arguments: Kind.allCases)
  func exclusion(kind: Kind) async throws {
    let store = store(kind)
    let inside = Locked((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask { [key] in
          try await store.withExclusiveAccess(to: key, patience: .seconds(60)) {
            inside.withLock { inside in
              inside.now += 1
              inside.most = max(inside.most, inside.now)
            }
            await Task.yield()
            inside.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(inside.withLock { $0.most } == 1)
    let result = try await store.withExclusiveAccess(to: key, patience: .zero) { [key] in
      try await store.save(Data("a".utf8), for: key, replacing: .nothing)
      #expect(await store.load(key) == .present(Data("a".utf8)))
      try await store.remove(key, ifHolding: .anything)
      return try await store.withExclusiveAccess(to: SessionKey("other"), patience: .zero) { 42 }
    }
    #expect(result == 42)
  }

  @Test("Exclusive access ends when the body throws, and passes its error on", arguments: Kind.allCases)
  func throwingBody(kind: Kind) async throws {
    struct Oops: Error {}
    let store = store(kind)
    for _ in 0..<2 {
      await #expect(throws: Oops.self) {
        try await store.withExclusiveAccess(to: key, patience: .zero) { throw Oops() }
      }
    }
  }

  @Test("Invariant 7: running out of patience is unavailable, and says so", arguments: Kind.allCases)
  func patience(kind: Kind) async throws {
    let store = store(kind)
    let gate = Gate()
    let holder = Task { [key] in
      try await store.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
    }
    let waiter = Task { [key] in try await store.withExclusiveAccess(to: key, patience: .seconds(5)) {} }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: OstiaryError.self) { try await waiter.value }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.isTransient == true)
    gate.open()
    try await holder.value
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
  }

  @Test("Those who wait get in first come, first served; who is cancelled leaves the line", arguments: Kind.allCases)
  func order(kind: Kind) async throws {
    let store = store(kind)
    let gate = Gate()
    let order = Locked<[Int]>([])
    let holder = Task { [key] in
      try await store.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    var waiters: [Task<Void, any Error>] = []
    for number in 0..<10 {
      waiters.append(
        Task { [key] in
          try await store.withExclusiveAccess(to: key, patience: .seconds(60)) { order.withLock { $0.append(number) } }
        })
      try await clock.waitForSleepers(number + 1)
    }
    for number in [0, 4, 9] {
      waiters[number].cancel()
      await #expect(throws: CancellationError.self) { try await waiters[number].value }
    }
    gate.open()
    try await holder.value
    for number in [1, 2, 3, 5, 6, 7, 8] { try await waiters[number].value }
    #expect(order.withLock { $0 } == [1, 2, 3, 5, 6, 7, 8])
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
  }

  @Test("Keys that look alike or mean harm are kept apart", arguments: Kind.allCases)
  func hostileKeys(kind: Kind) async throws {
    let store = store(kind)
    let keys = [
      "", " ", ".", "..", "../../x", "/etc/passwd", "a/b", "a\\b", "a\0b", "a\0c", "A", "a", "a.", "con", "-rf", "~",
      "$HOME",
      "日本", "é", "🔑", "\u{202E}gnp", String(repeating: "x", count: 10_000), String(repeating: "x", count: 10_001),
      "line\nbreak", "\r\n", "%2e%2e%2f",
    ].map(SessionKey.init)
    for (number, key) in keys.enumerated() {
      try await store.save(Data("\(number)".utf8), for: key, replacing: .nothing)
      try await store.withExclusiveAccess(to: key, patience: .zero) {}
    }
    for (number, key) in keys.enumerated() {
      #expect(await store.load(key) == .present(Data("\(number)".utf8)), "\(key)")
    }
    // Two spellings of é are one key, because Swift says that they are equal.
    #expect(await store.load(SessionKey("e\u{301}")) == .present(Data("18".utf8)))
    #expect(try names(in: folder.url).allSatisfy { $0 == "store" })
  }
}

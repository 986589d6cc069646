import Foundation
import OstiaryCore
import OstiaryStores
import OstiaryTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct KeychainStoreTests {
  private let folder: TemporaryFolder
  private let keychain = KeychainDouble()
  private let key = SessionKey("ann@example.org")
  private let item = VaultItem(service: "app", account: "ann@example.org")
  private let old = Data("the old session".utf8)
  private let new = Data("the new session".utf8)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(
    protection: KeychainProtection = KeychainProtection(), pieceLimit: Int = 1000, marker: URL? = nil
  ) -> KeychainStore {
    KeychainStore(
      service: "app", access: keychain, protection: protection, pieceLimit: pieceLimit,
      lockFolder: folder.file("locks"), installMarker: marker.map { InstallMarker($0) })
  }

  // MARK: Shared groups

  @Test("Bug-A25: an extension's own container, which has no marker, wipes no session that the app shares with it")
  func sharedMarker() async throws {
    let shared = folder.file("group")
    func store(of container: String) -> KeychainStore {
      KeychainStore(
        service: "app", access: keychain, lockFolder: shared,
        installMarker: InstallMarker(folder.file(container), accessGroup: "group", sharedFolder: shared))
    }
    try await store(of: "app").save(old, for: key, replacing: .nothing)
    #expect(await store(of: "extension").load(key) == .present(old))
    // Without a folder that they share there is no marker.
    #expect(InstallMarker(folder.file("app"), accessGroup: "group", sharedFolder: nil) == nil)
    // All of the group's apps are gone, and their folder with them.
    try FileManager.default.removeItem(at: shared)
    #expect(await store(of: "app").load(key) == .absent)
  }

  @Test("Bug-A25: what a version without a shared marker has stored stays")
  func sharedMarkerAfterUpdate() async throws {
    let shared = folder.file("group")
    let before = KeychainStore(service: "app", access: keychain, lockFolder: shared)
    try await before.save(old, for: key, replacing: .nothing)
    try await before.withExclusiveAccess(to: key, patience: .zero) {}
    let marker = InstallMarker(folder.file("app"), accessGroup: "group", sharedFolder: shared)
    let after = KeychainStore(service: "app", access: keychain, lockFolder: shared, installMarker: marker)
    try await after.withExclusiveAccess(to: key, patience: .zero) {}
    #expect(await after.load(key) == .present(old))
  }

  // MARK: Writing

  @Test("The default is: after the first unlock, on this device only, without a gate")
  func protection() async throws {
    let standard = KeychainProtection()
    #expect(standard.availability == .afterFirstUnlock)
    #expect(standard.gate == nil)
    #expect(!standard.insecurelyMigratesInBackups)
    try await store().save(old, for: key, replacing: .nothing)
    #expect(keychain.protections[item] == standard)
    let gated = KeychainProtection(availability: .whenUnlocked, gate: .currentBiometry)
    try await store(protection: gated).save(old, for: SessionKey("bob"), replacing: .nothing)
    #expect(keychain.protections[VaultItem(service: "app", account: "bob")] == gated)
  }

  @Test("An item is added, then updated: it is never deleted to be added again")
  func addThenUpdate() async throws {
    let store = store()
    try await store.save(old, for: key, replacing: .nothing)
    try await store.save(new, for: key, replacing: .exactly(old))
    try await store.save(old, for: key, replacing: .anything)
    let calls = keychain.takeCalls()
    #expect(calls.filter { $0 == .update(item) }.count == 2)
    #expect(!calls.contains(.delete(item)))
    #expect(await store.load(key) == .present(old))
  }

  @Test("An item that appears between the look and the write, from a program without our locks, is updated")
  func duplicate() async throws {
    keychain.letAppear(item, Data([1]) + Data("theirs".utf8))
    try await store().save(new, for: key, replacing: .nothing)
    #expect(await store().load(key) == .present(new))
    #expect(keychain.items.count == 1)
  }

  @Test("Invariant 4: a keychain that fails at any call leaves the old session or the new one, small or in pieces")
  func failures() async throws {
    let sizes = [10, 2500]
    for (oldSize, newSize) in sizes.flatMap({ old in sizes.map { (old, $0) } }) {
      let (old, new) = (Data(repeating: 1, count: oldSize), Data(repeating: 2, count: newSize))
      for count in 0..<40 {
        keychain.items = [:]
        let store = store()
        try await store.save(old, for: key, replacing: .nothing)
        keychain.fail(after: count)
        let saved: Void? = try? await store.save(new, for: key, replacing: .exactly(old))
        keychain.heal()
        let reading = await store.load(key)
        #expect(reading == .present(saved == nil ? old : new), "\(oldSize) → \(newSize), call \(count)")
      }
    }
  }

  @Test("Invariant 5: of stores that compare and save at once, one wins and the rest are told")
  func contested() async throws {
    let stores = (0..<3).map { _ in store() }
    let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<30 {
        group.addTask { [key] in
          do {
            try await stores[number % 3].save(Data("\(number)".utf8), for: key, replacing: .nothing)
            return true
          } catch let error as OstiaryError where error.code == .storeConflict {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wins == 1)
  }

  @Test("A change is finished though its task was cancelled")
  func cancelled() async throws {
    let store = store()
    let task = Task { [key, old] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.save(old, for: key, replacing: .nothing)
    }
    try await task.value
    #expect(await store.load(key) == .present(old))
  }

  // MARK: Large sessions

  @Test("A session larger than an item is split, comes back whole, and leaves no pieces when it changes or goes")
  func large() async throws {
    keychain.sizeLimit = 1000
    let store = store(pieceLimit: 1000)
    for size in [0, 1, 998, 999, 1000, 1001, 5000, 10] {
      let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })
      try await store.save(data, for: key, replacing: .anything)
      #expect(await store.load(key) == .present(data), "\(size)")
      #expect(keychain.items.count == (size < 1000 ? 1 : 1 + (size + 999) / 1000), "\(size)")
    }
    try await store.save(Data(count: 5000), for: key, replacing: .anything)
    #expect(try await store.accounts() == [key])
    try await store.remove(key, ifHolding: .exactly(Data(count: 5000)))
    #expect(keychain.items.isEmpty)
  }

  @Test("A session that the keychain finds too large is refused with a sentence, and the old one stays")
  func tooLarge() async throws {
    let store = store()
    try await store.save(old, for: key, replacing: .nothing)
    keychain.sizeLimit = 100
    let error = await #expect(throws: OstiaryError.self) {
      try await store.save(Data(count: 500), for: key, replacing: .exactly(old))
    }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.disposition == .misuse)
    #expect(await store.load(key) == .present(old))
  }

  @Test("Store-T5: a damaged session or a lost piece is reported once, kept aside, and then absent")
  func damaged() async throws {
    let store = store()
    let damages: [(Int, @Sendable (KeychainDouble) -> Void)] = [
      (10, { $0.items[item] = Data() }),
      (10, { $0.items[item] = Data([9, 9]) }),
      (10, { $0.items[item] = Data([2]) + Data(repeating: 0xFF, count: 52) }),
      (
        5000,
        { keychain in
          for piece in keychain.items.keys where piece.account.hasSuffix("/2") { keychain.items[piece] = nil }
        }
      ),
      (
        5000,
        { keychain in
          for piece in keychain.items.keys where piece.account.hasSuffix("/2") { keychain.items[piece]?[7] ^= 1 }
        }
      ),
    ]
    for (size, damage) in damages {
      keychain.items = [:]
      try await store.save(Data(count: size), for: key, replacing: .nothing)
      damage(keychain)
      let damaged = keychain.items[item]
      #expect(await store.load(key) == .unavailable(OstiaryError(.storeCorrupt, "")))
      #expect(keychain.items[VaultItem(service: "app.damaged", account: item.account)] == damaged)
      #expect(await store.load(key) == .absent)
      try await store.save(new, for: key, replacing: .nothing)
    }
  }

  // MARK: Locked and denied

  @Test(
    "Invariant 7, Store-T2: a keychain that is locked or denied is unavailable, never empty, and loses nothing",
    arguments: [
      (KeychainStatus.interactionNotAllowed, "locked", true), (.notAvailable, "locked", true),
      (.authenticationFailed, "not recognised", true), (.userCancelled, "declined", true),
      (.missingEntitlement, "entitlement", false), (.diskFull, "disk is full", true),
      (KeychainStatus(rawValue: -67_000), "-67000", true),
    ])
  func locked(status: KeychainStatus, words: String, isTransient: Bool) async throws {
    let store = store()
    try await store.save(old, for: key, replacing: .nothing)
    keychain.failure = status
    guard case .unavailable(let error) = await store.load(key) else {
      Issue.record("not unavailable")
      return
    }
    #expect(error.code == .storeUnavailable)
    #expect(error.isTransient == isTransient)
    #expect(error.message.contains(words))
    let unavailable = OstiaryError(.storeUnavailable, "")
    await #expect(throws: unavailable) { try await store.save(new, for: key, replacing: .anything) }
    await #expect(throws: unavailable) { try await store.remove(key, ifHolding: .anything) }
    await #expect(throws: unavailable) { try await store.accounts() }
    await #expect(throws: unavailable) { try await store.removeAll() }
    keychain.failure = nil
    #expect(await store.load(key) == .present(old))
  }

  // MARK: Installed anew

  @Test(
    "Store-T1: with a marker, a reinstalled app does not inherit; an app that is only started again keeps its session")
  func reinstalled() async throws {
    let marker = folder.file("container/installed")
    keychain.items[item] = Data([1]) + old
    keychain.items[VaultItem(service: "other app", account: "x")] = old
    #expect(await store(marker: marker).load(key) == .absent)
    #expect(keychain.items.keys.map(\.service) == ["other app"])
    try await store(marker: marker).save(new, for: key, replacing: .nothing)
    #expect(await store(marker: marker).load(key) == .present(new))
    try FileManager.default.removeItem(at: folder.file("container"))
    #expect(await store(marker: marker).load(key) == .absent)
    // Without a marker, what is there stays.
    keychain.items[item] = Data([1]) + old
    #expect(await store().load(key) == .present(old))
  }

  @Test("Store-T1: while the keychain is locked nothing is forgotten and nothing marked; afterwards it is")
  func reinstalledWhileLocked() async throws {
    let marker = folder.file("container/installed")
    keychain.items[item] = Data([1]) + old
    keychain.failure = .interactionNotAllowed
    let store = store(marker: marker)
    #expect(await store.load(key) == .unavailable(OstiaryError(.storeUnavailable, "")))
    #expect(!FileManager.default.fileExists(atPath: marker.path))
    keychain.failure = nil
    #expect(await store.load(key) == .absent)
    #expect(FileManager.default.fileExists(atPath: marker.path))
  }

  @Test("Store-T8: removing everything removes every account, pieces and what was kept aside, and nobody else's")
  func removeAll() async throws {
    let store = store()
    for name in ["ann", "bob"] { try await store.save(Data(count: 3000), for: SessionKey(name), replacing: .nothing) }
    keychain.items[VaultItem(service: "app.damaged", account: "eve")] = old
    keychain.items[VaultItem(service: "application", account: "x")] = old
    #expect(try await Set(store.accounts().map(\.name)) == ["ann", "bob"])
    try await store.removeAll()
    #expect(keychain.items.keys.map(\.service) == ["application"])
    #expect(try await store.accounts().isEmpty)
  }

  // MARK: Exclusive access

  @Test("Invariant 1: exclusive access holds between stores that share a folder")
  func exclusion() async throws {
    let other = store()
    try await store().withExclusiveAccess(to: key, patience: .zero) {
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await other.withExclusiveAccess(to: key, patience: .zero) {}
      }
      try await other.withExclusiveAccess(to: SessionKey("bob"), patience: .zero) {}
      try await other.save(old, for: key, replacing: .nothing)
    }
    try await other.withExclusiveAccess(to: key, patience: .zero) {}
  }
}

import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

@Suite(.timeLimit(.minutes(20))) struct SealedStoreTests {
  private let temporary: TemporaryFolder
  private let keyURL: URL
  private let inner = EphemeralStore()
  private let store: SealedStore
  private let key = SessionKey("app@example.org")
  private let data = Data("a session with a secret-token".utf8)

  init() throws {
    temporary = try TemporaryFolder()
    keyURL = temporary.url.appending(path: "session.key")
    store = SealedStore(inner, keys: .keyFile(keyURL), clock: ManualClock())
  }

  @Test("A sealed store keeps the contract, over memory", arguments: StoreConformance.checks)
  func conformsOverMemory(check: StoreCheck) async throws {
    try await check.run { store }
  }

  @Test("Store-T6: an encrypted file store keeps the contract", arguments: StoreConformance.checks)
  func conformsOverFiles(check: StoreCheck) async throws {
    try await check.run { [temporary, keyURL] in EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL)) }
  }

  /// What is sealed now.
  private func record(_ key: SessionKey? = nil) async throws -> Data {
    guard case .present(let record) = await inner.load(key ?? self.key) else {
      throw StoreCheckFailure("Nothing is stored.")
    }
    return record
  }

  private func expectUnavailable(
    _ code: OstiaryError.Code, _ reason: SealingError?, of store: SealedStore? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard case .unavailable(let error) = await (store ?? self.store).load(key) else {
      Issue.record("not unavailable", sourceLocation: sourceLocation)
      return
    }
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(error.underlying as? SealingError == reason, sourceLocation: sourceLocation)
    #expect(!"\(error)".contains("secret-token"), sourceLocation: sourceLocation)
  }

  @Test("Nothing of a session lies in clear, in no file")
  func nothingInClear() async throws {
    let files = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL))
    try await files.save(data, for: key, replacing: .nothing)
    try await files.save(data + data, for: key, replacing: .exactly(data))
    for name in try names(in: files.folder) {
      let contents = try Data(contentsOf: files.folder.appending(path: name))
      #expect(contents.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
    #expect(await files.load(key) == .present(data + data))
    #expect(try rights(of: keyURL) == 0o600)
  }

  @Test("Store-T5, invariant 14: a sealed session cut or flipped at any byte is reported, kept, and never believed")
  func damage() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let whole = try await record()
    for position in 0..<whole.count * 2 {
      var damaged = whole.prefix(position % whole.count)
      if position >= whole.count {
        damaged = whole
        damaged[position - whole.count] ^= 0x10
      }
      try await inner.save(damaged, for: key, replacing: .anything)
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("damage was not noticed at \(position)")
        continue
      }
      if error.code == .storeCorrupt {
        #expect(await store.load(key) == .absent)
        let aside = SessionKey("ostiary:damaged:20270115T080000Z:app@example.org")
        #expect(try await inner.accounts() == [aside])
        #expect(try await record(aside) == damaged)
        #expect(try await store.accounts().isEmpty)
        try await store.save(data, for: key, replacing: .nothing)
      } else {
        // It looks like the work of another key or a later version: it stays.
        #expect(error.code == .storeUnavailable)
        #expect(try await record() == damaged)
      }
      try await store.removeAll()
    }
  }

  @Test("What changes below is seen in the stamp, so that a sign-out elsewhere is noticed at once")
  func stamps() async throws {
    let files = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL))
    for store in [store, files] as [any SessionStore] {
      try await store.save(data, for: key, replacing: .nothing)
      let before = try #require(store.stamp(of: key))
      try await store.remove(key, ifHolding: .anything)
      #expect(store.stamp(of: key) != before)
    }
  }

  @Test("Saving and removing over damage keep it aside and go on")
  func changingDamage() async throws {
    let changes: [() async throws -> Void] = [
      { try await store.save(data, for: key, replacing: .nothing) },
      { try await store.save(data, for: key, replacing: .anything) },
      { try await store.remove(key, ifHolding: .anything) },
    ]
    for (number, change) in changes.enumerated() {
      try await store.save(data, for: key, replacing: .anything)
      try await inner.save(try await record().dropLast(), for: key, replacing: .anything)
      try await change()
      #expect(await store.load(key) == (number < 2 ? .present(data) : .absent))
      #expect(try await inner.accounts().count == (number < 2 ? 2 : 1))
    }
  }

  @Test("In files, saving compares what is sealed, and keeps damage of either layer aside", arguments: [false, true])
  func savingInFiles(isAnything: Bool) async throws {
    let files = FileStore(folder: temporary.store)
    let store = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL), clock: ManualClock())
    try await store.save(data, for: key, replacing: .nothing)
    for expected in [.nothing, .exactly(data + data)] as [StoreExpectation] {
      await #expect(throws: OstiaryError(.storeConflict, "")) {
        try await store.save(data, for: key, replacing: expected)
      }
    }
    try await store.save(data + data, for: key, replacing: .exactly(data))
    #expect(await store.load(key) == .present(data + data))
    guard case .present(let record) = await files.load(key) else { throw StoreCheckFailure("Nothing is stored.") }
    #expect(SealedRecord.keyID(of: record) != nil)

    // The file is whole, what is sealed in it is not.
    try await files.save(record.dropLast(), for: key, replacing: .anything)
    try await store.save(data, for: key, replacing: isAnything ? .anything : .nothing)
    #expect(await store.load(key) == .present(data))
    let aside = SessionKey("ostiary:damaged:20270115T080000Z:app@example.org")
    #expect(await files.load(aside) == .present(record.dropLast()))

    // The file itself is damaged.
    let file = try #require(try names(in: temporary.store).first { $0.hasPrefix("app-") && $0.hasSuffix(".session") })
    try Data("damage".utf8).write(to: temporary.store.appending(path: file))
    try await store.save(data + data, for: key, replacing: isAnything ? .anything : .nothing)
    #expect(await store.load(key) == .present(data + data))
    #expect(try names(in: temporary.store).contains { $0.hasPrefix("app-") && $0.contains(".corrupt-") })

    // It was sealed with a key that isn't at hand, or never.
    let stranger = EncryptedFileStore(in: temporary.store, key: .given(.random()))
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await stranger.save(data, for: key, replacing: .anything)
    }
    try await files.save(data, for: key, replacing: .anything)
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.save(data + data, for: key, replacing: .anything)
    }
    #expect(await files.load(key) == .present(data))
  }

  @Test("Of those who save at once over the same session, one succeeds; nobody replaces what it has not seen")
  func contestedInFiles() async throws {
    let first = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL))
    try await first.save(data, for: key, replacing: .nothing)
    let wins = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask { [temporary, keyURL, key, data] in
          let store = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL))
          return (try? await store.save(data + [UInt8(number)], for: key, replacing: .exactly(data))) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wins == 1)
  }

  @Test("Invariant 7: with another key a session is unavailable, stays, and is there when the key is back")
  func wrongKey() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let sealed = try await record()
    let id = try #require(SealedRecord.keyID(of: sealed))
    let stranger = SealedStore(inner, keys: .given(.random()))
    for _ in 0..<2 { await expectUnavailable(.storeUnavailable, .wrongKey(id), of: stranger) }
    for change in [
      { try await stranger.save(data, for: key, replacing: .anything) },
      { try await stranger.remove(key, ifHolding: .anything) },
      { try await stranger.reseal() },
    ] {
      await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await change() }
    }
    #expect(try await record() == sealed)
    #expect(await store.load(key) == .present(data))
  }

  @Test("Invariant 7: a lost key is told, never replaced; once all sessions are removed there is a new one")
  func lostKey() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let id = try #require(SealedRecord.keyID(of: try await record()))
    let away = temporary.url.appending(path: "away")
    try FileManager.default.moveItem(at: keyURL, to: away)
    await expectUnavailable(.storeUnavailable, .wrongKey(id))
    for key in [key, SessionKey("other")] {
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await store.save(data, for: key, replacing: .anything)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: keyURL.path))
    try FileManager.default.moveItem(at: away, to: keyURL)
    #expect(await store.load(key) == .present(data))
    try FileManager.default.removeItem(at: keyURL)
    try await store.removeAll()
    try await store.save(data, for: key, replacing: .nothing)
    #expect(await store.load(key) == .present(data))
  }

  @Test("A session that is put in another's place is not believed")
  func swapped() async throws {
    try await store.save(data, for: SessionKey("other"), replacing: .nothing)
    try await inner.save(try await record(SessionKey("other")), for: key, replacing: .nothing)
    await expectUnavailable(.storeCorrupt, .tampered)
    #expect(await store.load(SessionKey("other")) == .present(data))
  }

  @Test("What was never sealed, or by a later version, is unavailable and stays")
  func foreign() async throws {
    try await inner.save(data, for: key, replacing: .nothing)
    await expectUnavailable(.storeUnavailable, .notSealed)
    #expect(try await record() == data)
    try await store.removeAll()
    try await store.save(data, for: key, replacing: .nothing)
    var later = try await record()
    later[8] = 2
    try await inner.save(later, for: key, replacing: .anything)
    await expectUnavailable(.storeUnavailable, .unknownFormat)
    #expect(try await record() == later)
  }

  @Test("Store-T2: a locked store or keychain is unavailable, and nothing is deleted or made")
  func locked() async throws {
    let (faulty, keychain) = (FaultyStore(), FaultyStore())
    let store = SealedStore(faulty, keys: .stored(in: keychain))
    try await store.save(data, for: key, replacing: .nothing)
    for part in [faulty, keychain] {
      part.lock()
      await expectUnavailable(.storeUnavailable, nil, of: store)
      for change in [
        { try await store.save(data, for: key, replacing: .anything) },
        { try await store.remove(key, ifHolding: .anything) },
        { try await store.rotateKey() },
      ] {
        await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await change() }
      }
      part.unlock()
      #expect(await store.load(key) == .present(data))
    }
    #expect(keychain.saved.count == 1)
  }

  // MARK: Rotation

  private var currentID: SealingKey.ID? {
    get async throws { try await KeyFile(keyURL).keys()?.current.id }
  }

  private func fill(_ store: some SessionStore, _ count: Int) async throws -> [SessionKey] {
    let accounts = (0..<count).map { SessionKey("account \($0)") }
    for account in accounts { try await store.save(Data(account.name.utf8), for: account, replacing: .anything) }
    return accounts
  }

  @Test("After a rotation every session is sealed with the new key, and the old one still opens what it has sealed")
  func rotation() async throws {
    let accounts = try await fill(store, 10)
    let old = try await record(accounts[0])
    let before = try #require(try await currentID)
    try await store.rotateKey()
    let after = try #require(try await currentID)
    #expect(after != before)
    for account in accounts {
      #expect(SealedRecord.keyID(of: try await record(account)) == after)
      #expect(await store.load(account) == .present(Data(account.name.utf8)))
    }
    try await inner.save(old, for: accounts[0], replacing: .anything)
    #expect(await store.load(accounts[0]) == .present(Data(accounts[0].name.utf8)))
    let sealed = try await record(accounts[1])
    try await store.reseal()
    #expect(try await record(accounts[1]) == sealed)
    #expect(SealedRecord.keyID(of: try await record(accounts[0])) == after)
  }

  @Test("A rotation goes on over what can't be opened, and then says so")
  func rotationOverDamage() async throws {
    let accounts = try await fill(store, 3)
    let sealed = try await record(accounts[0])
    try await inner.save(sealed.dropLast(), for: accounts[0], replacing: .anything)
    await #expect(throws: OstiaryError(.storeCorrupt, "")) { try await store.rotateKey() }
    let id = try await currentID
    #expect(SealedRecord.keyID(of: try await record(accounts[2])) == id)
  }

  @Test("A session that is sealed anew between a comparison and its save is no conflict", arguments: [false, true])
  func resealedMeanwhile(removing: Bool) async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let faulty = FaultyStore(inner)
    let slow = SealedStore(faulty, keys: .keyFile(keyURL))
    let gate = Gate()
    faulty.inject(.hold(gate), into: removing ? .remove : .save, at: .nth(1))
    let change = Task { [data, key] in
      if removing {
        try await slow.remove(key, ifHolding: .exactly(data))
      } else {
        try await slow.save(data + data, for: key, replacing: .exactly(data))
      }
    }
    try await gate.waitForWaiting()
    try await store.rotateKey()
    gate.open()
    try await change.value
    #expect(await store.load(key) == (removing ? .absent : .present(data + data)))
  }

  @Test("Those who save while keys are rotated lose nothing, and see no conflict that isn't one")
  func rotationMeanwhile() async throws {
    let accounts = try await fill(store, 3)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<20 { try await store.rotateKey() } }
      for account in accounts {
        group.addTask {
          var last = Data(account.name.utf8)
          for number in 0..<100 {
            let next = Data("\(account) \(number)".utf8)
            try await store.save(next, for: account, replacing: .exactly(last))
            last = next
          }
        }
      }
      try await group.waitForAll()
    }
    for account in accounts { #expect(await store.load(account) == .present(Data("\(account) 99".utf8))) }
  }

  @Test("Sessions move to keys from elsewhere: a passphrase that replaces a key file, and a new passphrase")
  func otherSource() async throws {
    let accounts = try await fill(store, 3)
    let first = PassphraseKeys("first", salts: temporary.url.appending(path: "first"), cost: .insecurelyCheap)
    let second = PassphraseKeys("second", salts: temporary.url.appending(path: "second"), cost: .insecurelyCheap)
    _ = try await first.makeKey(after: nil)
    _ = try await second.makeKey(after: nil)
    try await SealedStore(inner, keys: first.alsoOpening(.keyFile(keyURL))).reseal()
    try FileManager.default.removeItem(at: keyURL)
    try await SealedStore(inner, keys: second.alsoOpening(first)).rotateKey()
    let last = SealedStore(inner, keys: second)
    for account in accounts { #expect(await last.load(account) == .present(Data(account.name.utf8))) }
  }

  @Test("kill -9 at any step of a rotation leaves every session readable, and the rotation is finished later")
  func killedWhileRotating() async throws {
    let store = EncryptedFileStore(in: temporary.store, key: .keyFile(keyURL))
    let accounts = try await fill(store, 3)
    let files = FileStore(folder: temporary.store)
    let steps =
      SecretFile.Step.allCases.map { "key \($0.rawValue)" }
      + FileStoreStep.writingInPlace.flatMap { step in (1...3).map { "file \(step.rawValue) \($0)" } }
    for step in steps {
      let before = try #require(try await currentID)
      await #expect(processExitsWith: .signal(SIGKILL), "\(step)") {
        [folder = temporary.store.path as String, key = keyURL.path as String, step = step as String] in
        let count = Locked(0)
        let files = FileStore(folder: URL(filePath: folder)) { passed in
          let number = count.withLock { count in
            if step.hasPrefix("file \(passed.rawValue) ") { count += 1 }
            return count
          }
          if step == "file \(passed.rawValue) \(number)" { kill(getpid(), SIGKILL) }
        }
        let source = KeyFile(URL(filePath: key)) { if step == "key \($0.rawValue)" { kill(getpid(), SIGKILL) } }
        try await SealedStore(files, keys: source).rotateKey()
      }
      for account in accounts { #expect(await store.load(account) == .present(Data(account.name.utf8)), "\(step)") }
      try await store.reseal()
      let after = try #require(try await currentID)
      #expect((after == before) == ["key locked", "key written"].contains(step), "\(step)")
      for account in accounts {
        #expect(await store.load(account) == .present(Data(account.name.utf8)), "\(step)")
        guard case .present(let record) = await files.load(account) else {
          Issue.record("\(account) is gone after \(step)")
          continue
        }
        #expect(SealedRecord.keyID(of: record) == after, "\(step)")
      }
    }
  }
}

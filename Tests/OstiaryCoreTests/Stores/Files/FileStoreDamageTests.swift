import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileStoreDamageTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let store: FileStore
  private let key = SessionKey("app")
  private let data = Data("0123456789abcdef".utf8)

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.store
    store = FileStore(folder: folder, clock: ManualClock())
  }

  /// Puts `contents` in the session's file and expects: one report that names the file, the damaged file kept, then
  /// absent, and a store that works.
  private func expectDamage(_ contents: Data, _ what: String) async throws {
    let file = try #require(try sessionFile(in: folder))
    try contents.write(to: file)
    guard case .unavailable(let error) = await store.load(key) else {
      Issue.record("damage was not noticed: \(what)")
      return
    }
    #expect(error.code == .storeCorrupt, "\(what)")
    #expect(error.message.contains(file.path), "\(what)")
    let aside = try names(in: folder).filter { $0.contains(".corrupt-") }
    #expect(aside.count == 1, "\(what)")
    for name in aside {
      #expect(name.contains(".corrupt-20270115T080000Z"))
      #expect(error.message.contains(name), "\(what)")
      #expect(try Data(contentsOf: folder.appending(path: name)) == contents, "\(what)")
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    #expect(await store.load(key) == .absent, "\(what)")
    try await store.save(data, for: key, replacing: .nothing)
    #expect(await store.load(key) == .present(data), "\(what)")
  }

  private func wholeFile() async throws -> Data {
    try await store.save(data, for: key, replacing: .anything)
    return try Data(contentsOf: try #require(try sessionFile(in: folder)))
  }

  @Test("Invariant 14: a file cut at any byte is reported, kept aside, and never believed")
  func cut() async throws {
    let whole = try await wholeFile()
    #expect(whole.count == FileEnvelope.headerLength + "app".count + data.count)
    for length in 0..<whole.count { try await expectDamage(whole.prefix(length), "cut at \(length)") }
  }

  @Test("Invariant 14: a file with any byte flipped is reported, kept aside, and never believed")
  func flipped() async throws {
    let whole = try await wholeFile()
    for position in 0..<whole.count {
      var flipped = whole
      flipped[position] ^= 1 << (position % 8)
      try await expectDamage(flipped, "flipped at \(position)")
    }
  }

  @Test("Invariant 14: foreign, appended and hostile contents are reported and kept aside")
  func foreign() async throws {
    let whole = try await wholeFile()
    try await expectDamage(whole + [0], "appended")
    try await expectDamage(whole + whole, "doubled")
    try await expectDamage(Data(#"{"session": true}"#.utf8), "JSON")
    try await expectDamage(Data(count: 4096), "zeros")
    // A length that overflows every sum it may be used in.
    try await expectDamage(whole.prefix(12) + Data(repeating: 255, count: 8) + whole.dropFirst(20), "endless length")
    var generator = SplitMix64(seed: 14)
    for length in 0..<60 {
      try await expectDamage(Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }), "noise")
    }
  }

  @Test("Invariant 14: a file of a terabyte is refused without being read")
  func huge() async throws {
    _ = try await wholeFile()
    let file = try #require(try sessionFile(in: folder))
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    guard case .unavailable(let error) = await store.load(key) else {
      Issue.record("not noticed")
      return
    }
    #expect(error.code == .storeCorrupt)
    #expect(error.message.contains("too large"))
    #expect(await store.load(key) == .absent)
  }

  @Test("A file put in another's place is not believed")
  func swapped() async throws {
    let whole = try await wholeFile()
    let other = SessionKey("other")
    try await store.save(Data("x".utf8), for: other, replacing: .nothing)
    let file = try #require(try names(in: folder).first { $0.hasPrefix("other") && $0.hasSuffix(".session") })
    try whole.write(to: folder.appending(path: file))
    guard case .unavailable(let error) = await store.load(other) else {
      Issue.record("not noticed")
      return
    }
    #expect(error.code == .storeCorrupt)
    #expect(await store.load(key) == .present(data))
  }

  @Test("Invariant 7: a file from a newer version is unavailable and stays where it is")
  func newer() async throws {
    _ = try await wholeFile()
    let file = try #require(try sessionFile(in: folder))
    let newer = FileEnvelope.header(for: data, key: key, version: 2) + data
    try newer.write(to: file)
    for _ in 0..<2 {
      guard case .unavailable(let error) = await store.load(key) else {
        Issue.record("not noticed")
        return
      }
      #expect(error.code == .storeUnavailable)
      #expect(error.message.contains("newer version"))
    }
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.save(data, for: key, replacing: .anything)
    }
    #expect(try Data(contentsOf: file) == newer)
  }

  @Test("Saving over a damaged file keeps it aside too; several from one second are all kept")
  func savingOverDamage() async throws {
    for count in 1...3 {
      _ = try await wholeFile()
      let file = try #require(try sessionFile(in: folder))
      try Data("damage".utf8).write(to: file)
      await #expect(throws: OstiaryError(.storeConflict, "")) {
        try await store.save(data, for: key, replacing: .exactly(data))
      }
      try await store.save(data, for: key, replacing: .nothing)
      #expect(try names(in: folder).filter { $0.contains(".corrupt-") }.count == count)
    }
    let file = try #require(try sessionFile(in: folder))
    try Data("damage".utf8).write(to: file)
    try await store.remove(key, ifHolding: .anything)
    #expect(await store.load(key) == .absent)
    #expect(try names(in: folder).filter { $0.contains(".corrupt-") }.count == 4)
  }

  @Test("A damaged file is reported to one of those who read at once")
  func reportedOnce() async throws {
    _ = try await wholeFile()
    let file = try #require(try sessionFile(in: folder))
    try Data("damage".utf8).write(to: file)
    let readings = await withTaskGroup(of: StoreReading.self) { group in
      for _ in 0..<50 { group.addTask { [key, store] in await store.load(key) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(readings.count { $0 != .absent } == 1)
    #expect(readings.contains(.unavailable(OstiaryError(.storeCorrupt, ""))))
  }
}

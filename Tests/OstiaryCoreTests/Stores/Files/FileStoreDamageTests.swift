import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FileStoreDamageTests {
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

  /// A file of two records, of which the second counts.
  private func wholeFile() async throws -> Data {
    try await store.removeAll()
    for data in [Data("fedcba9876543210".utf8), data] { try await store.save(data, for: key, replacing: .anything) }
    return try Data(contentsOf: try #require(try sessionFile(in: folder)))
  }

  /// The bytes of the file that the session is in.
  private func positions(of data: Data, in whole: Data) throws -> Range<Int> {
    let range = try #require(whole.range(of: data))
    return range.lowerBound - 48..<range.upperBound
  }

  @Test("Store-T5, invariant 14: a file that has been cut is reported, kept aside, and never believed")
  func cut() async throws {
    let whole = try await wholeFile()
    let record = try positions(of: data, in: whole)
    for length in [0, 1, 7, 8, 12, 16, 20, 51, 52, 60, 67, 68, 70, 71, 72, 4095, 4096, whole.count - 1] + record {
      try await expectDamage(whole.prefix(length), "cut at \(length)")
    }
  }

  @Test("Store-T5, invariant 14: a byte flipped in the header or the session is reported, and never believed")
  func flipped() async throws {
    let whole = try await wholeFile()
    for position in Array(0..<52) + Array(68..<71) + Array(try positions(of: data, in: whole)) {
      var flipped = whole
      flipped[position] ^= 1 << (position % 8)
      try await expectDamage(flipped, "flipped at \(position)")
    }
  }

  @Test("A byte flipped where the session is not disturbs nobody")
  func flippedElsewhere() async throws {
    let whole = try await wholeFile()
    let record = try positions(of: data, in: whole)
    let file = try #require(try sessionFile(in: folder))
    let old = try positions(of: Data("fedcba9876543210".utf8), in: whole)
    for position in Array(52..<68) + [71, 4095, whole.count - 1, record.upperBound] + Array(old) {
      var flipped = whole
      flipped[position] ^= 1 << (position % 8)
      try flipped.write(to: file)
      #expect(await store.load(key) == .present(data), "flipped at \(position)")
      try await store.save(data + data, for: key, replacing: .exactly(data))
      #expect(await FileStore(folder: folder).load(key) == .present(data + data), "flipped at \(position)")
    }
  }

  @Test("A file that does not say whose it is is kept aside when accounts are listed, and the others are listed then")
  func accountsOverDamage() async throws {
    let whole = try await wholeFile()
    try await store.save(data, for: SessionKey("other"), replacing: .nothing)
    let file = folder.appending(path: try #require(names(in: folder).first { $0.hasPrefix("app-") }))
    for contents in [Data(), whole.prefix(60), Data("x".utf8) + whole.dropFirst(), whole.prefix(68) + Data(count: 99)] {
      try contents.write(to: file)
      let error = await #expect(throws: OstiaryError.self) { try await store.accounts() }
      #expect(error?.code == .storeCorrupt)
      #expect(error?.message.contains(file.path) == true)
      #expect(try await store.accounts() == [SessionKey("other")])
    }
    #expect(try names(in: folder).filter { $0.contains(".corrupt-") }.count == 4)
    try await store.removeAll()
    #expect(try names(in: folder) == [".write.lock"])
  }

  @Test("Invariant 14: foreign, appended and hostile contents are reported and kept aside")
  func foreign() async throws {
    let whole = try await wholeFile()
    try await expectDamage(whole + [0], "appended")
    try await expectDamage(whole.prefix(12) + Data(repeating: 255, count: 4) + whole.dropFirst(16), "endless slots")
    try await expectDamage(whole + whole, "doubled")
    try await expectDamage(Data(#"{"session": true}"#.utf8), "JSON")
    try await expectDamage(Data(count: 4096), "zeros")
    // Lengths that overflow every sum they may be used in.
    let record = try positions(of: data, in: whole).lowerBound
    for length in [record + 8, 16] {
      let endless = whole.prefix(length) + Data(repeating: 255, count: 4) + whole.dropFirst(length + 4)
      try await expectDamage(endless, "endless length")
    }
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
    let newer = SessionFile.made(of: data, key: key, version: 2)
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
      try await store.save(data, for: key, replacing: .anything)
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

import Foundation
import OstiaryTesting
import Testing

@testable import OstiaryCore

@Suite(.timeLimit(.minutes(20))) struct SessionFileTests {
  private let key = SessionKey("app")

  private func payload(_ number: Int) -> Data {
    Data("session \(number) ".utf8) + Data(repeating: UInt8(number), count: 1500)
  }

  private func contents(_ file: Data) throws -> SessionFile {
    let content = SessionFile.open(file, key: key)
    guard case .whole(let contents) = content else { throw StoreCheckFailure("The file is \(content).") }
    return contents
  }

  private func apply(_ change: SessionFile.Change, to file: inout Data, bytes: Int = .max) {
    for (position, byte) in change.data.prefix(bytes).enumerated() { file[Int(change.offset) + position] = byte }
  }

  /// A file after `count` saves.
  private func file(of count: Int) throws -> Data {
    var file = SessionFile.made(of: payload(1), key: key)
    for number in stride(from: 2, through: count, by: 1) {
      apply(try #require(try contents(file).next(payload(number))), to: &file)
      apply(SessionFile.settling(UInt64(number)), to: &file)
    }
    return file
  }

  @Test("Saves take turns in two slots, and each is what is read")
  func turns() throws {
    for count in 1...5 {
      let file = try file(of: count)
      #expect(try contents(file).payload == payload(count))
      #expect(try contents(file).isSettled)
      #expect(file.count == 4096 + 2 * 8192)
      #expect(SessionFile.key(in: file) == key)
    }
  }

  @Test("What has no room needs a new file; what just fits doesn't")
  func room() throws {
    let contents = try contents(try file(of: 2))
    #expect(contents.next(Data(count: 8192 - 48)) != nil)
    #expect(contents.next(Data(count: 8192 - 47)) == nil)
  }

  @Test("Names of any length are kept", arguments: ["", "a", String(repeating: "x", count: 10_000), "日本\0"])
  func names(name: String) throws {
    let key = SessionKey(name)
    let file = SessionFile.made(of: payload(1), key: key)
    #expect(SessionFile.key(in: file) == key)
    guard case .whole(let contents) = SessionFile.open(file, key: key) else {
      Issue.record("not whole")
      return
    }
    #expect(contents.payload == payload(1))
    #expect(SessionFile.open(file, key: SessionKey(name + "x")) == .damaged("it is the file of another session"))
  }

  @Test("Store-T3: a write that stopped at any byte leaves the session before it")
  func torn() throws {
    for count in [1, 2] {
      let file = try file(of: count)
      let change = try #require(try contents(file).next(payload(count + 1)))
      // The last bytes of the payload are equal to nothing that was there before.
      for length in 0..<change.data.count {
        var torn = file
        apply(change, to: &torn, bytes: length)
        let contents = try contents(torn)
        #expect(contents.payload == payload(count), "\(length) bytes")
        #expect(contents.isSettled)
      }
      var written = file
      apply(change, to: &written)
      #expect(try contents(written).payload == payload(count + 1))
      #expect(try !contents(written).isSettled)
    }
  }

  @Test("Store-T3: whichever blocks a power failure leaves unwritten, what was promised is there")
  func powerFailure() throws {
    var generator = SplitMix64(seed: 3)
    for round in 0..<400 {
      let count = 2 + round % 2
      // `count` has been promised: it is on the disk. That it is settled need not be.
      var promised = try file(of: count)
      let next = try #require(try contents(promised).next(payload(count + 1)))
      let unsettled = SessionFile.settling(UInt64(count - 1))
      var after = promised
      apply(next, to: &after)
      if Bool.random(using: &generator) { apply(unsettled, to: &promised) }
      if Bool.random(using: &generator) { apply(SessionFile.settling(UInt64(count + 1)), to: &after) }
      var disk = promised
      for block in stride(from: 0, to: disk.count, by: 512) where Bool.random(using: &generator) {
        // Nothing is settled before all of it is on the disk.
        if block == 0, after[59] == UInt8(count + 1) { continue }
        disk.replaceSubrange(block..<block + 512, with: after[block..<block + 512])
      }
      let payload = try contents(disk).payload
      #expect(payload == self.payload(count) || payload == self.payload(count + 1), "round \(round)")
    }
  }

  @Test("Store-T5, invariant 14: a file cut at any byte is damaged")
  func cut() throws {
    let whole = try file(of: 3)
    for length in 0..<whole.count {
      guard case .damaged = SessionFile.open(whole.prefix(length), key: key) else {
        Issue.record("cut at \(length)")
        continue
      }
    }
    #expect(SessionFile.open(whole + [0], key: key) == .damaged("something has been appended to it"))
  }

  @Test(
    "Store-T5, invariant 14: a file with any byte flipped is damaged, or says what it said: never what it said before",
    arguments: [1, 2, 3])
  func flipped(count: Int) throws {
    let whole = try file(of: count)
    let session = try #require(whole.range(of: payload(count)))
    for position in whole.indices {
      var flipped = whole
      flipped[position] ^= 1 << (position % 8)
      let isHeader = position < 52 || (68..<71).contains(position)
      let isSession = (session.lowerBound - 48..<session.upperBound).contains(position)
      switch SessionFile.open(flipped, key: key) {
      case .damaged: #expect(isHeader || isSession || count == 1 && (52..<68).contains(position), "at \(position)")
      case .newer: Issue.record("newer at \(position)")
      case .whole(let contents):
        #expect(!isHeader && !isSession && contents.payload == payload(count), "at \(position)")
      }
    }
  }

  @Test(
    "Store-T5: what is known of a file from before changes no verdict on it",
    arguments: [2, 3], [1500, 8192 - 48])
  func known(count: Int, size: Int) throws {
    var file = SessionFile.made(of: payload(1), key: key)
    var known = [try contents(file)]
    for number in 2...count {
      let session = Data(repeating: UInt8(number), count: size)
      let change = try #require(try contents(file).next(session))
      let after = try contents(file).after(change, session, isEnded: false)
      apply(change, to: &file)
      apply(SessionFile.settling(UInt64(number)), to: &file)
      #expect(try contents(file) == after)
      known.append(after)
    }
    let heads = [4096, 4096 + 8192].flatMap { $0..<$0 + 64 }
    for position in Array(0..<128) + heads + Array(stride(from: 128, to: file.count, by: 61)) {
      var flipped = file
      flipped[position] ^= 1 << (position % 8)
      let verdict = SessionFile.open(flipped, key: key)
      for known in known {
        #expect(SessionFile.open(flipped, key: key, known: known) == verdict, "at \(position)")
      }
    }
    for known in known { #expect(SessionFile.open(file, key: key, known: known) == .whole(try contents(file))) }
  }

  @Test("Invariant 14: noise is damaged, in bounded time")
  func noise() throws {
    var generator = SplitMix64(seed: 5)
    let whole = try file(of: 2)
    for length in 0..<500 {
      let noise = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      for file in [noise, whole.prefix(8) + noise, whole.prefix(68) + noise] {
        guard case .damaged = SessionFile.open(file, key: key) else {
          Issue.record("noise of \(length)")
          continue
        }
      }
    }
  }
}

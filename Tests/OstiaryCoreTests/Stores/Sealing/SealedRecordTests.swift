import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryTesting
import Testing

@Suite struct SealedRecordTests {
  private let account = SessionKey("app@example.org")
  private let key: SealingKey
  private let keys: SealingKeys
  private let data = Data("a session with a secret-token".utf8)

  init() throws {
    key = try SealingKey(bytes: Data(1...32))
    keys = SealingKeys(current: key)
  }

  @Test("What was sealed is opened, byte for byte, and looks different each time")
  func roundTrip() throws {
    for data in [Data(), Data([0]), data, Data(repeating: 7, count: 1 << 20), (Data("xx".utf8) + data).dropFirst(2)] {
      let record = try SealedRecord.seal(data, for: account, with: key)
      #expect(record.count == data.count + SealedRecord.overhead)
      #expect(try SealedRecord.open(record, for: account, with: keys) == data)
      #expect(try SealedRecord.open((Data("x".utf8) + record).dropFirst(), for: account, with: keys) == data)
      #expect(try SealedRecord.seal(data, for: account, with: key) != record)
      #expect(SealedRecord.keyID(of: record) == key.id)
      if data.count == 29 { #expect(record.range(of: Data("secret-token".utf8)) == nil) }
    }
  }

  @Test("Invariant 14: a record cut at any byte is known to be cut")
  func cut() throws {
    let record = try SealedRecord.seal(data, for: account, with: key)
    for length in 0..<record.count {
      #expect(throws: SealingError.truncated, "at \(length)") {
        try SealedRecord.open(record.prefix(length), for: account, with: keys)
      }
    }
    #expect(throws: SealingError.tampered) { try SealedRecord.open(record + [0], for: account, with: keys) }
  }

  @Test("Invariant 14: a record with any bit flipped does not open, and says what it looks like")
  func flipped() throws {
    let record = try SealedRecord.seal(data, for: account, with: key)
    for position in 0..<record.count * 8 {
      var flipped = record
      flipped[position / 8] ^= 1 << (position % 8)
      let error = #expect(throws: SealingError.self, "bit \(position)") {
        try SealedRecord.open(flipped, for: account, with: keys)
      }
      guard let error else { continue }
      switch position / 8 {
      case 0..<8: #expect(error == .notSealed)
      case 8..<10: #expect(error == .unknownFormat || error == .tampered)
      case 10..<18: if case .wrongKey(let id) = error { #expect(id != key.id) } else { Issue.record("\(error)") }
      case 18..<26: #expect(error == .truncated || error == .tampered)
      default: #expect(error == .tampered)
      }
    }
  }

  @Test("A record in another account's place does not open")
  func otherAccount() throws {
    let record = try SealedRecord.seal(data, for: account, with: key)
    #expect(throws: SealingError.tampered) {
      try SealedRecord.open(record, for: SessionKey("mallory@example.org"), with: keys)
    }
  }

  @Test("A wrong key is told from tampering, also when it claims to be the right one")
  func wrongKey() throws {
    let record = try SealedRecord.seal(data, for: account, with: key)
    let other = SealingKey.random()
    for keys in [SealingKeys(current: other), nil] {
      #expect(throws: SealingError.wrongKey(key.id)) { try SealedRecord.open(record, for: account, with: keys) }
    }
    let others = try SealedRecord.seal(data, for: account, with: other)
    let forged = record.prefix(10) + others[10..<18] + record.dropFirst(18)
    #expect(throws: SealingError.tampered) {
      try SealedRecord.open(forged, for: account, with: SealingKeys(current: key, older: [other]))
    }
    #expect(
      try SealedRecord.open(record, for: account, with: SealingKeys(current: other, older: [key])) == data)
  }

  @Test("Invariant 14: noise is not a record, and lengths that overflow are refused")
  func noise() throws {
    var generator = SplitMix64(seed: 3)
    for length in 0..<200 {
      let noise = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
      #expect(throws: SealingError.self) { try SealedRecord.open(noise, for: account, with: keys) }
      let record = try SealedRecord.seal(data, for: account, with: key)
      #expect(throws: SealingError.self) { try SealedRecord.open(record.prefix(18) + noise, for: account, with: keys) }
    }
    let record = try SealedRecord.seal(data, for: account, with: key)
    let endless = record.prefix(18) + Data(repeating: 255, count: 8) + record.dropFirst(26)
    #expect(throws: SealingError.truncated) { try SealedRecord.open(endless, for: account, with: keys) }
  }

  @Test("Invariant 12, Store-T7: keys and errors show identifiers, never a key")
  func redaction() throws {
    let secret = key.reveal().base64EncodedString()
    let sources: [any SealingKeySource] = [
      GivenKeys(keys), PassphraseKeys("a secret passphrase", salts: URL(filePath: "/nowhere")),
      StoredKeys(in: EphemeralStore()),
    ]
    var text = "\(key) \(keys) \(String(reflecting: keys)) \(SealingError.wrongKey(key.id))"
    dump(key, to: &text)
    dump(keys, to: &text)
    dump(sources, to: &text)
    #expect(!text.contains(secret))
    #expect(!text.contains("secret passphrase"))
    #expect(!text.contains("1, 2, 3") && !text.contains("01020304"))
    #expect(text.contains(key.id.description))
  }
}

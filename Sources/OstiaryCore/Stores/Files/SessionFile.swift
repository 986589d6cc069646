import Crypto
package import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The format of a session's file: two slots that are written in turns, so that a save is one write in place and one
/// wait for the disk, and the record before it is whole at every moment.
///
///     magic "OSTIARY\n"   8 bytes
///     version             4 bytes: 1 (all numbers are big-endian)
///     capacity            4 bytes, of a slot, a multiple of 4096
///     name length         4 bytes
///     digest             32 bytes, SHA-256 of what is before and the name
///     settled             8 bytes, the number of the last record that is known to be on the disk,
///                         8 bytes, the same with every bit turned round
///     name                of the key, in UTF-8; then zeros up to a multiple of 4096
///     two slots, each     number of the record 8 bytes, length 8 bytes (its highest bit is set in an ended entry),
///                         SHA-256 of the digest above, number, length and payload 32 bytes, payload
///
/// Record *n* goes into slot *n* mod 2, over the one before the last. Once the disk has it, its number goes into
/// `settled`. So a record beyond `settled` that is broken was being written when its writer died, and was never
/// promised: the one before it counts. A record up to `settled` that is broken is damage, and is never answered with an
/// older one, because a proof that has been replaced must not be used again.
///
/// The digests find damage, not forgery: a program that can write the file can also compute them.
package struct SessionFile: Equatable, Sendable {
  package static let version: UInt32 = 1
  private static let magic = Data("OSTIARY\n".utf8)
  private static let fixedLength = 68
  private static let digestOffset = 20
  private static let settledOffset = 52
  /// Slots begin at its multiples, so that writing one never touches a block of the other.
  private static let page = 4096
  private static let recordHeaderLength = 48
  /// In the length of a record: what it holds is an ended entry.
  private static let endedFlag: UInt64 = 1 << 63

  /// A place in the file and what to write there.
  package struct Change: Equatable, Sendable {
    package let offset: Int64
    package let data: Data
  }

  /// What a file turned out to hold.
  package enum Content: Equatable, Sendable {
    case whole(SessionFile)
    /// Written by a later version of Ostiary.
    case newer
    /// In words for a person.
    case damaged(String)
  }

  /// The session, or the entry that says how it ended.
  package let payload: Data
  /// Whether it is an ended entry.
  package let isEnded: Bool
  /// The number of its record.
  package let number: UInt64
  /// Whether its record is known to be on the disk. Until it is, nothing may be written over the record before.
  package let isSettled: Bool
  /// Everything up to and with the digest.
  private let header: Data
  private let name: Data
  private let recordDigest: Data
  private let start: Int
  private let capacity: Int

  // MARK: Reading

  /// Takes a file apart.
  package static func open(_ file: Data, key: SessionKey, known: SessionFile? = nil) -> Content {
    file.withUnsafeBytes { open($0, key: key, known: known) }
  }

  /// Takes a file apart.
  /// - Parameter known: what was in the file before. What is still the same, byte for byte, is not checked again: the
  ///   digests take longer than everything else.
  static func open(_ file: UnsafeRawBufferPointer, key: SessionKey, known: SessionFile? = nil) -> Content {
    guard file.count >= fixedLength else { return .damaged("it has been cut short") }
    guard file.part(0..<8).isEqual(to: magic) else { return .damaged("it is not a session file") }
    guard let name = name(in: file, known) else { return .damaged("its header has changed") }
    guard name.isEqual(to: Data(key.canonicalName.utf8)) else { return .damaged("it is the file of another session") }
    switch file.bigEndian(UInt32.self, at: 8) {
    case version: break
    case (version + 1)...: return .newer
    default: return .damaged("its version is unknown")
    }
    let capacity = Int(clamping: file.bigEndian(UInt32.self, at: 12))
    let start = start(nameLength: name.count)
    guard let missing = length(start, capacity).map({ $0 - file.count }) else { return .damaged("it makes no sense") }
    guard missing == 0 else {
      return .damaged(missing > 0 ? "it has been cut short" : "something has been appended to it")
    }
    let digest = file.part(digestOffset..<settledOffset)
    let slots = [start, start + capacity].map { file.part($0..<$0 + capacity) }
    let settled = file.bigEndian(UInt64.self, at: settledOffset)
    let isSettledWhole = settled == ~file.bigEndian(UInt64.self, at: settledOffset + 8)
    // A record that is whole is the last if the other does not even claim to be.
    let newest = slots.max { claimedNumber(in: $0) < claimedNumber(in: $1) }
    var records = [newest].compactMap { $0.flatMap { record(in: $0, digest, known) } }
    if records.isEmpty || !isSettledWhole { records = slots.compactMap { record(in: $0, digest, known) } }
    guard let last = records.max(by: { $0.number < $1.number }) else { return .damaged("its contents have changed") }
    if !isSettledWhole {
      // A record that is whole beside the one before it is the last, settled or not.
      guard records.count == 2 else { return .damaged("its header has changed") }
    } else if last.number < settled {
      return .damaged("its contents have changed")
    }
    return .whole(
      SessionFile(
        payload: last.payload, isEnded: last.isEnded, number: last.number, isSettled: last.number == settled,
        header: Data(file.part(0..<settledOffset)), name: Data(name), recordDigest: last.digest, start: start,
        capacity: capacity))
  }

  /// The key whose session `file` holds, if its header is whole.
  package static func key(in file: Data) -> SessionKey? {
    file.withUnsafeBytes { file in
      guard file.count >= fixedLength, file.part(0..<8).isEqual(to: magic) else { return nil }
      return name(in: file, nil).flatMap { String(validating: $0, as: UTF8.self) }.map { SessionKey($0) }
    }
  }

  /// Whether the file whose first bytes these are holds an ended entry, told without checking its contents.
  /// - Returns: `nil` when that takes reading the whole file.
  static func isEnded(in beginning: Data) -> Bool? {
    beginning.withUnsafeBytes { file in
      guard file.count >= fixedLength else { return nil }
      // What a later version has written is listed in every case.
      guard file.bigEndian(UInt32.self, at: 8) == version else { return false }
      let start = start(nameLength: Int(clamping: file.bigEndian(UInt32.self, at: 16)))
      let capacity = Int(clamping: file.bigEndian(UInt32.self, at: 12))
      guard let length = length(start, capacity), file.count >= length, capacity >= recordHeaderLength else {
        return nil
      }
      let settled = file.bigEndian(UInt64.self, at: settledOffset)
      let slots = [start, start + capacity].map { file.part($0..<$0 + capacity) }
      guard settled == ~file.bigEndian(UInt64.self, at: settledOffset + 8),
        slots.map(claimedNumber(in:)).max() == settled,
        let last = slots.first(where: { claimedNumber(in: $0) == settled })
      else { return nil }
      return last.bigEndian(UInt64.self, at: 8) & endedFlag != 0
    }
  }

  private static func name(in file: UnsafeRawBufferPointer, _ known: SessionFile?) -> UnsafeRawBufferPointer? {
    let length = min(Int(clamping: file.bigEndian(UInt32.self, at: 16)), file.count - fixedLength)
    let name = file.part(fixedLength..<fixedLength + length)
    if let known, file.part(0..<settledOffset).isEqual(to: known.header), name.isEqual(to: known.name) { return name }
    let isWhole = file.part(digestOffset..<settledOffset).isEqual(to: sha256(file.part(0..<digestOffset), name))
    return isWhole ? name : nil
  }

  /// What a slot says is the number of its record.
  private static func claimedNumber(in slot: UnsafeRawBufferPointer) -> UInt64 {
    slot.count < recordHeaderLength ? 0 : slot.bigEndian(UInt64.self, at: 0)
  }

  private static func record(
    in slot: UnsafeRawBufferPointer, _ fileDigest: UnsafeRawBufferPointer, _ known: SessionFile?
  ) -> (number: UInt64, payload: Data, isEnded: Bool, digest: Data)? {
    guard slot.count >= recordHeaderLength else { return nil }
    let number = claimedNumber(in: slot)
    let stated = slot.bigEndian(UInt64.self, at: 8)
    let isEnded = stated & endedFlag != 0
    let length = min(Int(clamping: stated & ~endedFlag), slot.count - recordHeaderLength)
    let digest = slot.part(16..<recordHeaderLength)
    let payload = slot.part(recordHeaderLength..<recordHeaderLength + length)
    // All that the digest is of.
    if let known, known.number == number, Self.stated(known.payload, known.isEnded) == stated,
      payload.isEqual(to: known.payload),
      digest.isEqual(to: known.recordDigest), fileDigest.isEqual(to: known.header[digestOffset...])
    {
      return (number, known.payload, isEnded, known.recordDigest)
    }
    guard digest.isEqual(to: sha256(fileDigest, slot.part(0..<16), payload)) else { return nil }
    return (number, Data(payload), isEnded, Data(digest))
  }

  private static func stated(_ payload: Data, _ isEnded: Bool) -> UInt64 {
    UInt64(payload.count) | (isEnded ? endedFlag : 0)
  }

  // MARK: Writing

  /// A new file that holds `payload`, with room for it to grow.
  package static func made(
    of payload: Data, key: SessionKey, isEnded: Bool = false, version: UInt32 = Self.version
  ) -> Data {
    let name = Data(key.canonicalName.utf8)
    let room = recordHeaderLength + payload.count
    let capacity = max(2, (room + room / 2 + page - 1) / page) * page
    let preamble = magic + bytes(version) + bytes(UInt32(clamping: capacity)) + bytes(UInt32(clamping: name.count))
    let digest = sha256(preamble, name)
    var file = preamble + digest + settled(1) + name
    file.append(Data(count: start(nameLength: name.count) - file.count))
    let record = record(1, payload, isEnded, digest)
    return file + Data(count: capacity) + record + Data(count: capacity - record.count)
  }

  /// What makes `payload` the next record, or nothing when it needs a larger file.
  package func next(_ payload: Data, isEnded: Bool = false) -> Change? {
    guard payload.count <= capacity - Self.recordHeaderLength, number < .max else { return nil }
    return Change(
      offset: slot(number + 1),
      data: Self.record(number + 1, payload, isEnded, header[Self.digestOffset..<Self.settledOffset]))
  }

  /// What the file holds once `change`, which made `payload` the next record, is written and settled.
  func after(_ change: Change, _ payload: Data, isEnded: Bool) -> SessionFile {
    SessionFile(
      payload: payload, isEnded: isEnded, number: number + 1, isSettled: true, header: header, name: name,
      recordDigest: Data(change.data[16..<Self.recordHeaderLength]), start: start, capacity: capacity)
  }

  /// What takes a ``next(_:)`` back whose write has failed.
  package var withoutNext: Change { Change(offset: slot(number &+ 1), data: Data(count: Self.recordHeaderLength)) }

  /// What settles the record of a number, once the disk has it.
  package static func settling(_ number: UInt64) -> Change {
    Change(offset: Int64(settledOffset), data: settled(number))
  }

  private func slot(_ number: UInt64) -> Int64 { Int64(start + (number % 2 == 0 ? 0 : capacity)) }

  private static func record(_ number: UInt64, _ payload: Data, _ isEnded: Bool, _ fileDigest: Data) -> Data {
    let head = bytes(number) + bytes(stated(payload, isEnded))
    var record = Data(capacity: recordHeaderLength + payload.count)
    record.append(head)
    record.append(sha256(fileDigest, head, payload))
    record.append(payload)
    return record
  }

  private static func settled(_ number: UInt64) -> Data { bytes(number) + bytes(~number) }

  private static func sha256(_ parts: any ContiguousBytes...) -> Data {
    var hash = SHA256()
    for part in parts { part.withUnsafeBytes { hash.update(bufferPointer: $0) } }
    return Data(hash.finalize())
  }

  // MARK: Sizes and numbers

  /// The largest file that a session of `size` bytes can be in.
  static func limit(_ size: Int, key: SessionKey) -> Int {
    start(nameLength: key.canonicalName.utf8.count) + 3 * (size + recordHeaderLength) + 4 * page
  }

  private static func start(nameLength: Int) -> Int { (fixedLength + nameLength + page - 1) / page * page }

  private static func length(_ start: Int, _ capacity: Int) -> Int? {
    let (slots, tooMany) = capacity.multipliedReportingOverflow(by: 2)
    let (length, tooLong) = slots.addingReportingOverflow(start)
    return tooMany || tooLong ? nil : length
  }

  private static func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.bigEndian) { Data($0) }
  }
}

// Only within bounds that the caller has checked.
extension UnsafeRawBufferPointer {
  fileprivate func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { .init(rebasing: self[range]) }

  fileprivate func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  fileprivate func isEqual(to data: Data) -> Bool {
    guard count == data.count else { return false }
    guard let own = baseAddress, count > 0 else { return true }
    return data.withUnsafeBytes { other in other.baseAddress.map { memcmp(own, $0, count) == 0 } ?? false }
  }
}

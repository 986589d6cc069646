import Crypto
package import Foundation

/// The format of a session's file: two slots that are written in turns, so that a save is one write in place and one
/// wait for the disk, and whatever happens the record before it is whole.
///
///     magic "OSTIARY\n"   8 bytes
///     version             4 bytes: 1 (all numbers are big-endian)
///     capacity            4 bytes, of a slot, a multiple of 4096
///     name length         4 bytes
///     digest             32 bytes, SHA-256 of what is before and the name
///     settled             8 bytes, the number of the last record that is known to be on the disk,
///                         8 bytes, the same with every bit turned round
///     name                of the key, in UTF-8; then zeros up to a multiple of 4096
///     two slots, each     number of the record 8 bytes, length 8 bytes, SHA-256 of the digest above, number, length and
///                         payload 32 bytes, payload
///
/// Record *n* goes into slot *n* mod 2, over the one before the last. Once the disk has it, its number goes into
/// `settled`. So a record beyond `settled` that is broken was being written when its writer died, and was promised to
/// nobody: the one before it counts. A record up to `settled` that is broken is damage, and is never answered with an
/// older one, because a proof that has been replaced must not be used again.
///
/// The digests find damage, not forgery: whoever can write the file can also compute them.
package struct SessionFile: Equatable, Sendable {
  package static let version: UInt32 = 1
  private static let magic = Data("OSTIARY\n".utf8)
  private static let fixedLength = 68
  private static let settledOffset = 52
  /// Slots begin at its multiples, so that writing one never touches a block of the other.
  private static let page = 4096
  private static let recordHeaderLength = 48

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

  /// The session.
  package let payload: Data
  /// The number of its record.
  package let number: UInt64
  /// Whether its record is known to be on the disk. Until it is, nothing may be written over the record before.
  package let isSettled: Bool
  private let digest: Data
  private let start: Int
  private let capacity: Int

  // MARK: Reading

  /// Takes a file apart.
  package static func open(_ file: Data, key: SessionKey) -> Content {
    let file = Data(file)
    guard file.count >= fixedLength else { return .damaged("it has been cut short") }
    guard file.prefix(8) == magic else { return .damaged("it is not a session file") }
    guard let name = name(in: file) else { return .damaged("its header has changed") }
    guard name == Data(key.canonicalName.utf8) else { return .damaged("it is the file of another session") }
    switch bigEndian(file[8..<12]) {
    case UInt64(version): break
    case (UInt64(version) + 1)...: return .newer
    default: return .damaged("its version is unknown")
    }
    let capacity = Int(clamping: bigEndian(file[12..<16]))
    let start = start(nameLength: name.count)
    guard let missing = length(start, capacity).map({ $0 - file.count }) else { return .damaged("it makes no sense") }
    guard missing == 0 else {
      return .damaged(missing > 0 ? "it has been cut short" : "something has been appended to it")
    }
    let digest = Data(file[20..<settledOffset])
    let slots = [start, start + capacity].map { file[$0..<$0 + capacity] }
    // Checking a record takes longer than reading it from the disk's cache, and one that is whole is the last if the
    // other does not even claim to be.
    let newest = slots.max { claimedNumber($0) < claimedNumber($1) }
    var records = [newest].compactMap { $0.flatMap { record(in: $0, digest) } }
    let settled = bigEndian(file[52..<60])
    let isHeaderWhole = settled == ~bigEndian(file[60..<68])
    if records.isEmpty || !isHeaderWhole { records = slots.compactMap { record(in: $0, digest) } }
    guard let last = records.max(by: { $0.number < $1.number }) else { return .damaged("its contents have changed") }
    if !isHeaderWhole {
      // A record that is whole beside the one before it is the last, whatever was settled.
      guard records.count == 2 else { return .damaged("its header has changed") }
    } else if last.number < settled {
      return .damaged("its contents have changed")
    }
    return .whole(
      SessionFile(
        payload: last.payload, number: last.number, isSettled: last.number == settled, digest: digest, start: start,
        capacity: capacity))
  }

  /// The key whose session `file` holds, if its header is whole.
  package static func key(in file: Data) -> SessionKey? {
    let file = Data(file)
    guard file.count >= fixedLength, file.prefix(8) == magic else { return nil }
    return name(in: file).flatMap { String(validating: $0, as: UTF8.self) }.map { SessionKey($0) }
  }

  private static func name(in file: Data) -> Data? {
    let name = file.dropFirst(fixedLength).prefix(Int(clamping: bigEndian(file[16..<20])))
    return Data(SHA256.hash(data: file[..<20] + name)) == file[20..<settledOffset] ? Data(name) : nil
  }

  /// What a slot says is the number of its record.
  private static func claimedNumber(_ slot: Data) -> UInt64 { bigEndian(slot.prefix(8)) }

  private static func record(in slot: Data, _ digest: Data) -> (number: UInt64, payload: Data)? {
    let slot = Data(slot)
    guard slot.count >= recordHeaderLength else { return nil }
    let payload = slot.dropFirst(recordHeaderLength).prefix(Int(clamping: bigEndian(slot[8..<16])))
    guard slot[16..<recordHeaderLength] == recordDigest(slot[..<16], payload, digest) else { return nil }
    return (bigEndian(slot[..<8]), Data(payload))
  }

  // MARK: Writing

  /// A new file that holds `payload`, with room for it to grow.
  package static func made(of payload: Data, key: SessionKey, version: UInt32 = Self.version) -> Data {
    let name = Data(key.canonicalName.utf8)
    let room = recordHeaderLength + payload.count
    let capacity = max(2, (room + room / 2 + page - 1) / page) * page
    let preamble = magic + bytes(version) + bytes(UInt32(clamping: capacity)) + bytes(UInt32(clamping: name.count))
    let digest = Data(SHA256.hash(data: preamble + name))
    var file = preamble + digest + settled(1) + name
    file.append(Data(count: start(nameLength: name.count) - file.count))
    let record = record(1, payload, digest)
    return file + Data(count: capacity) + record + Data(count: capacity - record.count)
  }

  /// What makes `payload` the next record, or nothing when it needs a larger file.
  package func next(_ payload: Data) -> Change? {
    guard payload.count <= capacity - Self.recordHeaderLength, number < .max else { return nil }
    return Change(offset: slot(number + 1), data: Self.record(number + 1, payload, digest))
  }

  /// What takes a ``next(_:)`` back whose write has failed.
  package var withoutNext: Change { Change(offset: slot(number &+ 1), data: Data(count: Self.recordHeaderLength)) }

  /// What settles the record of a number, once the disk has it.
  package static func settling(_ number: UInt64) -> Change {
    Change(offset: Int64(settledOffset), data: settled(number))
  }

  private func slot(_ number: UInt64) -> Int64 { Int64(start + (number % 2 == 0 ? 0 : capacity)) }

  private static func record(_ number: UInt64, _ payload: Data, _ digest: Data) -> Data {
    let head = bytes(number) + bytes(UInt64(payload.count))
    return head + recordDigest(head, payload, digest) + payload
  }

  private static func recordDigest(_ head: Data, _ payload: Data, _ digest: Data) -> Data {
    var hash = SHA256()
    for part in [digest, head, payload] { hash.update(data: part) }
    return Data(hash.finalize())
  }

  private static func settled(_ number: UInt64) -> Data { bytes(number) + bytes(~number) }

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

  private static func bigEndian(_ bytes: Data) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

import Foundation
import OstiaryCore

/// Stores held requests, by id and by session, in the order in which they came, with running totals. Every call reads no more of
/// them than it returns or removes.
struct HeldShelf: Sendable {
  struct Entry: Sendable {
    let id: String
    let sealed: Data
    let end: Date
    fileprivate let address: [UInt8]
    /// The session whose next request for the address takes it, once its sender has agreed.
    fileprivate var session: Secret?
    /// The neighbours among the requests of its address, by number.
    fileprivate var older: UInt64?
    fileprivate var newer: UInt64?
  }

  /// The requests of one client address.
  private struct Row {
    var oldest: UInt64
    var newest: UInt64
    var size: Int
  }

  private let capacity: Int
  private let addressCapacity: Int
  private var entries: [UInt64: Entry] = [:]
  private var numbers: [String: UInt64] = [:]
  private var rows: [[UInt8]: Row] = [:]
  private var sessions: [Secret: Set<UInt64>] = [:]
  /// How many were removed to make room for others: in all, and for their address's own.
  struct PushedOut: Sendable, Hashable {
    var total = 0
    var ofAddress = 0
  }

  private(set) var pushedOut = PushedOut()
  private(set) var size = 0
  /// The numbers are issued in order; the search for the oldest visits each once.
  private var oldest: UInt64 = 0
  private var next: UInt64 = 0
  /// How many entries were visited, for tests.
  private(set) var steps = 0

  init(capacity: Int, addressCapacity: Int) {
    self.capacity = capacity
    self.addressCapacity = addressCapacity
  }

  var count: Int { entries.count }
  var hasArmed: Bool { !sessions.isEmpty }

  subscript(id: String) -> Entry? { numbers[id].flatMap { entries[$0] } }

  /// Adds a request. The oldest of its address are removed first, then the oldest of all.
  /// - Returns: false if it is too large.
  mutating func insert(_ sealed: Data, id: String, address: [UInt8], end: Date) -> Bool {
    guard sealed.count <= addressCapacity else { return false }
    while let row = rows[address], row.size > addressCapacity - sealed.count {
      remove(number: row.oldest)
      pushedOut.ofAddress += 1
    }
    while size > capacity - sealed.count, let number = oldestNumber() {
      remove(number: number)
      pushedOut.total += 1
    }
    let number = next
    next += 1
    let newest = rows[address]?.newest
    entries[number] = Entry(id: id, sealed: sealed, end: end, address: address, older: newest)
    if let newest { entries[newest]?.newer = number }
    numbers[id] = number
    size += sealed.count
    rows[address, default: Row(oldest: number, newest: number, size: 0)].size += sealed.count
    rows[address]?.newest = number
    return true
  }

  mutating func removeExpired(at now: Date) {
    while let number = oldestNumber(), let entry = entries[number], entry.end <= now { remove(number: number) }
  }

  mutating func arm(_ id: String, session: Secret) {
    guard let number = numbers[id] else { return }
    disarm(number)
    entries[number]?.session = session
    sessions[session, default: []].insert(number)
  }

  func armed(for session: Secret) -> [Entry] { (sessions[session] ?? []).sorted().compactMap { entries[$0] } }

  /// - Returns: whether it was there.
  mutating func remove(_ id: String) -> Bool {
    guard let number = numbers[id] else { return false }
    remove(number: number)
    return true
  }

  private mutating func remove(number: UInt64) {
    steps += 1
    disarm(number)
    guard let entry = entries.removeValue(forKey: number) else { return }
    numbers[entry.id] = nil
    size -= entry.sealed.count
    if let older = entry.older { entries[older]?.newer = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older }
    guard var row = rows[entry.address] else { return }
    row.size -= entry.sealed.count
    if row.oldest == number, let newer = entry.newer { row.oldest = newer }
    if row.newest == number, let older = entry.older { row.newest = older }
    rows[entry.address] = entry.older == nil && entry.newer == nil ? nil : row
  }

  private mutating func disarm(_ number: UInt64) {
    guard let session = entries[number]?.session else { return }
    entries[number]?.session = nil
    sessions[session]?.remove(number)
    if sessions[session]?.isEmpty == true { sessions[session] = nil }
  }

  private mutating func oldestNumber() -> UInt64? {
    while oldest < next, entries[oldest] == nil {
      steps += 1
      oldest += 1
    }
    return oldest < next ? oldest : nil
  }
}

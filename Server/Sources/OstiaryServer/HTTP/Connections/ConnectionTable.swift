/// The connections that are open, as a value: each input says what has happened, and returns what to do.
///
/// A new connection takes the place of the one that has been silent for longest where the limit is reached, so that clients
/// that connect and say nothing keep no one out.
struct ConnectionTable: Sendable {
  /// What becomes of a new connection.
  enum Admission: Sendable, Hashable {
    case admitted
    /// It is admitted, and this one is closed for it.
    case admittedInPlace(of: UInt64)
    /// There is no room, and no connection is silent.
    case refused
  }

  /// What has happened since the start.
  struct Counts: Sendable, Hashable {
    /// Connections that are open.
    var open = 0
    /// Silent connections that made room.
    var displaced = 0
    /// Connections that were refused.
    var refused = 0
    /// Connections for which there was no room among all, and among those of their address.
    var ofAll = 0
    var ofAddress = 0
  }

  private struct Entry: Sendable {
    /// What the limit of an address counts by; `nil` where it has none.
    let bucket: [UInt8]?
    /// Since when there is no request under way, in the order of such moments; `nil` while there is one.
    var silentSince: UInt64?
  }

  private let limits: ConnectionLimits
  private var entries: [UInt64: Entry] = [:]
  private var perBucket: [[UInt8]: Int] = [:]
  private var lastMoment: UInt64 = 0
  private(set) var counts = Counts()

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// A connection has been opened. It is silent until it sends a request.
  /// - Parameter bucket: what the limit of its address counts by; `nil` for a trusted proxy, which is many clients.
  mutating func open(_ id: UInt64, from bucket: [UInt8]?) -> Admission {
    let isAddressFull = bucket.map { perBucket[$0, default: 0] >= limits.perAddress } ?? false
    var displaced: UInt64?
    if isAddressFull || entries.count >= limits.connections {
      if isAddressFull { counts.ofAddress += 1 } else { counts.ofAll += 1 }
      displaced = longestSilent(from: isAddressFull ? bucket : nil)
      guard let displaced else {
        counts.refused += 1
        return .refused
      }
      counts.displaced += 1
      close(displaced)
    }
    entries[id] = Entry(bucket: bucket, silentSince: nextMoment())
    if let bucket { perBucket[bucket, default: 0] += 1 }
    counts.open = entries.count
    return displaced.map { .admittedInPlace(of: $0) } ?? .admitted
  }

  /// A connection has sent the head of a request.
  mutating func begin(_ id: UInt64) { entries[id]?.silentSince = nil }

  /// The answer is on its way, and the next request has not come.
  mutating func end(_ id: UInt64) {
    let moment = nextMoment()
    entries[id]?.silentSince = moment
  }

  /// A connection is closed, or has been displaced.
  mutating func close(_ id: UInt64) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    counts.open = entries.count
    guard let bucket = entry.bucket, let count = perBucket[bucket] else { return }
    perBucket[bucket] = count > 1 ? count - 1 : nil
  }

  /// How many connections the address has.
  func count(from bucket: [UInt8]) -> Int { perBucket[bucket] ?? 0 }

  private mutating func nextMoment() -> UInt64 {
    lastMoment += 1
    return lastMoment
  }

  private func longestSilent(from bucket: [UInt8]?) -> UInt64? {
    var found: (id: UInt64, since: UInt64)?
    for (id, entry) in entries where bucket == nil || entry.bucket == bucket {
      guard let since = entry.silentSince, since < found?.since ?? .max else { continue }
      found = (id, since)
    }
    return found?.id
  }
}

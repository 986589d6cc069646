/// The open connections, as a value: each input is an event, and returns the action.
///
/// At the limit a new connection takes the place of the one that has been silent longest: clients that connect and send
/// nothing keep no other client out.
struct ConnectionTable: Sendable {
  /// The decision about a new connection.
  enum Admission: Sendable, Hashable {
    case admitted
    /// It is admitted, and this one is closed for it.
    case admittedInPlace(of: UInt64)
    /// There is no room, and no connection is silent.
    case refused
  }

  /// Counts since the start.
  struct Counts: Sendable, Hashable {
    /// Connections that are open.
    var open = 0
    /// Silent connections that were closed to make room.
    var displaced = 0
    /// Connections that were refused.
    var refused = 0
    /// Connections for which there was no room below the common limit, and below the limit of their address.
    var ofAll = 0
    var ofAddress = 0
  }

  private struct Entry: Sendable {
    /// The key for the limit of an address; `nil` without a limit.
    let bucket: [UInt8]?
    /// The moment since which no request is under way, as a number that grows; `nil` while there is one.
    var silentSince: UInt64?
  }

  private let limits: ConnectionLimits
  private var entries: [UInt64: Entry] = [:]
  private var perBucket: [[UInt8]: Int] = [:]
  private var lastMoment: UInt64 = 0
  private(set) var counts = Counts()

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// A connection has been opened. It is silent until it sends a request.
  /// - Parameter bucket: the key for the limit of its address; `nil` for a trusted proxy, which has many clients.
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

  /// The answer has been sent, and the next request has not arrived.
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

  /// The number of the address's connections.
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

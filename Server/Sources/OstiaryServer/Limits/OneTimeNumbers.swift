import Crypto
import Foundation
internal import OstiaryCore

/// Numbers that are valid once, at whichever server over the database they are shown first. The database stores a keyed hash of each
/// until the number would have expired anyway.
///
/// Bounded: above the bound the numbers of this kind that expire soonest are removed.
struct OneTimeNumbers: Sendable {
  /// The clocks of the servers differ: a number is remembered for so many seconds beyond its end.
  private static let grace: TimeInterval = 60
  private static let batch = 1000

  private let storage: ServerStorage
  private let kind: String
  private var keys: PurposeKeys { storage.key.keys(for: "limits.numbers") }
  private let capacity: Int
  private let turns = TidyingTurns(every: 256, seconds: 60)

  /// - Parameter kind: what the numbers are. Stored rows contain it, so it never changes.
  init(_ storage: ServerStorage, of kind: StaticString, capacity: Int = 200_000) {
    self.storage = storage
    self.kind = kind.description
    self.capacity = capacity
  }

  /// A number that is in use.
  struct Claim: Sendable {
    fileprivate let number: Data
    fileprivate let owner: Data
  }

  /// Marks a number as used.
  /// - Returns: Whether this was the first time.
  func take(_ number: String, until end: Date, now: Date) async throws(ServerError) -> Bool {
    let (current, others) = hashes(number)
    let claim = Claim(number: current, owner: Data())
    let isFirst = try await storage.writeTogether { [kind] db -> Bool in
      // Another server may name it by another key at the moment; or this one did, before the key was changed.
      for other in others {
        if try db.exists(NumberStatements.sql.find, kind, other) { return false }
      }
      return try Self.insert(claim, kind, until: end.addingTimeInterval(Self.grace), in: db)
    }
    await tidy(now)
    return isFirst
  }

  /// Marks a number as in use, until it is released or the time is over.
  /// - Returns: The value to release it with; nil if it is in use already.
  func claim(_ number: String, until end: Date, now: Date) async throws(ServerError) -> Claim? {
    let (current, others) = hashes(number)
    let owner = Data(RandomBytes.make(16))
    let claim = try await storage.writeTogether { [kind] db -> Claim? in
      func takeOver(_ number: Data) throws -> Claim? {
        // The server that used it has ended without releasing it.
        let isMine = try db.changed(by: NumberStatements.sql.takeOver, owner, end, kind, number, now) > 0
        return isMine ? Claim(number: number, owner: owner) : nil
      }
      for other in others {
        if try db.exists(NumberStatements.sql.find, kind, other) { return try takeOver(other) }
      }
      let claim = Claim(number: current, owner: owner)
      return try Self.insert(claim, kind, until: end, in: db) ? claim : takeOver(current)
    }
    await tidy(now)
    return claim
  }

  /// Ends a use.
  func release(_ claim: Claim) async throws(ServerError) {
    _ = try await storage.writeTogether { [kind] db in
      try db.run(NumberStatements.sql.release, kind, claim.number, claim.owner)
    }
  }

  private static func insert(
    _ claim: Claim, _ kind: String, until end: Date, in db: StorageConnection
  ) throws -> Bool {
    try db.changed(by: NumberStatements.sql.take, kind, claim.number, claim.owner, end) > 0
  }

  /// The hashes by which a number is stored.
  private func hashes(_ number: String) -> (current: Data, others: [Data]) {
    let keys = keys
    func hash(_ key: SymmetricKey) -> Data {
      Data(HMAC<SHA256>.authenticationCode(for: Data("\(kind)\u{1F}\(number)".utf8), using: key))
    }
    return (hash(keys.current.key), keys.others.map { hash($0.key) })
  }

  // MARK: Housekeeping

  /// Removes what has expired, in a transaction of its own: a failure changes no answer.
  private func tidy(_ now: Date) async {
    guard turns.isDue(now: now) else { return }
    _ = try? await storage.write { [kind, capacity] db in
      try db.run(NumberStatements.sql.removeExpired, kind, now, Self.batch)
      let count = try db.count(NumberStatements.sql.count, kind)
      if count > capacity { try db.run(NumberStatements.sql.removeSoonest, kind, count - capacity) }
    }
  }

  /// How many are stored.
  var count: Int {
    get async throws(ServerError) {
      try await storage.read { [kind] db in try db.count(NumberStatements.sql.count, kind) }
    }
  }
}

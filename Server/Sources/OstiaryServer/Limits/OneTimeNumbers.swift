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
  private let key: SymmetricKey
  private let capacity: Int
  private let turns = TidyingTurns(every: 256, seconds: 60)

  /// - Parameter kind: what the numbers are. Stored rows contain it, so it never changes.
  init(_ storage: ServerStorage, of kind: StaticString, capacity: Int = 200_000) {
    self.storage = storage
    self.kind = kind.description
    self.capacity = capacity
    key = storage.key.key(for: "limits.numbers")
  }

  /// A number that is in use.
  struct Claim: Sendable {
    fileprivate let number: Data
    fileprivate let owner: Data
  }

  /// Marks a number as used.
  /// - Returns: Whether this was the first time.
  func take(_ number: String, until end: Date, now: Date) async throws(ServerError) -> Bool {
    let claim = Claim(number: hash(number), owner: Data())
    let isFirst = try await storage.writeTogether { [kind] db in
      try Self.insert(claim, kind, until: end.addingTimeInterval(Self.grace), in: db)
    }
    await tidy(now)
    return isFirst
  }

  /// Marks a number as in use, until it is released or the time is over.
  /// - Returns: The value to release it with; nil if it is in use already.
  func claim(_ number: String, until end: Date, now: Date) async throws(ServerError) -> Claim? {
    let claim = Claim(number: hash(number), owner: Data(RandomBytes.make(16)))
    let isMine = try await storage.writeTogether { [kind] db in
      if try Self.insert(claim, kind, until: end, in: db) { return true }
      // The server that used it has ended without releasing it.
      return try db.changed(by: NumberStatements.sql.takeOver, claim.owner, end, kind, claim.number, now) > 0
    }
    await tidy(now)
    return isMine ? claim : nil
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

  private func hash(_ number: String) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: Data("\(kind)\u{1F}\(number)".utf8), using: key))
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

import Foundation
internal import OstiaryCore

/// A device's request as the database has it.
struct DeviceRow: Sendable {
  enum State: Int, Sendable {
    case pending = 0
    case approved = 1
    case denied = 2
  }

  let clientID: String
  /// The user who has approved it, with the generation of that moment.
  let user: (id: String, generation: Int)?
  let pending: PendingGrant
  let state: State
  /// Seconds to wait between two polls.
  let interval: TimeInterval
  let polledAt: Date?
  let expiresAt: Date

  /// In the order in which they are read.
  static let columns: StaticString = """
    client_id, user_id, user_generation, request, state, interval, polled_at, expires_at
    """

  private init(_ reader: inout ColumnReader) throws {
    clientID = reader.next()
    let (userID, generation): (String?, Int?) = (reader.next(), reader.next())
    user = userID.map { ($0, generation ?? 0) }
    pending = try PendingGrant(column: reader.next())
    state = State(rawValue: reader.next()) ?? .denied
    interval = reader.next()
    polledAt = reader.next()
    expiresAt = reader.next()
  }

  static func find(_ hash: TokenHash, in db: StorageConnection) throws -> DeviceRow? {
    try db.first(DeviceStatements.sql.find, hash.data) { try DeviceRow(&$0) }
  }

  /// The request, for a transaction that decides about it.
  static func findForUse(_ hash: TokenHash, in db: StorageConnection) throws -> DeviceRow? {
    try db.first(DeviceStatements.sql.findForUse, hash.data) { try DeviceRow(&$0) }
  }

  /// The device that waits under the code that a user has typed.
  static func findPending(
    _ code: UserCode, now: Date, in db: StorageConnection, _ permit: borrowing GuessPermit<UserCodeGuess>
  ) throws -> DeviceRow? {
    try db.first(DeviceStatements.sql.findPending, code.hash.data, now) { try DeviceRow(&$0) }
  }

  /// Decides about the device that waits under a code. Returns whether there was one.
  static func decide(
    _ code: UserCode, _ state: State, _ user: User?, now: Date, in db: StorageConnection,
    _ permit: borrowing GuessPermit<UserCodeGuess>
  ) throws -> Bool {
    try db.changed(
      by: DeviceStatements.sql.decide, state.rawValue, user?.id, user?.generation, code.hash.data, now) > 0
  }

  /// Whether the same has been decided before, and the device has not asked since.
  static func isDecided(
    _ code: UserCode, _ state: State, _ user: User?, now: Date, in db: StorageConnection,
    _ permit: borrowing GuessPermit<UserCodeGuess>
  ) throws -> Bool {
    try db.exists(DeviceStatements.sql.decided, code.hash.data, state.rawValue, user?.id ?? "", now)
  }

  /// Whether a poll comes too early. Half a second is allowed for the network.
  func isTooEarly(at now: Date) -> Bool {
    polledAt.map { now.timeIntervalSince($0) < interval - 0.5 } ?? false
  }
}

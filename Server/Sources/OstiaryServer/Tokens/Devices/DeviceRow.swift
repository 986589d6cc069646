import Foundation
internal import GRDB
internal import OstiaryCore

/// A device's request as the database has it.
struct DeviceRow: Sendable {
  enum State: Int, Sendable {
    case pending = 0
    case approved = 1
    case denied = 2
  }

  let clientID: String
  /// Who has let it in, as they were.
  let user: (id: String, generation: Int)?
  let pending: PendingGrant
  let state: State
  /// Seconds to wait between two polls.
  let interval: TimeInterval
  let polledAt: Date?
  let expiresAt: Date

  private init(_ row: Row) throws {
    clientID = row["client_id"]
    let userID: String? = row["user_id"]
    let generation: Int? = row["user_generation"]
    user = userID.map { ($0, generation ?? 0) }
    pending = try PendingGrant(column: row["request"])
    state = State(rawValue: row["state"]) ?? .denied
    interval = row["interval"]
    let polled: Double? = row["polled_at"]
    polledAt = polled.map(Date.init(timeIntervalSince1970:))
    expiresAt = Date(timeIntervalSince1970: row["expires_at"])
  }

  static func find(_ hash: TokenHash, in db: GRDB.Database) throws -> DeviceRow? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT * FROM device_codes WHERE code_hash = ?"), arguments: [hash.data]
    ).map(DeviceRow.init)
  }

  /// The one that waits under the code that somebody has typed.
  static func findPending(_ code: UserCode, now: Date, in db: GRDB.Database) throws -> DeviceRow? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: "SELECT * FROM device_codes WHERE user_code_hash = ? AND state = 0 AND expires_at > ?"),
      arguments: [code.hash.data, now.timeIntervalSince1970]
    ).map(DeviceRow.init)
  }

  /// Whether a poll now comes too early. Half a second is the network's.
  func isTooEarly(at now: Date) -> Bool {
    polledAt.map { now.timeIntervalSince($0) < interval - 0.5 } ?? false
  }
}

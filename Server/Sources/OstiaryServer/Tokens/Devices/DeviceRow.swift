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
  /// Who has let it in, as they were.
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

  /// The request, for a transaction that decides about it.
  static func find(_ hash: TokenHash, in db: StorageConnection) throws -> DeviceRow? {
    try db.first(DeviceStatements.sql.findForUse, hash.data) { try DeviceRow(&$0) }
  }

  /// The one that waits under the code that somebody has typed.
  static func findPending(
    _ code: UserCode, now: Date, in db: StorageConnection, _ permit: borrowing GuessPermit<UserCodeGuess>
  ) throws -> DeviceRow? {
    try db.first(DeviceStatements.sql.findPending, code.hash.data, now) { try DeviceRow(&$0) }
  }

  /// Decides about the one that waits under a code. Returns whether there was one.
  static func decide(
    _ code: UserCode, _ state: State, _ user: User?, now: Date, in db: StorageConnection,
    _ permit: borrowing GuessPermit<UserCodeGuess>
  ) throws -> Bool {
    try db.run(
      DeviceStatements.sql.decide, state.rawValue, user?.id, user?.generation, code.hash.data, now) > 0
  }

  /// Whether a poll now comes too early. Half a second is the network's.
  func isTooEarly(at now: Date) -> Bool {
    polledAt.map { now.timeIntervalSince($0) < interval - 0.5 } ?? false
  }
}

/// The statements about devices that wait to be let in.
struct DeviceStatements: StatementSet {
  static let sql = DeviceStatements()

  let findForUse = StorageStatement("SELECT", DeviceRow.columns, "FROM device_codes WHERE code_hash = $1").locking(
    "device_codes")
  let findPending = StorageStatement(
    "SELECT", DeviceRow.columns, "FROM device_codes WHERE user_code_hash = $1 AND state = 0 AND expires_at > $2")
  let withUserCode = StorageStatement("SELECT 1 FROM device_codes WHERE user_code_hash = $1")
  let insert = StorageStatement(
    """
    INSERT INTO device_codes (code_hash, user_code_hash, client_id, request, interval, expires_at, remove_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    """)
  let total = StorageStatement("SELECT count(*) FROM (SELECT 1 FROM device_codes LIMIT $1) AS counted")
  let ofClient = StorageStatement(
    "SELECT count(*) FROM (SELECT 1 FROM device_codes WHERE client_id = $1 LIMIT $2) AS counted")
  let removeEnded = StorageStatement("DELETE FROM device_codes WHERE expires_at <= $1")
  let poll = StorageStatement("UPDATE device_codes SET polled_at = $1, interval = $2 WHERE code_hash = $3")
  let decide = StorageStatement(
    """
    UPDATE device_codes SET state = $1, user_id = $2, user_generation = $3
    WHERE user_code_hash = $4 AND state = 0 AND expires_at > $5
    """)
  let remove = StorageStatement("DELETE FROM device_codes WHERE code_hash = $1")
  let removeOfUser = StorageStatement("DELETE FROM device_codes WHERE user_id = $1")
  let removeOfUserForClient = StorageStatement("DELETE FROM device_codes WHERE user_id = $1 AND client_id = $2")
  let removeForClient = StorageStatement("DELETE FROM device_codes WHERE client_id = $1")
}

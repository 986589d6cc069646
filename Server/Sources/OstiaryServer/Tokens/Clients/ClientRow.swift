import Foundation
internal import GRDB
internal import OstiaryCore

/// A client as the database has it, with what never leaves this module.
struct ClientRow: Sendable {
  let client: Client
  private let secrets: [(hash: Data, expiresAt: Date?)]

  private init(_ row: Row, secrets: [Row]) throws {
    client = Client(
      id: row["id"], name: row["name"], isConfidential: row["is_confidential"],
      redirectURIs: try Self.decode(row["redirect_uris"]), scopes: ScopeList.decode(row["scopes"]),
      policy: try Self.decode(row["policy"], as: StoredTokenPolicy.self).policy,
      attributes: try AttributesColumn.decode(row["attributes"]), isDisabled: row["disabled"],
      createdAt: Date(timeIntervalSince1970: row["created_at"]))
    self.secrets = secrets.map { row in
      let expires: Double? = row["expires_at"]
      return (row["secret_hash"], expires.map(Date.init(timeIntervalSince1970:)))
    }
  }

  static func find(_ id: String, in db: GRDB.Database) throws -> ClientRow? {
    guard
      let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM clients WHERE id = ?"), arguments: [id])
    else { return nil }
    let secrets = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT secret_hash, expires_at FROM client_secrets WHERE client_id = ? ORDER BY id"),
      arguments: [id])
    return try ClientRow(row, secrets: secrets)
  }

  /// The row of a client that must exist.
  /// - Throws: `clientNotFound`.
  static func existing(_ id: String, in db: GRDB.Database) throws -> ClientRow {
    guard let row = try find(id, in: db) else {
      throw ServerError(.clientNotFound, "There is no client of that id.", advice: "List the clients to see their ids.")
    }
    return row
  }

  /// Whether it is one of the client's secrets. All are compared, each in constant time.
  func accepts(_ secret: Secret, at now: Date) -> Bool {
    let presented = ClientSecret.hash(presented: secret)?.data ?? Data(count: 32)
    var isRight = false
    for (hash, expiresAt) in secrets {
      let isEqual = ConstantTime.isEqual(hash, presented)
      isRight = isRight || (isEqual && expiresAt.map { now < $0 } ?? true)
    }
    return isRight
  }

  static func addSecret(_ hash: TokenHash, clientID: String, in db: GRDB.Database) throws {
    try db.execute(
      sql: "INSERT INTO client_secrets (client_id, secret_hash) VALUES (?, ?)", arguments: [clientID, hash.data])
  }

  /// Writes everything but the id, the secrets and the time.
  static func columns(_ registration: ClientRegistration) throws -> [any DatabaseValueConvertible] {
    [
      registration.name, try encode(registration.redirectURIs),
      ScopeList.encode(ScopeList.normalized(registration.scopes)),
      try encode(StoredTokenPolicy(registration.policy)), try GrantAttributes.column(registration.attributes),
    ]
  }

  private static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      throw ServerError(.storageCorrupt, "A stored client is damaged.", advice: "Restore a backup.", underlying: error)
    }
  }
}

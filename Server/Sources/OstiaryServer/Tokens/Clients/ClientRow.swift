import Foundation
internal import OstiaryCore

/// A client as the database has it, with the secrets' hashes, which never leave this module.
struct ClientRow: Sendable {
  let client: Client
  private let secrets: [(hash: Data, expiresAt: Date?)]

  private static func client(_ reader: inout ColumnReader) throws -> Client {
    Client(
      id: reader.next(), name: reader.next(), isConfidential: reader.next(),
      redirectURIs: try decode(reader.next()), scopes: ScopeList.decode(reader.next()),
      policy: try decode(reader.next(), as: StoredTokenPolicy.self).policy,
      attributes: try AttributesColumn.decode(reader.next()), isDisabled: reader.next(), createdAt: reader.next())
  }

  /// - Parameter isForUse: whether the transaction changes the client.
  static func find(_ id: String, isForUse: Bool = false, in db: StorageConnection) throws -> ClientRow? {
    let statement = isForUse ? ClientStatements.sql.findForUse : ClientStatements.sql.find
    guard let client = try db.first(statement, id, read: client) else { return nil }
    let secrets = try db.all(ClientStatements.sql.secrets, id) { reader -> (hash: Data, expiresAt: Date?) in
      (reader.next(), reader.next())
    }
    return ClientRow(client: client, secrets: secrets)
  }

  /// The row of a client that must exist, for a transaction that changes it.
  /// - Throws: `clientNotFound`.
  static func existing(_ id: String, in db: StorageConnection) throws -> ClientRow {
    guard let row = try find(id, isForUse: true, in: db) else {
      throw ServerError(.clientNotFound, "There is no client of that id.", advice: "List the clients to see their ids.")
    }
    return row
  }

  /// Whether it is one of the client's secrets. All are compared, each in constant time.
  func accepts(_ secret: Secret, at now: Date, _ permit: borrowing GuessPermit<ClientSecretGuess>) -> Bool {
    let presented = ClientSecret.hash(presented: secret)?.data ?? Data(count: 32)
    var isRight = false
    for (hash, expiresAt) in secrets {
      let isEqual = ConstantTime.isEqual(hash, presented)
      isRight = isRight || (isEqual && expiresAt.map { now < $0 } ?? true)
    }
    return isRight
  }

  static func addSecret(_ hash: TokenHash, clientID: String, in db: StorageConnection) throws {
    try db.run(ClientStatements.sql.addSecret, clientID, hash.data, ends: .client(clientID))
  }

  /// Writes a new client, without its secrets.
  static func insert(
    _ registration: ClientRegistration, id: String, isConfidential: Bool, now: Date, in db: StorageConnection
  ) throws {
    try db.run(
      ClientStatements.sql.insert, registration.name, try encode(registration.redirectURIs),
      ScopeList.encode(ScopeList.normalized(registration.scopes)), try encode(StoredTokenPolicy(registration.policy)),
      try GrantAttributes.column(registration.attributes), id, isConfidential, now)
  }

  /// Writes everything except the id, the secrets and the time of registration.
  static func update(_ registration: ClientRegistration, id: String, in db: StorageConnection) throws {
    try db.run(
      ClientStatements.sql.update, registration.name, try encode(registration.redirectURIs),
      ScopeList.encode(ScopeList.normalized(registration.scopes)), try encode(StoredTokenPolicy(registration.policy)),
      try GrantAttributes.column(registration.attributes), id, ends: .client(id))
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

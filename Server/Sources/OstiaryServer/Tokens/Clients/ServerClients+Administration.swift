import Foundation
package import OstiaryCore

/// Administration: no client or user can call these. When one returns, its change is effective in every process.
extension ServerClients {
  /// Registers a client.
  /// - Throws: `clientExists`, `clientRefused`, `clientSecretTooWeak`, `attributesTooLarge` or a storage code.
  @discardableResult
  package func register(_ registration: ClientRegistration) async throws(ServerError) -> RegisteredClient {
    let id = registration.id ?? RandomBytes.make(16).base64URL
    guard ClientRegistration.isValid(id: id) else {
      throw ServerError(
        .clientRefused, "A client can't have that id.", advice: "Use 1 to 256 printable ASCII characters, no spaces.")
    }
    let secret: Secret?
    switch registration.authentication {
    case .none: secret = nil
    case .newSecret: secret = ClientSecret.make()
    case .secret(let own): secret = own
    }
    var hash: TokenHash?
    if let secret { hash = try ClientSecret.hash(secret) }
    let now = clock.now
    let client = try await change { [hash] db, trail in
      guard try ClientRow.find(id, in: db) == nil else {
        throw ServerError(.clientExists, "A client of that id exists.", advice: "Choose another id.")
      }
      try ClientRow.insert(registration, id: id, isConfidential: hash != nil, now: now, in: db)
      if let hash { try ClientRow.addSecret(hash, clientID: id, in: db) }
      try trail.note(AuditEvent(.clientMade, client: id), in: db)
      return try ClientRow.existing(id, in: db).client
    }
    return RegisteredClient(client: client, secret: secret)
  }

  /// Changes a client's registration, except its id, its secrets and whether it has any. Its tokens stay.
  /// - Parameter change: changes the current registration. It may be called twice, and only the last call counts.
  /// - Throws: `clientNotFound`, `attributesTooLarge` or a storage code.
  @discardableResult
  package func update(
    _ id: String, _ change: @escaping @Sendable (inout ClientRegistration) -> Void
  ) async throws(ServerError) -> Client {
    try await self.change { db, trail in
      let client = try ClientRow.existing(id, in: db).client
      var registration = ClientRegistration(
        id: id, name: client.name, redirectURIs: client.redirectURIs, scopes: client.scopes, policy: client.policy,
        attributes: client.attributes, authentication: .none)
      change(&registration)
      try ClientRow.update(registration, id: id, in: db)
      try trail.note(AuditEvent(.clientChanged, client: id), in: db)
      return try ClientRow.existing(id, in: db).client
    }
  }

  /// Gives a confidential client another secret. The previous secret stays valid until it is retired, or for `overlap`;
  /// older secrets are removed.
  /// - Parameter secret: the secret, which must allow at least 112 random bits; nil for a new one of 256.
  /// - Throws: `clientNotFound`, `clientRefused` for a client without a secret, `clientSecretTooWeak` or a storage code.
  package func addSecret(
    _ secret: Secret? = nil, clientID: String, overlap: Duration? = nil
  ) async throws(ServerError) -> RegisteredClient {
    let secret = secret ?? ClientSecret.make()
    let hash = try ClientSecret.hash(secret)
    let end = overlap.map { clock.now.addingTimeInterval($0.timeInterval) }
    let client = try await change { db, trail in
      let client = try ClientRow.existing(clientID, in: db).client
      guard client.isConfidential else {
        throw ServerError(
          .clientRefused, "The client has no secret.", advice: "Register another one for programs that keep secrets.")
      }
      try Self.keepNewestSecret(of: clientID, until: end, in: db)
      try ClientRow.addSecret(hash, clientID: clientID, in: db)
      try trail.note(AuditEvent(.clientChanged, client: clientID), in: db)
      return client
    }
    return RegisteredClient(client: client, secret: secret)
  }

  /// Removes all secrets of a client except the newest.
  /// - Throws: `clientNotFound` or a storage code.
  package func retireOldSecrets(clientID: String) async throws(ServerError) {
    try await change { db, trail in
      _ = try ClientRow.existing(clientID, in: db)
      if try Self.keepNewestSecret(of: clientID, until: nil, in: db) > 0 {
        try trail.note(AuditEvent(.clientChanged, client: clientID), in: db)
      }
    }
  }

  /// Disables or enables a client. While it is disabled its tokens are refused.
  /// - Throws: `clientNotFound` or a storage code.
  @discardableResult
  package func setDisabled(_ isDisabled: Bool, clientID: String) async throws(ServerError) -> Client {
    try await change { db, trail in
      _ = try ClientRow.existing(clientID, in: db)
      try db.run(
        ClientStatements.sql.setDisabled, isDisabled, clientID, ends: .client(clientID, isDisabled: isDisabled))
      try trail.note(
        AuditEvent(isDisabled ? .clientDisabled : .clientEnabled, .administrator, client: clientID), in: db)
      return try ClientRow.existing(clientID, in: db).client
    }
  }

  /// Removes a client with its secrets and all its tokens.
  /// - Returns: whether there was one.
  /// - Throws: a storage code.
  @discardableResult
  package func remove(_ id: String) async throws(ServerError) -> Bool {
    try await change { db, trail in
      guard try ClientRow.find(id, isForUse: true, in: db) != nil else { return false }
      // They would go with the client, and after its grants.
      try db.run(ClientStatements.sql.removeCodes, id)
      try db.run(ClientStatements.sql.removeDevices, id)
      let ended = try db.all(ClientStatements.sql.endGrants, id, ends: { _ in [.client(id)] }) { EndedGrant(&$0) }
      try EndedGrant.note(ended, .clientRemoved, trail, in: db)
      try db.run(ClientStatements.sql.remove, id, ends: .client(id))
      try trail.note(AuditEvent(.clientRemoved, .administrator, client: id), in: db)
      return true
    }
  }

  /// - Returns: how many were removed.
  @discardableResult
  private static func keepNewestSecret(
    of clientID: String, until end: Date?, in db: StorageConnection
  ) throws -> Int {
    let count = try db.run(ClientStatements.sql.keepNewestSecret, clientID, ends: .client(clientID))
    if let end { try db.run(ClientStatements.sql.endSecrets, end, clientID, ends: .client(clientID)) }
    return count
  }

  func change<Value: Sendable>(
    _ body: @escaping @Sendable (StorageConnection, AuditTrail) throws -> Value
  ) async throws(ServerError) -> Value {
    defer { freshness.invalidate() }
    let trail = AuditTrail(of: storage, at: clock.now)
    return try await storage.writeEnd { db in try body(db, trail) }
  }
}

import Foundation
public import OstiaryCore

/// The device flow (RFC 8628).
extension ServerTokens {
  /// What a device has to wait longer for each poll that came too early (RFC 8628 §3.5).
  private static let slowDown: TimeInterval = 5
  /// A device's request is known for this long after its end, so that the device hears of it.
  private static let deviceMemory: TimeInterval = 3600

  /// Gives a device a code to poll with and one for a person to type.
  /// - Parameters:
  ///   - request: as ``issue(_:)``; its user is left out of account.
  ///   - interval: how long the device has to wait between two polls.
  ///   - lifetime: how long somebody may take to decide.
  ///   - codePrefix: what the device code begins with.
  /// - Throws: `attributesTooLarge` or a storage code.
  public func beginDevice(
    _ request: GrantRequest, interval: Duration = .seconds(5), lifetime: Duration = .seconds(600),
    codePrefix: String = "ost_dc_"
  ) async throws(ServerError) -> DeviceAuthorization {
    let pending = try PendingGrant(request)
    let code = TokenHash.newText(prefix: codePrefix)
    guard let hash = TokenHash(presented: Secret(code)) else {
      throw ServerError(.attributesTooLarge, "A code's prefix is too long.", advice: "Use 64 bytes at most.")
    }
    let now = clock.now
    let expiry = now.addingTimeInterval(lifetime.timeInterval)
    let clientID = request.client.id
    let isHousekeepingDue = housekeeping.isDue(now: now)
    let trail = AuditTrail(of: storage, at: now)
    let userCode = try await storage.writeTogether { db in
      var userCode = UserCode.make()
      // One of 25 billion: twice in a row it isn't taken.
      if try Self.isTaken(userCode, in: db) { userCode = .make() }
      try db.run(
        DeviceStatements.sql.insert, hash.data, userCode.hash.data, clientID, try pending.encoded(),
        interval.timeInterval, expiry, expiry.addingTimeInterval(Self.deviceMemory))
      try trail.note(AuditEvent(.deviceAsked, client: clientID), in: db)
      if isHousekeepingDue { try TokenHousekeeping.removeExpired(now: now, trail, in: db) }
      return userCode
    }
    return DeviceAuthorization(
      deviceCode: Secret(code), userCode: userCode.text, interval: interval, expiresAt: expiry)
  }

  /// The device that waits for a decision under that code, to be shown to the person who has typed it. The door limits
  /// how often one may try (RFC 8628 §5.1).
  /// - Throws: a storage code.
  public func device(userCode: String) async throws(ServerError) -> DeviceRequest? {
    guard let code = UserCode(userCode) else { return nil }
    let now = clock.now
    return try await storage.read { db in
      try DeviceRow.findPending(code, now: now, in: db).map { row in
        DeviceRequest(clientID: row.clientID, scopes: row.pending.scopes, attributes: row.pending.attributes)
      }
    }
  }

  /// Lets the device in as `user`.
  /// - Returns: whether it was still waiting.
  /// - Throws: a storage code.
  @discardableResult
  public func approveDevice(userCode: String, user: User) async throws(ServerError) -> Bool {
    try await decide(userCode, .approved, user)
  }

  /// Keeps the device out.
  /// - Returns: whether it was still waiting.
  /// - Throws: a storage code.
  @discardableResult
  public func denyDevice(userCode: String) async throws(ServerError) -> Bool {
    try await decide(userCode, .denied, nil)
  }

  /// A device asks what has been decided.
  /// - Parameter client: who polls, authenticated.
  /// - Throws: a storage code.
  public func pollDevice(code: Secret, client: Client) async throws(ServerError) -> DeviceDecision {
    let issuer = issuer(for: client)
    guard let hash = TokenHash(presented: code) else {
      _ = try await refused(.unknown, issuer)
      return .refused(.unknown)
    }
    let (decision, waiting) = try await issue(kind: "device code", for: issuer) {
      db -> (RefreshTokenUse.Outcome, DeviceDecision?) in
      guard let row = try DeviceRow.find(hash, in: db) else { return (.refused(.unknown), nil) }
      guard row.clientID == client.id else { return (.refused(.otherClient), nil) }
      if let decision = try Self.poll(row, hash, now: issuer.now, in: db) { return (.refused(.unknown), decision) }
      if let obstacle = try issuer.obstacle(row.user, in: db) { return (.refused(obstacle), nil) }
      let user = try row.user.flatMap { try UserRow.find(id: $0.id, in: db)?.user }
      try Self.remove(hash, in: db)
      return (.issued(try issuer.issue(row.pending, user: user, in: db)), nil)
    } cause: { refusal, waiting in
      // What is to be asked for again has not been refused.
      if let waiting { AuditCause(waiting) } else { AuditCause(refusal) }
    }
    if let waiting { return waiting }
    switch decision {
    case .issued(let tokens): return .issued(tokens)
    case .refused(let refusal): return .refused(refusal)
    }
  }

  /// What a device is told that gets no tokens; nothing if somebody has let it in.
  private static func poll(
    _ row: DeviceRow, _ hash: TokenHash, now: Date, in db: StorageConnection
  ) throws -> DeviceDecision? {
    guard now < row.expiresAt else { return .expired }
    switch row.state {
    case .approved: return nil
    case .denied:
      try remove(hash, in: db)
      return .denied
    case .pending:
      let interval = row.isTooEarly(at: now) ? row.interval + slowDown : row.interval
      try db.run(DeviceStatements.sql.poll, now, interval, hash.data)
      return interval > row.interval ? .slowDown(interval: .seconds(interval)) : .pending
    }
  }

  private func decide(_ userCode: String, _ state: DeviceRow.State, _ user: User?) async throws(ServerError) -> Bool {
    guard let code = UserCode(userCode) else { return false }
    let now = clock.now
    let trail = AuditTrail(of: storage, at: now)
    return try await storage.writeTogether { db in
      if let user, try UserRow.find(id: user.id, in: db) == nil { return false }
      let isKnown =
        try db.run(
          DeviceStatements.sql.decide, state.rawValue, user?.id, user?.generation, code.hash.data, now) > 0
      if isKnown { try trail.note(AuditEvent(user == nil ? .consentRefused : .consentGiven, user: user?.id), in: db) }
      return isKnown
    }
  }

  private static func isTaken(_ code: UserCode, in db: StorageConnection) throws -> Bool {
    try db.exists(DeviceStatements.sql.withUserCode, code.hash.data)
  }

  private static func remove(_ hash: TokenHash, in db: StorageConnection) throws {
    try db.run(DeviceStatements.sql.remove, hash.data)
  }
}

import Foundation
package import OstiaryCore

/// The device flow (RFC 8628).
extension ServerTokens {
  /// The time added to a device's interval for each poll that came too early (RFC 8628 §3.5).
  private static let slowDown: TimeInterval = 5
  /// A device's request is remembered for this long after its end: the device has to get the answer.
  private static let deviceMemory: TimeInterval = 3600

  /// The most devices, including those that are remembered after their end. No client has more of them than it leaves free.
  static let mostDevices = 20_000
  /// Devices of one client that may ask from one address at once, and the time after which one more may ask; see `GuessBudget`
  /// for the wider networks around it.
  static let deviceAsks = GuessRules.Bucket(burst: 20, interval: 30)

  /// Gives a device a code to poll with and one for a person to type.
  /// - Parameters:
  ///   - request: as for ``issue(_:)``; its user is ignored.
  ///   - interval: how long the device has to wait between two polls.
  ///   - lifetime: how long the user may take to decide.
  ///   - codePrefix: the prefix of the device code.
  ///   - source: the source of the device's request.
  /// - Throws: `overloaded` with a time to retry if that network, that client or all together ask for too many;
  ///   `attributesTooLarge` or a storage code.
  func beginDevice(
    _ request: GrantRequest, interval: Duration = .seconds(5), lifetime: Duration = .seconds(600),
    codePrefix: String = "ost_dc_", from source: GuessSource = .unknown
  ) async throws(ServerError) -> IssuedDeviceCodes {
    let pending = try PendingGrant(request)
    let code = TokenHash.newText(prefix: codePrefix)
    guard let hash = TokenHash(presented: Secret(code)) else {
      throw ServerError(.attributesTooLarge, "A code's prefix is too long.", advice: "Use 64 bytes at most.")
    }
    let now = clock.now
    let expiry = now.addingTimeInterval(lifetime.timeInterval)
    let clientID = request.client.id
    let isHousekeepingDue = housekeeping.isDue(now: now)
    let pauses = outages.pauses(until: now)
    let trail = AuditTrail(of: storage, at: now)
    let begun = try await storage.writeTogether { [guesses] db -> BegunDevice in
      let wait = try guesses.ask(
        "device", subject: Data(clientID.utf8), from: source, Self.deviceAsks, now: now, in: db)
      if let wait { return .refused(.tooManyAttempts, wait) }
      guard try Self.makeRoom(forClient: clientID, now: now, in: db) else { return .refused(.overloaded, .seconds(60)) }
      var userCode = UserCode.make()
      // At most 20,000 of 10^13 codes are taken: a second code is practically never taken too.
      if try Self.isTaken(userCode, in: db) { userCode = .make() }
      try db.run(
        DeviceStatements.sql.insert, hash.data, userCode.hash.data, clientID, try pending.encoded(),
        interval.timeInterval, expiry, expiry.addingTimeInterval(Self.deviceMemory))
      try trail.note(AuditEvent(.deviceAsked, client: clientID), in: db)
      if isHousekeepingDue { try TokenHousekeeping.removeExpired(now: now, pauses, trail, in: db) }
      return .code(userCode)
    }
    let userCode: UserCode
    switch begun {
    case .code(let code): userCode = code
    case .refused(let cause, let wait):
      try await storage.noteRefusal(AuditEvent(.grantRefused, cause, client: clientID), trail)
      throw ServerError(
        .overloaded, "Too many devices ask to be let in.", advice: "Try again later.", retryAfter: wait)
    }
    return IssuedDeviceCodes(
      deviceCode: Secret(code), userCode: userCode.text, interval: interval, expiresAt: expiry)
  }

  /// The answer to a device that asks for a code.
  private enum BegunDevice: Sendable {
    case code(UserCode)
    case refused(AuditCause, Duration)
  }

  /// Whether there is room for one more device of a client, after removing those that have ended.
  private static func makeRoom(forClient id: String, now: Date, in db: StorageConnection) throws -> Bool {
    func hasRoom() throws -> Bool {
      let total = try db.count(DeviceStatements.sql.total, mostDevices)
      return try db.count(DeviceStatements.sql.ofClient, id, mostDevices) < mostDevices - total
    }
    if try hasRoom() { return true }
    try db.run(DeviceStatements.sql.removeEnded, now)
    return try hasRoom()
  }

  /// The device that waits for a decision under that code, to be shown to the user who has typed it. A wrong code is
  /// counted for the user and for its source (RFC 8628 §5.1).
  /// - Throws: a storage code.
  func device(
    userCode: String, typedBy user: User, from source: GuessSource
  ) async throws(ServerError) -> GuessOutcome<DeviceRequest> {
    try await look(userCode, user, source) { code, now, db, permit in
      try DeviceRow.findPending(code, now: now, in: db, permit).map { row in
        DeviceRequest(clientID: row.clientID, scopes: row.pending.scopes, attributes: row.pending.attributes)
      }
    }
  }

  /// Approves or refuses the device as `user`. The code is counted as a wrong one if the device no longer waits, unless it waits to be
  /// told the same decision.
  /// - Throws: a storage code.
  func decideDevice(
    userCode: String, isAllowed: Bool, by user: User, from source: GuessSource
  ) async throws(ServerError) -> GuessOutcome<Bool> {
    let trail = AuditTrail(of: storage, at: clock.now)
    return try await look(userCode, user, source) { code, now, db, permit in
      guard try UserRow.findForUse(id: user.id, in: db) != nil else { return nil }
      let state: DeviceRow.State = isAllowed ? .approved : .denied
      let owner = isAllowed ? user : nil
      guard try DeviceRow.decide(code, state, owner, now: now, in: db, permit) else {
        // A form that is sent twice has the first one's answer.
        return try DeviceRow.isDecided(code, state, owner, now: now, in: db, permit) ? true : nil
      }
      try trail.note(AuditEvent(isAllowed ? .consentGiven : .consentRefused, user: user.id), in: db)
      return true
    }
  }

  /// A text that can't be a code is not counted as a guess.
  private func look<Value: Sendable>(
    _ userCode: String, _ user: User, _ source: GuessSource,
    _ verify:
      @escaping @Sendable (UserCode, Date, StorageConnection, borrowing GuessPermit<UserCodeGuess>) throws ->
      Value?
  ) async throws(ServerError) -> GuessOutcome<Value> {
    guard let code = UserCode(userCode) else { return .wrong }
    let now = clock.now
    let guess = Guess<UserCodeGuess>(subject: Data(user.id.utf8), source: source)
    return try await storage.write { [guesses] db in
      try guesses.look(at: guess, account: user.deviceAccount, now: now, in: db) { permit in
        try verify(code, now, db, permit)
      }
    }
  }

  /// A device polls for the decision.
  /// - Parameter client: the client that polls, authenticated.
  /// - Throws: a storage code.
  package func pollDevice(code: Secret, client: Client) async throws(ServerError) -> DeviceDecision {
    let issuer = issuer(for: client)
    guard let hash = TokenHash(presented: code) else {
      _ = try await refused(.unknown, issuer)
      return .refused(.unknown)
    }
    let (decision, waiting) = try await issue(kind: "device code", for: issuer) {
      db -> (RefreshTokenUse.Outcome, DeviceDecision?) in
      guard let found = try DeviceRow.find(hash, in: db) else { return (.refused(.unknown), nil) }
      guard found.clientID == client.id else { return (.refused(.otherClient), nil) }
      // What an approved device belongs to is locked before it: see StorageStatement.locking.
      let admission = try found.state == .approved ? issuer.admit(found.user, in: db) : nil
      guard let row = try DeviceRow.findForUse(hash, in: db) else { return (.refused(.unknown), nil) }
      if let decision = try Self.poll(row, hash, now: issuer.now, in: db) { return (.refused(.unknown), decision) }
      // It was not found approved, and is now: the next poll has the tokens.
      guard let admission else { return (.refused(.unknown), .pending) }
      guard case .admitted(let user) = admission else {
        return (.refused(admission.obstacle ?? .userChanged), nil)
      }
      try Self.remove(hash, in: db)
      return (.issued(try issuer.issue(row.pending, user: user, in: db)), nil)
    } cause: { refusal, waiting in
      // A poll that may be repeated has not been refused.
      if let waiting { AuditCause(waiting) } else { AuditCause(refusal) }
    }
    if let waiting { return waiting }
    switch decision {
    case .issued(let tokens): return .issued(tokens)
    case .refused(let refusal): return .refused(refusal)
    }
  }

  /// The answer to a device that gets no tokens; nil if a user has approved it.
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

  private static func isTaken(_ code: UserCode, in db: StorageConnection) throws -> Bool {
    try db.exists(DeviceStatements.sql.withUserCode, code.hash.data)
  }

  private static func remove(_ hash: TokenHash, in db: StorageConnection) throws {
    try db.run(DeviceStatements.sql.remove, hash.data)
  }
}

import Foundation
import HTTPTypes
import OstiaryCore

extension FlowService {
  /// A new password after a right code. It signs no user in: the user signs in afterwards with all that this requires.
  func setPassword(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    let hash = try await identity.newHash(
      Secret(values["new_password"] ?? ""),
      refusal: AuditEvent(.passwordRefused, .overloaded, user: known.row?.userID))
    let now = now
    let trail = AuditTrail(of: storage, at: now)
    let (outcome, changed) = try await settleAndTell(known, client) { db -> (outcome: FlowOutcome, rest: User?) in
      guard var row = try FlowRow.findForUse(known.key, in: db), row.step == .password else {
        return (outOfOrder(known, client, row: try FlowRow.find(known.key, in: db)), nil)
      }
      // Too late: the flow starts again, however often this is sent.
      guard now < row.codeExpiresAt else {
        return (try fresh(.recover, .flowExpired, .gone, client, after: known.token), nil)
      }
      row.step = .done
      try row.update(in: db)
      guard let id = row.userID, let generation = row.generation,
        let user = try identity.replacePassword(ofUser: id, generation: generation, with: hash, now: now, trail, in: db)
      else { return (outOfOrder(known, client, row: row), nil) }
      try db.run(UserStatements.sql.verifyEmail, now, id, ends: .user(id))
      try ServerTokens.endAll(ofUserID: id, .passwordChanged, trail, in: db)
      try tell(user, known, now: now, in: db)
      return (advanced(known, row, client, FlowIssue(.passwordChanged)), user)
    }
    guard let user = changed ?? nil else { return outcome }
    identity.forgetSessions(ofUser: user.id)
    dispatcher?.ring()
    identity.audit.record(
      "password changed", pathway: "account.recover", target: user.name, address: ClientAddress(client.address),
      requestID: client.requestID, at: now)
    return outcome
  }

  private func tell(_ user: User, _ known: Known, now: Date, in db: StorageConnection) throws {
    guard dispatcher != nil, let address = user.email.flatMap(MailAddress.init) else { return }
    try outbox.add(
      mails.passwordChanged(to: address, in: known.texts), isBlank: false, now: now,
      expiresAt: now.addingTimeInterval(3 * 24 * 3600),
      in: db)
  }

  /// Saves the user's name to show.
  func save(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let user = client.user else { return outOfOrder(known, client) }
    let name = try PersonName.validated(values["display_name"] ?? "")
    let now = now
    let trail = AuditTrail(of: storage, at: now)
    let outcome = try await settle(known, client) { db in
      if try db.run(UserStatements.sql.setDisplayName, name, now, user.id, ends: .user(user.id)) > 0 {
        try trail.note(AuditEvent(.accountChanged, .requestedByApp, user: user.id), in: db)
      }
      let changed = try UserRow.find(id: user.id, in: db)?.user
      var outcome = FlowOutcome(
        document(known.text, known.token, step: .settings, turn: known.turn, user: changed))
      outcome.document.issues.append(FlowIssue(.profileSaved))
      return outcome
    }
    identity.forgetSessions(ofUser: user.id)
    return outcome
  }

  /// A new password in place of the current one, which the user has to enter and which counts like any other attempt.
  /// Every session ends; this client gets a new one.
  func changePassword(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let user = client.user else { return outOfOrder(known, client) }
    let refused = refusal([FlowProblem("current_password", .passwordWrong)], known, client)
    let decision = await identity.verify(
      PasswordAttempt(
        username: user.name, tenant: user.tenant, password: Secret(values["current_password"] ?? ""),
        source: client.source, pathway: "account.profile", requestID: client.requestID,
        keepRefusal: keeping(refused, known)))
    let verified: User
    switch decision {
    case .accepted(let found): verified = found
    case .refused: return try await meanwhile(known, client) ?? refused
    case .wait(let delay): return try await meanwhile(known, client) ?? wait(delay, known, client, keeping: [:])
    case .overloaded(let delay):
      var outcome = refusal(.overloaded, .serviceUnavailable, known, client)
      outcome.retryAfter = delay
      return outcome
    case .unavailable(let error): throw error
    }
    let hash = try await identity.newHash(
      Secret(values["new_password"] ?? ""), refusal: AuditEvent(.passwordRefused, .overloaded, user: verified.id))
    let now = now
    let row = FlowRow(key: known.key, kind: .profile, step: .done, now: now, expiresAt: known.token.expiresAt)
    let trail = AuditTrail(of: storage, at: now)
    let (outcome, changed) = try await settleAndTell(known, client) { db -> (outcome: FlowOutcome, rest: User?) in
      guard try row.insert(in: db) else { return (outOfOrder(known, client, row: row), nil) }
      try FlowHousekeeping.run(now: now, in: db)
      let changed = try identity.replacePassword(
        ofUser: verified.id, generation: verified.generation, with: hash, now: now, trail, in: db)
      guard let changed else { return (outOfOrder(known, client, row: row), nil) }
      try ServerTokens.endAll(ofUserID: changed.id, .passwordChanged, trail, in: db)
      try tell(changed, known, now: now, in: db)
      return (try signedIn(changed, known, row, client, FlowIssue(.passwordChanged), trail, in: db), changed)
    }
    guard let user = changed ?? nil else { return outcome }
    identity.forgetSessions(ofUser: user.id)
    dispatcher?.ring()
    return outcome
  }
}

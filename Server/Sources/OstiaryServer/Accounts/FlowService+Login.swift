import Foundation
import HTTPTypes
import OstiaryCore

extension FlowService {
  /// Name and password. Unknown, wrong, disabled and without a password get the same answer, after the same amount of
  /// work; see ``IdentityService``.
  func login(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    let refused = refusal(.credentialsWrong, .unprocessableContent, known, client, keeping: values)
    let decision = try await verify(
      values["identifier"] ?? "", Secret(values["password"] ?? ""), client, keepRefusal: keeping(refused, known))
    switch decision {
    case .accepted(let user): return try await signIn(user, known, client)
    case .refused: return try await meanwhile(known, client) ?? refused
    case .wait(let delay): return try await meanwhile(known, client) ?? wait(delay, known, client, keeping: values)
    case .overloaded(let delay):
      var outcome = refusal(.overloaded, .serviceUnavailable, known, client, keeping: values)
      outcome.retryAfter = delay
      return outcome
    case .unavailable(let error): throw error
    }
  }

  private func signIn(_ user: User, _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    let now = now
    let row = FlowRow(key: known.key, kind: .login, step: .done, now: now, expiresAt: known.token.expiresAt)
    let trail = AuditTrail(of: storage, at: now)
    do {
      return try await settle(known, client) { db in
        try FlowHousekeeping.run(now: now, in: db)
        guard try row.insert(in: db) else { return outOfOrder(known, client, row: row) }
        return try signedIn(user, known, row, client, FlowIssue(.signedIn), trail, in: db)
      }
    } catch let error as ServerError where error.code == .userChanged {
      // Disabled or given another password since the password was verified.
      try await storage.writeTogether { db in
        try trail.note(AuditEvent(.sessionRefused, .userChanged, user: user.id), in: db)
      }
      return try fresh(.login, .sessionRequired, .conflict, client, after: known.token)
    }
  }
  /// Verifies a password, with all limits and events.
  func verify(
    _ name: String, _ password: Secret, _ client: FlowClient,
    keepRefusal: (@Sendable (StorageConnection) throws -> Bool)? = nil
  ) async throws -> LoginDecision {
    let exact = try await identity.user(loginName: name, tenants: [nil])
    var (user, typed) = (exact, name)
    // Keyboards put a space behind a name that they complete. Which statements are executed depends on what was typed alone.
    let plain = NameText.withoutPadding(name)
    if !plain.utf8.elementsEqual(name.utf8) {
      let other = try await identity.user(loginName: plain, tenants: [nil])
      // Guesses count for the name, however it is padded.
      if exact == nil { (user, typed) = (other, plain) }
    }
    return await identity.verify(
      PasswordAttempt(
        username: user?.name ?? typed, typed: typed, password: password, source: client.source,
        pathway: "account.login", requestID: client.requestID, keepRefusal: keepRefusal))
  }
}

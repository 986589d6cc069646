import Foundation
import HTTPTypes
import OstiaryCore

extension FlowService {
  /// Name and password. Unknown, wrong, disabled and without a password get the same answer, after the same amount of
  /// work; see ``IdentityService``.
  func login(_ values: [String: String], _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    let name = values["identifier"] ?? ""
    let user = try await identity.user(loginName: name, tenants: [nil])
    let decision = await identity.verify(
      PasswordAttempt(
        username: user?.name ?? name, typed: name, password: Secret(values["password"] ?? ""), source: client.source,
        pathway: "account.login", requestID: client.requestID))
    switch decision {
    case .accepted(let user):
      let row = FlowRow(
        key: known.key, kind: .login, step: .done, now: now, expiresAt: known.token.expiresAt)
      let isFirst = try await storage.write { [now] db in
        try FlowHousekeeping.run(now: now, in: db)
        return try row.insert(in: db)
      }
      guard isFirst else { return outOfOrder(known, client, row: row) }
      return signedIn(user, known, row, client, FlowIssue(.signedIn))
    case .refused: return refusal(.credentialsWrong, .unprocessableContent, known, client, keeping: values)
    case .wait(let delay): return wait(delay, known, client, keeping: values)
    case .overloaded(let delay):
      var outcome = refusal(.overloaded, .serviceUnavailable, known, client, keeping: values)
      outcome.retryAfter = delay
      return outcome
    case .unavailable(let error): throw error
    }
  }
}

import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Planted secrets", .timeLimit(.minutes(20)))
struct PlantedSecretsTests {
  @Test("Nothing that prints shows a token, a password or a secret")
  func planted() async throws {
    let stub = SalesforceStub(rotates: true)
    var members = stub.issue(refreshToken: true)
    members["sfdc_community_id"] = "0DBx000000000Xy"
    let secrets = [members["access_token"], members["refresh_token"], "planted-password", "planted-secret"]
      .compactMap { $0 }
    let tokens = try required(SalesforceTokens(members, clientID: "app"))
    let connection = try SalesforceConnection(tokens, transport: stub.transport, clock: stub.clock)
    let service = stub.service()
    try await service.set(SalesforceSettings(tokens))
    let accounts = stub.accounts()
    let account = try await accounts.signIn(with: .proof(tokens.proof))
    var authenticator = try SalesforceAuthenticator(
      host: .production, clientID: "app", authentication: .secretPost("planted-secret"))
    authenticator.passwords = .insecureUsernamePassword(securityToken: "planted-secret")
    stub.state.withLock { state in
      state.alter = { members in
        .json(
          ["error": "invalid_grant", "error_description": .string("no planted-password planted-secret \(members)")],
          status: .badRequest)
      }
    }
    let errors: [OstiaryError?] = [
      await failure {
        try await authenticator.signIn(with: .password(username: "ann", password: "planted-password"), in: stub.context)
      },
      await failure {
        try await SalesforceIdentityService.document(
          for: tokens, in: AuthenticationContext(transport: ScriptedTransport()))
      },
    ]
    let session = try required(account.connection.manager.current)
    let printed: [Any] = [
      tokens, SalesforceSettings(tokens), connection, service, service.settings as Any, service.currentState, accounts,
      account, authenticator, authenticator.passwords, tokens.proof, session, errors,
      authenticator.attachment(for: session),
      account.connection.manager.history, SalesforcePush.Device(token: Data([1]), bundle: "app"), connection.push,
    ]
    var text = printed.map { "\($0) \(String(reflecting: $0))" }.joined(separator: "\n")
    for value in printed { dump(value, to: &text) }
    for secret in secrets { #expect(!text.contains(secret)) }
    #expect(errors.allSatisfy { $0 != nil })
  }
}

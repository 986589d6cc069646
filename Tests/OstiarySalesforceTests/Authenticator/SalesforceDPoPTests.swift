import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

@Suite("Salesforce: tokens that are bound to a key", .timeLimit(.minutes(20)))
struct SalesforceDPoPTests {
  /// An org that takes nothing without a proof.
  private final class Org: Sendable {
    struct State: Sendable {
      var number = 0
      var instance = "https://na1.salesforce.com"
      var good = ""
      var refused: [String] = []
      var thumbprints: [String] = []
      var hosts: [String] = []
    }
    let clock = ManualClock()
    let transport: ScriptedTransport
    let state = Locked(State())

    init() {
      transport = ScriptedTransport(clock: clock)
      transport.on(.post, "/services/oauth2/token") { [self] request in
        guard proves(request, token: nil) else { return .json(["error": "invalid_dpop_proof"], status: .badRequest) }
        return state.withLock { state in
          state.number += 1
          state.good = "access-\(state.number)"
          return .json([
            "access_token": .string(state.good), "refresh_token": "refresh", "token_type": "DPoP",
            "instance_url": .string(state.instance), "id": .string(SalesforceStub.Person.ann.identityURL),
          ])
        }
      }
      transport.on(.get, "/services/data/v58.0/limits") { [self] in call($0) { .json(["ok": true]) } }
      transport.on(.get, "/id/\(SalesforceStub.Person.ann.org)/\(SalesforceStub.Person.ann.id)") { [self] in
        call($0) {
          let ann = SalesforceStub.Person.ann
          return .json([
            "id": .string(ann.identityURL), "user_id": .string(ann.id), "organization_id": .string(ann.org),
            "username": .string(ann.username), "display_name": "Ann", "active": true,
          ])
        }
      }
    }

    private func call(_ request: TransportRequest, _ answer: () -> TransportResponse) -> TransportResponse {
      let field = request.head.headerFields[.authorization] ?? ""
      let token = field.hasPrefix("DPoP ") ? String(field.dropFirst(5)) : ""
      guard proves(request, token: token), token == state.withLock({ $0.good }) else {
        return SalesforceStub.failure("INVALID_SESSION_ID")
      }
      state.withLock { $0.hosts.append(request.head.authority ?? "") }
      return answer()
    }

    private func proves(_ request: TransportRequest, token: String?) -> Bool {
      let name = HTTPField.Name("DPoP") ?? .authorization
      let address = "https://\(request.head.authority ?? "")\(request.head.path ?? "")"
      do {
        let proof = try DPoPProofVerifier().verify(
          request.head.headerFields[name] ?? "",
          for: .init(method: request.head.method.rawValue, address: address, accessToken: token.map { Secret($0) }),
          at: clock.now)
        state.withLock { $0.thumbprints.append(proof.thumbprint) }
        return true
      } catch {
        state.withLock { $0.refused.append("\(address): \(error)") }
        return false
      }
    }

    func manager(_ store: any SessionStore = EphemeralStore()) throws -> SessionManager {
      var authenticator = try SalesforceAuthenticator(
        host: .production, clientID: SalesforceStub.clientID,
        flow: OAuthFlow(needsPerson: true) { client, context in
          try await client.tokens(forGrant: "authorization_code", parameters: ["code": "c"], in: context)
        })
      authenticator.dpop = DPoP()
      return SessionManager(
        authenticator: authenticator, transport: transport, credentials: .byHandler, store: store, clock: clock)
    }
  }

  @Test("DPoP-18: a sign-in, calls, the identity service, and a refresh that moves the org: all with one key")
  func life() async throws {
    let org = Org()
    let manager = try org.manager()
    let connection = SalesforceConnection(manager)
    let call = SalesforceCall.get("/services/data/v58.0/limits")
    #expect(try await connection.send(call).status == .ok)
    try await connection.verify()
    org.state.withLock { state in
      state.good = "none"
      state.instance = "https://na2.salesforce.com"
    }
    #expect(try await connection.send(call).status == .ok)
    let state = org.state.withLock { $0 }
    #expect(state.number == 2)
    #expect(state.hosts.first == "na1.salesforce.com" && state.hosts.last == "na2.salesforce.com")
    #expect(state.refused == [])
    #expect(Set(state.thumbprints).count == 1)
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.proofKey] != nil)
    // A request to where the org was goes where it is, and is proven for that.
    let old = try #require(URL(string: "https://na1.salesforce.com/services/data/v58.0/limits"))
    #expect(try await AuthenticatedTransport(manager).get(old).status == .ok)
    #expect(org.state.withLock { $0.hosts.last } == "na2.salesforce.com")
    #expect(org.state.withLock { $0.refused } == [])
  }

  @Test("DPoP-18: tokens that are handed over are shown with their key, and keep it")
  func handedOver() async throws {
    let org = Org()
    let first = try org.manager()
    let session = try await first.session()
    var proof = session.proof
    for name in [SalesforceTokens.Name.instanceURL, SalesforceTokens.Name.identityURL] {
      proof.tokens[name] = session.attributes[name]?.string.map { Secret($0) }
    }
    let manager = try org.manager()
    try await manager.signIn(with: .proof(proof))
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.proofKey] == proof.tokens[OAuthAuthenticator.proofKey])
    let connection = SalesforceConnection(manager)
    #expect(try await connection.send(.get("/services/data/v58.0/limits")).status == .ok)
    #expect(org.state.withLock { $0.refused } == [])
  }
}

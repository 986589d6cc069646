import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct ScriptedServerTests {
  private let authenticator = ScriptedAuthenticator()
  private let clock = ManualClock()

  private func context(_ transport: any Transport) -> AuthenticationContext {
    AuthenticationContext(transport: transport, clock: clock)
  }

  private func session(_ grant: SessionGrant) -> Session {
    Session(kind: authenticator.kind, server: authenticator.server, version: .init(), grant: grant, issuedAt: clock.now)
  }

  private func signIn(_ user: String, _ password: Secret, _ transport: any Transport) async throws -> Session {
    session(try await authenticator.signIn(with: .password(username: user, password: password), in: context(transport)))
  }

  private func request(_ session: Session, _ transport: any Transport) async throws -> TransportResponse {
    var head = try HTTPRequest(to: authenticator.server.appending(path: "work"))
    for field in authenticator.attachment(for: session).fields { head.headerFields.append(field) }
    return try await transport.send(TransportRequest(head))
  }

  @Test("The whole life of a session")
  func life() async throws {
    let server = ScriptedServer(clock: clock, lifetime: .seconds(60), clockOffset: 7)
    let transport = server.transport()
    let first = try await signIn("ann", "apple", transport)
    #expect(first.user.id == "ann")
    #expect(first.expiresAt == clock.now.addingTimeInterval(60))
    #expect(abs(first.clockSkew - 7) < 0.001)
    #expect(try await request(first, transport).status == .ok)
    clock.advance(by: .seconds(60))
    let refused = try await request(first, transport)
    #expect(refused.status == .unauthorized)
    let judged = authenticator.judge(refused, to: TransportRequest(try HTTPRequest(to: authenticator.server)))
    #expect(judged == .rejected(reason: "the server answered 401", mayHaveExecuted: false))

    guard case .renewed(let grant) = try await authenticator.renew(first, in: context(transport)) else {
      Issue.record("not renewed")
      return
    }
    let second = session(grant)
    #expect(second.proof.tokens["access"] != first.proof.tokens["access"])
    #expect(try await request(second, transport).status == .ok)
    guard case .valid = try await authenticator.verify(second, in: context(transport)) else {
      Issue.record("not valid")
      return
    }
    try await authenticator.end(second, in: context(transport))
    #expect(server.signedInUsers.isEmpty)
    try await authenticator.end(second, in: context(transport))
    guard case .invalid = try await authenticator.verify(second, in: context(transport)) else {
      Issue.record("still valid")
      return
    }
    let counts = server.counts
    #expect((counts.signIns, counts.renewals, counts.signOuts) == (1, 1, 1))
    #expect((counts.executed, counts.verifications, counts.refused) == (2, 1, 3))
    #expect(server.executed(for: "ann") == 2)
  }

  @Test("A renewal token presented twice ends the session; the refusal is terminal")
  func reuse() async throws {
    let server = ScriptedServer(clock: clock)
    let transport = server.transport()
    let session = try await signIn("ann", "apple", transport)
    let other = try await signIn("ben", "banana", transport)
    _ = try await authenticator.renew(session, in: context(transport))
    let error = await #expect(throws: OstiaryError.self) {
      try await authenticator.renew(session, in: context(transport))
    }
    #expect(error?.disposition == .terminal)
    #expect(server.counts.reusedRenewalTokens == 1)
    #expect(server.signedInUsers == ["ben"])
    #expect(try await request(other, transport).status == .ok)
  }

  @Test("Expired tokens can be renewed, dropped sessions can't")
  func expiredAndDropped() async throws {
    let server = ScriptedServer(clock: clock)
    let transport = server.transport()
    let session = try await signIn("ann", "apple", transport)
    server.expireAccessTokens()
    #expect(try await request(session, transport).status == .unauthorized)
    guard case .renewed(let grant) = try await authenticator.renew(session, in: context(transport)) else {
      Issue.record("not renewed")
      return
    }
    server.dropSessions(of: "nobody")
    #expect(server.signedInUsers == ["ann"])
    server.dropSessions(of: "ann")
    let renewed = self.session(grant)
    await #expect(throws: OstiaryError(.interactionRequired, "")) {
      try await authenticator.renew(renewed, in: context(transport))
    }
    #expect(server.counts.refusedRenewals == 1)
  }

  @Test("Wrong passwords and locked accounts are terminal, everything else is not")
  func refusals() async throws {
    let server = ScriptedServer(clock: clock)
    let transport = server.transport()
    await #expect(throws: OstiaryError(.invalidCredentials, "")) { try await signIn("ann", "wrong", transport) }
    await #expect(throws: OstiaryError(.invalidCredentials, "")) { try await signIn("zoe", "apple", transport) }
    server.setPassword("zebra", for: "zoe")
    _ = try await signIn("zoe", "zebra", transport)
    server.lockAccount("zoe")
    await #expect(throws: OstiaryError(.accountLocked, "")) { try await signIn("zoe", "zebra", transport) }
    #expect(server.counts.refusedSignIns == 3)
    let faults: [(Fault, OstiaryError.Code)] = [
      (.status(.serviceUnavailable, headerFields: [.retryAfter: "9"]), .serverUnavailable),
      (.status(.tooManyRequests), .serverUnavailable), (.redirect(to: "/login"), .unexpectedResponse),
      (.page("<html>"), .unexpectedResponse), (.garble(seed: 1), .unexpectedResponse),
      (.dropAfterServerActed, .connectionLost), (.status(.badRequest), .unexpectedResponse),
    ]
    for (fault, code) in faults {
      let session = try await signIn("ann", "apple", transport)
      transport.inject(fault)
      for attempt in [
        { _ = try await signIn("ann", "apple", transport) },
        { _ = try await authenticator.verify(session, in: context(transport)) },
        { _ = try await authenticator.renew(session, in: context(transport)) },
      ] {
        let error = await #expect(throws: OstiaryError.self, "\(fault)") { try await attempt() }
        #expect(error?.code == code, "\(fault)")
        #expect(error?.isTransient == true, "\(fault)")
        if code == .serverUnavailable, case .respond(let response) = fault {
          #expect(error?.retryAfter == (response.head.headerFields[.retryAfter] == nil ? nil : .seconds(9)))
        }
      }
      transport.setFaults()
    }
  }

  @Test("Ready-made proof is checked before it is believed")
  func proof() async throws {
    let server = ScriptedServer(clock: clock)
    let transport = server.transport()
    let session = try await signIn("ann", "apple", transport)
    let grant = try await authenticator.signIn(with: .proof(session.proof), in: context(transport))
    #expect(grant.user.id == "ann")
    let forged = Proof(tokens: ["access": "forged"])
    await #expect(throws: OstiaryError(.invalidCredentials, "")) {
      try await authenticator.signIn(with: .proof(forged), in: context(transport))
    }
    await #expect(throws: OstiaryError(.unsupportedCredential, "")) {
      try await authenticator.signIn(with: .proof(Proof()), in: context(transport))
    }
  }

  @Test("Without renewal tokens only a credential helps")
  func withoutRenewal() async throws {
    let transport = ScriptedServer(clock: clock, renews: false).transport()
    let session = try await signIn("ann", "apple", transport)
    guard case .needsCredential = try await authenticator.renew(session, in: context(transport)) else {
      Issue.record("renewed")
      return
    }
    #expect(transport.count == 1)
  }
}

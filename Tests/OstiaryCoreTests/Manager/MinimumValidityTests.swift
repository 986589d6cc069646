import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A program that hands a token on wants one that lasts for a while.
@Suite("A session that lasts for at least a while")
struct MinimumValidityTests {
  private let fixture = ManagerFixture(lifetime: .seconds(600))

  private func signedIn(_ fixture: ManagerFixture) async throws -> SessionManager {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    return manager
  }

  @Test("MIN-1: with enough time left nothing is asked of the server")
  func enough() async throws {
    let manager = try await signedIn(fixture)
    fixture.clock.advance(by: .seconds(290))
    let session = try await manager.session(minimumValidity: .seconds(300))
    #expect(session == manager.current)
    #expect(fixture.server.counts.renewals == 0)
  }

  @Test("MIN-2: with less left it is renewed, once for all who ask; others go on with the old one meanwhile")
  func renewed() async throws {
    let manager = try await signedIn(fixture)
    fixture.clock.advance(by: .seconds(310))
    let ends = try await withThrowingTaskGroup(of: Date?.self) { group -> Set<Date?> in
      for _ in 0..<50 {
        group.addTask { try await manager.session(minimumValidity: .seconds(300)).expiresAt }
      }
      return try await group.reduce(into: Set<Date?>()) { $0.insert($1) }
    }
    #expect(ends == [fixture.clock.now.addingTimeInterval(600)])
    #expect(fixture.server.counts.renewals == 1)
    #expect(fixture.server.counts.reusedRenewalTokens == 0)
  }

  @Test("MIN-2: what another process has renewed is taken from the store")
  func elsewhere() async throws {
    let manager = try await signedIn(fixture)
    let other = fixture.manager()
    _ = await other.restore()
    fixture.clock.advance(by: .seconds(310))
    _ = try await other.session(minimumValidity: .seconds(300))
    let session = try await manager.session(minimumValidity: .seconds(300))
    #expect(session.proof == other.current?.proof)
    #expect(fixture.server.counts.renewals == 1)
  }

  @Test("MIN-3: a renewal that is refused ends the session, and says so")
  func refused() async throws {
    let manager = try await signedIn(fixture)
    fixture.clock.advance(by: .seconds(310))
    fixture.server.dropSessions()
    let error = await failure { try await manager.session(minimumValidity: .seconds(300)) }
    #expect(error?.code == .interactionRequired)
    #expect(manager.status.cause == .rejectedByServer)
  }

  @Test("MIN-4: a renewal that can't be made now is told, and the session is as good as before")
  func unreachable() async throws {
    let manager = try await signedIn(fixture)
    fixture.clock.advance(by: .seconds(310))
    fixture.transport.inject(.refuseConnection, into: .post("/renew"))
    let error = await failure { try await manager.session(minimumValidity: .seconds(300)) }
    #expect(error?.code == .cannotConnect)
    let asked = fixture.transport.count(.post, "/renew")
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).status == .ok)
    #expect(try await manager.session().expiresAt == fixture.clock.now.addingTimeInterval(290))
    #expect(fixture.transport.count(.post, "/renew") == asked, "requests need no newer one")
  }

  @Test("MIN-5: a server that gives less than was asked for is asked once, and the session is kept")
  func less() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(60))
    let manager = try await signedIn(fixture)
    let error = await failure { try await manager.session(minimumValidity: .seconds(300)) }
    #expect(error?.code == .endsTooSoon)
    #expect(fixture.server.counts.renewals == 1)
    #expect(manager.status.isSignedIn)
  }

  @Test("MIN-5: a session that can't be renewed is kept, and what is wrong is told")
  func notRenewable() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600), renews: false)
    let manager = try await signedIn(fixture)
    fixture.clock.advance(by: .seconds(310))
    let error = await failure { try await manager.session(minimumValidity: .seconds(300)) }
    #expect(error?.code == .endsTooSoon)
    #expect(manager.status.isSignedIn)
  }

  @Test("MIN-6: a session whose end only the server knows is given as it is")
  func unknown() async throws {
    let fixture = ManagerFixture()
    let manager = try await signedIn(fixture)
    _ = try await manager.session(minimumValidity: .seconds(300))
    #expect(fixture.server.counts.renewals == 0)
  }

  @Test("MIN-7: without a session the user has to sign in, and one is not made for more time than there is")
  func none() async throws {
    let manager = fixture.manager()
    let error = await failure { try await manager.session(minimumValidity: .seconds(300)) }
    #expect(error?.code == .interactionRequired)
    #expect(fixture.transport.requests.isEmpty)
  }
}

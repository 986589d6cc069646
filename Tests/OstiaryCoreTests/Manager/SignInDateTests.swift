import Foundation
import HTTPTypes
import OstiaryTesting
import Testing

@testable import OstiaryCore

/// An entry says when its sign-in was made: a sign-out in a process that has not read the store goes by it.
@Suite(.timeLimit(.minutes(20))) struct SignInDateTests {
  private func entry(_ manager: SessionManager, in store: any SessionStore) async throws -> StoredEntry {
    guard case .present(let data) = await store.load(manager.key) else { throw OstiaryError(.storeCorrupt, "Nothing.") }
    return try SessionCodec.decodeEntry(data)
  }

  @Test("L21: the time of the sign-in is kept through renewals and processes, and in what is left of it")
  func kept() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let first = fixture.manager()
    let signedIn = try await first.signIn(with: ManagerFixture.ann).issuedAt
    #expect(try await entry(first, in: fixture.store).begun?.wall == signedIn)
    for manager in [first, fixture.manager()] {
      fixture.clock.advance(by: .seconds(595))
      _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
      let entry = try await entry(first, in: fixture.store)
      #expect(entry.begun == Moment(wall: signedIn, uptime: entry.begun?.uptime) && entry.begun?.uptime != nil)
      #expect(try #require(entry.session).issuedAt > signedIn)
    }
    #expect(fixture.server.counts.renewals == 2)
    await first.signOut()
    #expect(try await entry(first, in: fixture.store).ended?.begun?.wall == signedIn)
  }
}

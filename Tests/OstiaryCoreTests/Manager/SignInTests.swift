import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Signing in and out")
struct SignInTests {
  @Test("Signing in gives the session, keeps it, and tells so")
  func signIn() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    #expect(manager.status.error?.code == .notRestoredYet)
    let session = try await manager.signIn(with: ManagerFixture.ann)
    #expect(session.user.id == "ann")
    #expect(manager.current == session)
    #expect(manager.status.isSignedIn)
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  @Test("The session is there again for the next manager on the store, without a request")
  func restored() async throws {
    let fixture = ManagerFixture()
    let session = try await fixture.manager().signIn(with: ManagerFixture.ann)
    let sent = fixture.transport.count
    let next = fixture.manager()
    #expect(await next.restore().isSignedIn)
    #expect(next.current == session)
    #expect(fixture.transport.count == sent)
    #expect(fixture.recorder.kinds == [.signedIn, .restored])
  }

  @Test("Signing in while signed in is refused, whoever it is; the session stays", arguments: ["ann", "ben"])
  func twice(user: String) async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let session = try await manager.signIn(with: ManagerFixture.ann)
    let sent = fixture.transport.count
    let password: Secret = user == "ann" ? "apple" : "banana"
    let error = await failure { try await manager.signIn(with: .password(username: user, password: password)) }
    #expect(error?.code == .alreadySignedIn)
    #expect(error?.disposition == .misuse)
    #expect(manager.current == session)
    #expect(fixture.transport.count == sent, "the server never saw it")
  }

  @Test("Signing in over a stored session that nobody has read yet is refused too")
  func overStored() async throws {
    let fixture = ManagerFixture()
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    let next = fixture.manager()
    #expect(await failure { try await next.signIn(with: ManagerFixture.ben) }?.code == .alreadySignedIn)
    #expect(next.current?.user.id == "ann")
  }

  @Test("Of two sign-ins at once one succeeds and the other is refused")
  func race() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let tasks = [ManagerFixture.ann, ManagerFixture.ben].map { credential in
      Task { await failure { try await manager.signIn(with: credential) }?.code }
    }
    var codes: [OstiaryError.Code?] = []
    for task in tasks { codes.append(await task.value) }
    #expect(Set(codes) == [nil, .alreadySignedIn])
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("After signing out somebody else can sign in, and the server has one session")
  func change() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(await manager.signOut().isComplete)
    #expect(manager.status.cause == .requestedByApp)
    #expect(try await !fixture.store.holdsSession(for: manager.key))
    try await manager.signIn(with: ManagerFixture.ben)
    #expect(fixture.server.signedInUsers == ["ben"])
    #expect(fixture.recorder.kinds == [.signedIn, .signedOut, .signedIn])
  }

  @Test("A wrong password changes nothing and is told as it is")
  func wrongPassword() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let error = await failure { try await manager.signIn(with: .password(username: "ann", password: "pear")) }
    #expect(error?.code == .invalidCredentials)
    #expect(manager.current == nil)
    #expect(fixture.recorder.events.map(\.cause) == [.credentialRefused])
    try await manager.signIn(with: ManagerFixture.ann)
  }

  @Test("Verifying says what the server says, and never signs in")
  func verify() async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    #expect(await manager.verify().cause == .neverSignedIn)
    #expect(fixture.transport.count == 0)
    _ = try await manager.session()
    #expect(await manager.verify().isSignedIn)
    fixture.transport.inject(.refuseConnection, into: .get("/me"), at: .nth(1))
    #expect(await manager.verify().error?.code == .cannotConnect)
    #expect(manager.status.isSignedIn)
    fixture.server.dropSessions()
    #expect(await manager.verify().cause == .rejectedByServer)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("Verifying renews a session where that takes no credential")
  func verifyRenews() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    #expect(await manager.verify().isSignedIn)
    #expect(fixture.server.counts.renewals == 1)
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariant 2: cancelling one caller disturbs no other")
struct CancellationTests {
  @Test("The caller that started the sign-in can be cancelled; the others get the session")
  func starter() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.hold(gate), into: .post("/sign-in"))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let starter = Task { try await manager.session() }
    try await gate.waitForArrivals(1)
    let others = (0..<10).map { _ in Task { try await manager.session() } }
    starter.cancel()
    await #expect(throws: CancellationError.self) { try await starter.value }
    gate.open()
    for other in others { #expect(try await other.value.user.id == "ann") }
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("When every caller is cancelled the sign-in still lands, and serves the next")
  func everybody() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.hold(gate), into: .post("/sign-in"))
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let callers = (0..<5).map { _ in Task { try await manager.session() } }
    try await gate.waitForArrivals(1)
    for caller in callers { caller.cancel() }
    for caller in callers { await #expect(throws: CancellationError.self) { try await caller.value } }
    gate.open()
    _ = try await fixture.recorder.first(.signedIn)
    #expect(try await manager.session().user.id == "ann")
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("A caller that is cancelled before it asks is told so")
  func before() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let gate = Gate()
    let caller = Task {
      try? await gate.pass()
      return try await manager.session()
    }
    caller.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await caller.value }
  }

  @Test("Cancelling a sign-out does not stop it")
  func signOut() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let gate = Gate()
    fixture.transport.inject(.hold(gate), into: .post("/sign-out"))
    let caller = Task { await manager.signOut() }
    try await gate.waitForArrivals(1)
    caller.cancel()
    gate.open()
    #expect(await caller.value.isComplete)
    #expect(fixture.server.counts.signOuts == 1)
  }
}

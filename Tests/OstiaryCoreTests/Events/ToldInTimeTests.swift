import Foundation
import HTTPTypes
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

/// A program may end when its call returns. What was told by then is all that its journal has.
@Suite("What observers have been told when a call returns")
struct ToldInTimeTests {
  @Test("WHY-1: what follows events comes when they have been told, also if another thread is telling them")
  func relay() {
    let relay = EventRelay<Int>()
    let notes = Locked<[String]>([])
    _ = relay.observe { event in
      notes.withLock { $0.append("first \(event)") }
      guard event == 1 else { return }
      // As another thread does while this one is telling.
      relay.record(2)
      relay.deliver { notes.withLock { $0.append("answer") } }
    }
    _ = relay.observe { event in notes.withLock { $0.append("second \(event)") } }
    relay.tell(1)
    relay.deliver { notes.withLock { $0.append("at once") } }
    #expect(notes.withLock { $0 } == ["first 1", "second 1", "first 2", "second 2", "answer", "at once"])
  }

  @Test("WHY-1: a caller is answered when the observers have been told, though another thread is telling them")
  func caller() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    let callers = Locked<Int?>(nil)
    let manager = fixture.manager(
      .onRequest { request in
        if request.previousError != nil { try await gate.pass() }
        return .password(username: "ann", password: "wrong")
      })
    manager.onEvent { [weak manager] event in
      guard let manager, event.cause == .credentialRefused else { return }
      // As another thread does while this one is telling. It ends the work that the caller waits for.
      manager.cancelSignIn()
      let count = manager.driver.withKept { $0.callers.count }
      callers.withLock { $0 = count }
    }
    #expect(await failure { try await manager.session() }?.code == .interactionCancelled)
    #expect(callers.withLock { $0 } == 1)
    #expect(fixture.recorder.events.map(\.cause) == [.credentialRefused, .declined])
    gate.open()
  }

  @Test("WHY-2: a refusal that the source hands back, because it has no other credential, is told once")
  func handedBack() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager(
      .onRequest { request in
        if let error = request.previousError { throw error }
        return .password(username: "ann", password: "wrong")
      })
    #expect(await failure { try await manager.session() }?.code == .invalidCredentials)
    #expect(fixture.recorder.events.map(\.cause) == [.credentialRefused])
    #expect(manager.status.cause == .credentialRefused)
  }

  @Test("WHY-3: the event of an end says why the server refused the proof, and not that no user is signed in")
  func reason() async throws {
    let fixture = ManagerFixture(renews: false)
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.dropSessions()
    _ = await manager.verify()
    #expect(manager.status.cause == .rejectedByServer)
    #expect(manager.lastSignOut?.detail == "The server does not accept the token.")
  }

  @Test("WHY-3: of a proof whose time is up, and which nothing renews, the event of the end says both")
  func timeUp() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600), renews: false)
    let manager = fixture.manager()
    let session = try await manager.signIn(with: ManagerFixture.ann)
    let end = try #require(session.expiresAt).ISO8601Format()
    fixture.clock.advance(by: .seconds(700))
    fixture.server.dropSessions()
    _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(manager.status.cause == .rejectedByServer)
    let detail = manager.lastSignOut?.detail ?? ""
    #expect(detail == "It was good until \(end), and nothing renews it: the server answered 401", "\(detail)")
  }
}

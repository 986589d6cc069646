import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariants 8 and 15: every change is an event with a cause, told once, in order, with no lock held")
struct EventTests {
  @Test("A life has its events, numbered, with causes and words")
  func life() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    _ = try await AuthenticatedTransport(manager).send(ManagerFixture.request())
    fixture.server.dropSessions()
    _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    let events = manager.history
    #expect(events.map(\.kind) == [.signedIn, .rejected, .renewed, .rejected, .failed, .signedOut])
    #expect(events.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(events == fixture.recorder.events)
    let last = try #require(manager.lastSignOut)
    #expect(last.cause == .rejectedByServer)
    #expect(last.user == "ann")
    #expect(last.host == "scripted.example")
    #expect(
      "\(last)" == "ann: signed out because the server refused its proof (The server says that the session is over.)")
  }

  @Test("The history has an end, the numbers have not")
  func bounded() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.historyLength = 4 }
    for _ in 0..<5 {
      try await manager.signIn(with: ManagerFixture.ann)
      await manager.signOut()
    }
    #expect(manager.history.map(\.number) == [7, 8, 9, 10])
  }

  @Test("An observer may call the manager, also to sign out")
  func reentrant() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let seen = Locked<[Bool]>([])
    let gate = Gate()
    manager.onEvent { [weak manager] event in
      guard let manager else { return }
      seen.withLock { $0.append(manager.status.isSignedIn) }
      if event.kind == .signedIn {
        Task {
          await manager.signOut()
          gate.open()
        }
      }
    }
    // Whether the caller still sees the session depends on who is quicker.
    _ = try? await manager.signIn(with: ManagerFixture.ann)
    try await gate.pass()
    #expect(manager.current == nil)
    // The thread that delivered the first event may still have the second one to deliver.
    try await waitUntil { seen.withLock { $0.count } == 2 }
  }

  @Test("Each observer hears every event once, in order, from many threads at once")
  func order() async throws {
    let fixture = ManagerFixture()
    let managers = (0..<4).map { _ in fixture.manager() }
    let numbers = Locked<[ObjectIdentifier: [UInt64]]>([:])
    for manager in managers {
      let id = ObjectIdentifier(manager)
      manager.onEvent { event in numbers.withLock { $0[id, default: []].append(event.number) } }
    }
    await withTaskGroup(of: Void.self) { group in
      for manager in managers {
        for _ in 0..<25 {
          group.addTask {
            _ = try? await manager.signIn(with: ManagerFixture.ann)
            await manager.signOut()
          }
        }
      }
    }
    for heard in numbers.withLock({ $0.values }) {
      #expect(heard == Array(1...UInt64(heard.count)))
    }
  }

  @Test("A cancelled observer hears nothing more; a stream ends with its reader")
  func ending() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let count = Locked(0)
    let cancel = manager.onEvent { _ in count.withLock { $0 += 1 } }
    try await manager.signIn(with: ManagerFixture.ann)
    cancel()
    let stream = manager.events()
    await manager.signOut()
    for await event in stream {
      #expect(event.kind == .signedOut)
      break
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("An observer that ends itself hears no further event of the same moment, and a new one none of the past")
  func endsItself() async throws {
    let store = FaultyStore()
    let fixture = ManagerFixture(store: store)
    let manager = fixture.manager()
    let heard = Locked<[SessionEvent.Kind]>([])
    let later = Locked<[SessionEvent.Kind]>([])
    let cancel = Locked<(@Sendable () -> Void)?>(nil)
    let end = manager.onEvent { [weak manager] event in
      heard.withLock { $0.append(event.kind) }
      cancel.withLock { $0 }?()
      manager?.onEvent { event in later.withLock { $0.append(event.kind) } }
    }
    cancel.withLock { $0 = end }
    // A sign-in that can't be written tells two things at once.
    store.isFull = true
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(fixture.recorder.kinds == [.signedIn, .writeDelayed])
    #expect(heard.withLock { $0 } == [.signedIn])
    #expect(later.withLock { $0 } == [])
  }

  @Test("A session that makes way for another user's says that it ended")
  func replaced() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(60)) }
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.inject(.refuseConnection, into: .post("/renew"))
    _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    try await manager.signIn(with: ManagerFixture.ben)
    #expect(fixture.recorder.kinds == [.signedIn, .rejected, .failed, .signedOut, .signedIn])
    #expect(manager.lastSignOut?.user == "ann")
  }

  @Test("Invariant 8: the stream of events ends when the manager is gone")
  func streamEnds() async throws {
    let fixture = ManagerFixture()
    var stream: AsyncStream<SessionEvent>
    do {
      let manager = fixture.manager()
      stream = manager.events()
      try await manager.signIn(with: ManagerFixture.ann)
    }
    let kinds = await withTaskGroup(of: [SessionEvent.Kind]?.self) { [stream] group in
      group.addTask {
        var kinds: [SessionEvent.Kind] = []
        for await event in stream { kinds.append(event.kind) }
        return kinds
      }
      // Ends the wait should the stream not end.
      group.addTask {
        try? await Task.sleep(for: .seconds(120))
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    #expect(kinds == [.signedIn])
  }
}

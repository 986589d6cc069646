import Foundation
import HTTPTypes
@testable import OstiaryCore
import OstiaryTesting
import Testing

@Suite("When a session was last used", .timeLimit(.minutes(1)))
struct LastUseTests {
  private let store = FaultyStore()
  private let fixture: ManagerFixture
  private var clock: ManualClock { fixture.clock }

  init() {
    fixture = ManagerFixture(store: store)
  }

  private struct NothingStored: Error {}

  /// What the store's directory says.
  private func lastUsedAt() async throws -> Date? {
    guard case .session(let summary) = try await store.sessions().first?.content else { throw NothingStored() }
    return summary.lastUsedAt
  }

  private func send(_ manager: SessionManager, _ path: String = "/things") async throws {
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request(path)).status == .ok)
  }

  /// Lets the background writer do what is due.
  private func letWrite(_ manager: SessionManager, saves: Int) async throws {
    try await clock.waitForSleepers(1)
    clock.advance(by: manager.configuration.writeDelay)
    try await store.waitFor(.save, count: saves)
    try await manager.flush()
    #expect(store.count(.save) == saves)
  }

  @Test("Signing in and renewing say it in the write that they take anyway")
  func withTheSession() async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(store.saved.count == 1)
    #expect(try await lastUsedAt() == clock.now)
    clock.advance(by: .seconds(60))
    fixture.server.expireAccessTokens()
    try await send(manager)
    #expect(fixture.server.counts.renewals == 1)
    #expect(try await lastUsedAt() == clock.now)
  }

  @Test("Requests cost no write until the date is six hours old, and then one")
  func lazily() async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let signedInAt = clock.now
    for _ in 0..<100 {
      clock.advance(by: .seconds(215))
      try await send(manager)
    }
    try await manager.flush()
    #expect(store.count(.save) == 1)
    #expect(try await lastUsedAt() == signedInAt)
    clock.advance(by: .seconds(100))
    for _ in 0..<10 { try await send(manager) }
    let used = clock.now
    try await letWrite(manager, saves: 2)
    #expect(try await lastUsedAt() == used)
    #expect(manager.current == (try await stored()))
    for _ in 0..<10 { try await send(manager) }
    try await manager.flush()
    #expect(store.count(.save) == 2)
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  private func stored() async throws -> Session {
    guard case .present(let data) = await store.load(fixture.manager().key) else { throw NothingStored() }
    return try SessionCodec.decode(data)
  }

  @Test("Every way of using a session counts", arguments: ["transport", "attach", "session", "verify"])
  func ways(way: String) async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    clock.advance(by: .seconds(7 * 3600))
    var request = ManagerFixture.request().head
    switch way {
    case "transport": try await send(manager)
    case "attach":
      _ = try await manager.session()
      try await manager.flush()
      clock.advance(by: .seconds(7 * 3600))
      guard case .attached = manager.attach(to: &request) else { throw NothingStored() }
    case "session": _ = try await manager.session()
    default: _ = await manager.verify()
    }
    let used = clock.now
    clock.advance(by: .milliseconds(1))
    try await manager.flush()
    #expect(try await lastUsedAt() == used)
  }

  @Test("A request to another server is no use, nor is looking")
  func noUse() async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    let signedInAt = clock.now
    clock.advance(by: .seconds(7 * 3600))
    var request = HTTPRequest(method: .get, scheme: "https", authority: "elsewhere.example", path: "/")
    #expect(manager.attach(to: &request) == .notCovered)
    _ = (manager.current, manager.status)
    _ = await manager.restore()
    try await manager.flush()
    #expect(store.count(.save) == 1)
    #expect(try await lastUsedAt() == signedInAt)
  }

  @Test("The interval is the app's choice, never included", arguments: [nil, Duration.seconds(60)])
  func interval(interval: Duration?) async throws {
    let manager = fixture.manager { $0.lastUseInterval = interval }
    try await manager.signIn(with: ManagerFixture.ann)
    for round in 1...3 {
      clock.advance(by: .seconds(30 * 24 * 3600))
      try await send(manager)
      try await manager.flush()
      #expect(store.count(.save) == 1 + (interval == nil ? 0 : round))
    }
  }

  @Test("Of processes that share a session, one writes")
  func shared() async throws {
    let managers = [fixture.manager(), fixture.manager()]
    try await managers[0].signIn(with: ManagerFixture.ann)
    try await send(managers[1])
    clock.advance(by: .seconds(7 * 3600))
    for manager in managers + managers {
      try await send(manager)
      try await manager.flush()
    }
    #expect(store.count(.save) == 2)
    #expect(try await lastUsedAt() == clock.now)
  }

  @Test("A session of before, whose use was never written, counts from when it was given")
  func old() async throws {
    let issuedAt = clock.now
    let first = fixture.manager()
    try await first.signIn(with: ManagerFixture.ann)
    let data = try SessionCodec.encode(try await stored())
    try await store.save(data, for: first.key, replacing: .anything)
    let manager = fixture.manager()
    for (hours, expected) in [(5, nil), (2, issuedAt + 7 * 3600)] as [(Int64, Date?)] {
      clock.advance(by: .seconds(hours * 3600))
      try await send(manager)
      try await manager.flush()
      #expect(try await lastUsedAt() == expected)
    }
    #expect(store.count(.save) == 3)
  }

  @Test("A clock that was wrong costs one write, whichever way", arguments: [-30 * 24 * 3600, 30 * 24 * 3600])
  func wrongClock(jump: Int) async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    clock.set(to: clock.now.addingTimeInterval(TimeInterval(jump)))
    for _ in 0..<5 {
      try await send(manager)
      try await manager.flush()
      clock.advance(by: .seconds(10))
    }
    #expect(store.count(.save) == 2)
    #expect(try await lastUsedAt() == clock.now - 50)
  }

  @Test("A store that can't be written is no news; it is tried again")
  func failing() async throws {
    let manager = fixture.manager { $0.retry = RetryPolicy(attempts: 0, base: .seconds(1)) }
    try await manager.signIn(with: ManagerFixture.ann)
    clock.advance(by: .seconds(7 * 3600))
    store.isFull = true
    try await send(manager)
    let used = clock.now
    try await clock.waitForSleepers(1)
    clock.advance(by: manager.configuration.writeDelay)
    try await store.waitFor(.save, count: 2)
    #expect(fixture.recorder.kinds == [.signedIn])
    #expect(manager.status.isSignedIn)
    store.isFull = false
    try await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    try await store.waitFor(.save, count: 3)
    try await manager.flush()
    #expect(try await lastUsedAt() == used)
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  @Test("Invariant 5: what is still to be written brings no session back", arguments: ["here", "elsewhere"])
  func signedOut(place: String) async throws {
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    clock.advance(by: .seconds(7 * 3600))
    var request = ManagerFixture.request().head
    _ = try await manager.session()
    _ = manager.attach(to: &request)
    if place == "here" {
      await manager.signOut()
    } else {
      let other = fixture.manager()
      _ = await other.restore()
      await other.signOut()
    }
    try await manager.flush()
    #expect(try await store.accounts().isEmpty)
    #expect(await manager.restore().cause == (place == "here" ? .requestedByApp : .anotherProcess))
    // The next one begins anew.
    try await manager.signIn(with: ManagerFixture.ben)
    #expect(try await lastUsedAt() == clock.now)
  }
}

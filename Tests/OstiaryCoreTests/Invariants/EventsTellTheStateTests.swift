import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 15: every change of state is an event with a cause", .timeLimit(.minutes(20)))
struct EventsTellTheStateTests {
  /// What an observer who only hears the events knows.
  private enum Known: Equatable {
    case nobody
    case signedIn(String)
    case unclear

    /// Follows one event.
    mutating func follow(_ event: SessionEvent) {
      switch event.kind {
      case .signedIn, .restored, .renewed, .adopted: self = .signedIn(event.user ?? "?")
      case .rejected: self = .unclear
      case .signedOut: self = .nobody
      default: break
      }
    }

    init(_ status: SessionStatus) {
      switch status {
      case .signedIn(let session): self = .signedIn(session.user.id)
      case .signedOut: self = .nobody
      case .unknown: self = .unclear
      }
    }
  }

  /// Things that happen in a session's life.
  private enum Step: CaseIterable {
    case request, signInAsAnn, signInAsBen, signOut, verify, session
    case serverDropsSessions, serverForgetsTokens, timePasses
    case networkFails, networkHeals, storeLocks, storeFills, storeHeals
    case otherRequest, otherSignOut, otherSignIn
  }

  @Test("Invariant 15: whoever hears the events alone knows who is signed in", arguments: 0..<100 as Range<UInt64>)
  func replay(seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    let store = FaultyStore()
    let fixture = ManagerFixture(lifetime: .seconds(600), store: store)
    let recorder = EventRecorder()
    // The background writer sleeps by the fixture's clock, so that it works in one step only.
    // A manager that can't save a renewal keeps exclusive access until it can; the other one fails at once meanwhile.
    let configure = { (configuration: inout SessionConfiguration) in
      configuration.retry = RetryPolicy(attempts: 0, base: .milliseconds(1))
      configuration.patience = .zero
    }
    let other = fixture.manager(configure: configure)
    let manager = fixture.manager(configure: configure)
    manager.onEvent { recorder.record($0) }
    _ = await manager.restore()
    var steps: [Step] = []
    for _ in 0..<40 {
      let step = Step.allCases.randomElement(using: &generator) ?? .request
      steps.append(step)
      await perform(step, on: manager, and: other, of: fixture, store)
      var known = Known.nobody
      for event in recorder.events { known.follow(event) }
      #expect(known == Known(manager.status), "seed \(seed): \(steps): \(recorder.events.map(\.description))")
    }
    #expect(recorder.events.map(\.number) == recorder.events.indices.map { UInt64($0) + 1 })
    #expect(recorder.events.filter { $0.cause.rawValue.isEmpty || $0.host != "scripted.example" } == [])
    if case .signedOut(let cause) = manager.status, cause != .neverSignedIn {
      #expect(manager.lastSignOut?.cause == cause, "the status and the history give the same reason")
    }
  }

  private func perform(
    _ step: Step, on manager: SessionManager, and other: SessionManager, of fixture: ManagerFixture,
    _ store: FaultyStore
  ) async {
    switch step {
    case .request: _ = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    case .signInAsAnn: _ = await failure { try await manager.signIn(with: ManagerFixture.ann) }
    case .signInAsBen: _ = await failure { try await manager.signIn(with: ManagerFixture.ben) }
    case .signOut: await manager.signOut()
    case .verify: _ = await manager.verify()
    case .session: _ = await failure { try await manager.session() }
    case .serverDropsSessions: fixture.server.dropSessions()
    case .serverForgetsTokens: fixture.server.expireAccessTokens()
    case .timePasses:
      fixture.clock.advance(by: .seconds(300))
      _ = await failure { try await manager.flush() }
    case .networkFails: fixture.transport.inject(.dropAfterServerActed)
    case .networkHeals: fixture.transport.setFaults()
    case .storeLocks: store.lock()
    case .storeFills: store.isFull = true
    case .storeHeals: store.heal()
    case .otherRequest: _ = await failure { try await AuthenticatedTransport(other).send(ManagerFixture.request()) }
    case .otherSignOut: await other.signOut()
    case .otherSignIn: _ = await failure { try await other.signIn(with: ManagerFixture.ben) }
    }
  }

  @Test("Invariant 15: every way to be signed out has its own cause, and the history tells it in words")
  func causes() async throws {
    let told = Locked<[Cause: String]>([:])
    func note(_ manager: SessionManager) throws {
      let event = try #require(manager.lastSignOut)
      #expect(manager.status.cause == event.cause)
      told.withLock { $0[event.cause] = "\(event)" }
    }

    let asked = ManagerFixture()
    let first = asked.manager()
    try await first.signIn(with: ManagerFixture.ann)
    await first.signOut()
    try note(first)

    let refused = ManagerFixture()
    let second = refused.manager()
    try await second.signIn(with: ManagerFixture.ann)
    refused.server.dropSessions()
    _ = await failure { try await AuthenticatedTransport(second).send(ManagerFixture.request()) }
    try note(second)

    let elsewhere = ManagerFixture()
    let third = elsewhere.manager()
    try await third.signIn(with: ManagerFixture.ann)
    let other = elsewhere.manager()
    _ = await other.restore()
    await other.signOut()
    _ = await failure { try await AuthenticatedTransport(third).send(ManagerFixture.request()) }
    try note(third)

    let changed = ManagerFixture(renews: false)
    let fourth = changed.manager(.upFront(ManagerFixture.ann))
    _ = try await fourth.session()
    changed.server.setPassword("cherry", for: "ann")
    changed.server.dropSessions()
    _ = await failure { try await AuthenticatedTransport(fourth).send(ManagerFixture.request()) }
    try note(fourth)

    let declined = ManagerFixture(renews: false)
    let isWilling = Locked(true)
    let fifth = declined.manager(
      .onRequest { _ in
        guard isWilling.withLock({ $0 }) else { throw CancellationError() }
        return ManagerFixture.ann
      })
    _ = try await fifth.session()
    isWilling.withLock { $0 = false }
    declined.server.dropSessions()
    _ = await failure { try await AuthenticatedTransport(fifth).send(ManagerFixture.request()) }
    try note(fifth)

    let words = told.withLock { $0 }
    #expect(
      Set(words.keys)
        == [.requestedByApp, .rejectedByServer, .anotherProcess, .credentialRefused, .declined])
    #expect(words.values.filter { !$0.hasPrefix("ann: signed out because ") } == [])
    #expect(Set(words.values).count == words.count)
  }
}

import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting

/// A world of two processes that share a store, whose steps and their order come from a seed; and what must hold in it.
///
/// The processes sign in, send requests, sign out and die; around them access ends, sessions are dropped, answers get
/// lost and the store is locked. A process that dies does nothing more: what it was about to send or write is not sent
/// or written.
final class LifeModel: Sendable {
  /// What a process does.
  enum Act: CaseIterable {
    case signInAnn, signInBen, request, request2, request3, verify, signOut, die, flush
  }

  /// What happens around the processes.
  enum Event: CaseIterable {
    case expire, expire2, expire3, dropSessions, loseRenewal, loseConnection, lock, unlock
  }

  /// One of the processes, from its start to its death.
  struct Process: Sendable {
    let manager: SessionManager
    let store: FaultyStore
    let isDead = Locked(false)
    let events = EventRecorder()

    init(_ model: LifeModel) {
      store = FaultyStore(
        MortalStore(inner: model.shared, isDead: isDead), checkpoint: model.scheduler.checkpoint)
      var configuration = SessionConfiguration()
      configuration.retry = RetryPolicy(attempts: 1, base: .zero)
      configuration.storePatience = .zero
      manager = SessionManager(
        authenticator: ScriptedAuthenticator(),
        transport: MortalTransport(inner: model.transport, isDead: isDead), store: store,
        configuration: configuration, clock: model.clock,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      manager.onEvent { [events] in events.record($0) }
    }
  }

  let seed: UInt64
  let scheduler: SeededScheduler
  let clock = ManualClock()
  let server: ScriptedServer
  let shared: any SessionStore
  let transport: ScriptedTransport
  private let processes = Locked<[Process]>([])
  private let dead = Locked<[Process]>([])
  /// What may end a session: the user, and the server's own decision.
  private let hasSignedOut = Locked(false)
  private let hasDropped = Locked(false)
  private let hasSwitched = Locked(false)
  private let interruptions = Locked(0)
  private let expiries = Locked(0)

  init(seed: UInt64, store: any SessionStore = EphemeralStore()) {
    self.seed = seed
    scheduler = SeededScheduler(seed: seed, settling: 16)
    server = ScriptedServer(clock: clock, forgivesLostAnswers: true)
    transport = server.transport(checkpoint: scheduler.checkpoint)
    shared = store
    processes.withLock { $0 = [Process(self), Process(self)] }
  }

  /// Lives the life.
  /// - Throws: `Broken` when something that must hold did not.
  func run() async throws {
    var random = SplitMix64(seed: seed)
    let first = Self.some(Act.allCases, 2...4, &random)
    let second = Self.some(Act.allCases, 1...3, &random)
    let around = Self.some(Event.allCases, 1...4, &random)
    if Bool.random(using: &random) { await act(.signInAnn, 0) }
    let busy = Locked(3)
    @Sendable func end() { busy.withLock { $0 -= 1 } }
    try await scheduler.run([
      "first": {
        for act in first { await self.act(act, 0) }
        end()
      },
      "second": {
        for act in second { await self.act(act, 1) }
        end()
      },
      "world": {
        for event in around {
          await self.scheduler.checkpoint("\(event)")
          self.happen(event)
        }
        end()
      },
      // A process that finds the mark of another one looks again after a while.
      "clock": {
        while busy.withLock({ $0 > 0 }) {
          await self.scheduler.checkpoint("time passes")
          self.clock.advance(by: .milliseconds(250))
        }
      },
    ])
    try await check()
  }

  /// Sends a request while time passes.
  private func send(_ process: Process) async -> TransportResponse? {
    let time = Task { [clock] in
      while !Task.isCancelled {
        try await clock.waitForSleepers()
        clock.advance(by: .milliseconds(250))
        await Task.yield()
      }
    }
    defer { time.cancel() }
    return try? await AuthenticatedTransport(process.manager).send(ManagerFixture.request())
  }

  private static func some<Choice>(
    _ choices: [Choice], _ counts: ClosedRange<Int>, _ random: inout SplitMix64
  ) -> [Choice] {
    (0..<Int.random(in: counts, using: &random)).compactMap { _ in choices.randomElement(using: &random) }
  }

  private func process(_ index: Int) -> Process { processes.withLock { $0[index] } }

  private func act(_ act: Act, _ index: Int) async {
    await scheduler.checkpoint("\(act)")
    let process = process(index)
    let manager = process.manager
    switch act {
    case .signInAnn: await signIn("ann", ManagerFixture.ann, manager)
    case .signInBen: await signIn("ben", ManagerFixture.ben, manager)
    case .request, .request2, .request3:
      _ = try? await AuthenticatedTransport(manager).send(ManagerFixture.request())
    case .verify: _ = await manager.verify()
    case .signOut:
      hasSignedOut.withLock { $0 = true }
      await manager.signOut()
    case .die:
      interruptions.withLock { $0 += 1 }
      process.isDead.withLock { $0 = true }
      dead.withLock { $0.append(process) }
      let next = Process(self)
      processes.withLock { $0[index] = next }
    case .flush: try? await manager.flush()
    }
  }

  private func signIn(_ user: String, _ credential: Credential, _ manager: SessionManager) async {
    // A user whom the server has dropped is signed in here until a request shows it.
    let others = server.signedInUsers.contains { $0 != user } || hasDropped.withLock { $0 }
    if (try? await manager.signIn(with: credential)) != nil, others { hasSwitched.withLock { $0 = true } }
  }

  private func happen(_ event: Event) {
    switch event {
    case .expire, .expire2, .expire3:
      expiries.withLock { $0 += 1 }
      server.expireAccessTokens()
    case .dropSessions:
      hasDropped.withLock { $0 = true }
      server.dropSessions()
    case .loseRenewal:
      interruptions.withLock { $0 += 1 }
      transport.inject(.dropAfterServerActed, into: .post("/renew"), at: .nth(1))
    case .loseConnection:
      transport.inject(.refuseConnection, into: .post("/renew"), at: .nth(1))
    case .lock: for process in processes.withLock({ $0 }) { process.store.lock() }
    case .unlock: for process in processes.withLock({ $0 }) { process.store.unlock() }
    }
  }

  // MARK: What must hold

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard !condition else { return }
    let histories = (processes.withLock { $0 } + dead.withLock { $0 })
      .map { "\($0.isDead.withLock { $0 } ? "dead" : "alive"): \($0.manager.history.map(\.description))" }
    throw Broken(description: "\(text())\n\(scheduler)\n\(histories.joined(separator: "\n"))")
  }

  /// With everything well again, what one knows all know, and nothing was lost that was not ended.
  private func check() async throws {
    transport.setFaults()
    let alive = processes.withLock { $0 }
    for process in alive { process.store.heal() }
    // What one process writes may be in another one's way.
    for _ in 0..<3 {
      for process in alive { try? await process.manager.flush() }
    }
    let hasSignedOut = hasSignedOut.withLock { $0 }
    let mayEnd = hasSignedOut || hasDropped.withLock { $0 }
    // Another user may sign in while a session that the server refused waits to be renewed.
    let hasSwitched = hasSwitched.withLock { $0 }

    for event in (alive + dead.withLock { $0 }).flatMap(\.manager.history) where event.kind == .signedOut {
      switch event.cause {
      case .requestedByApp: try expect(hasSignedOut, "nobody asked for \(event)")
      case .anotherProcess: try expect(mayEnd || hasSwitched, "no other process did \(event)")
      case .superseded: try expect(hasSwitched, "nobody else signed in before \(event)")
      case .rejectedByServer: try expect(mayEnd, "the server never ended what ended by \(event)")
      default: try expect(false, "a session ended for no reason that counts: \(event)")
      }
    }
    let counts = server.counts
    try expect(counts.reusedRenewalTokens == 0, "a renewal token was used twice: \(counts)")
    if !mayEnd {
      // Each renewal answers an expiry; a lost answer is asked for again.
      let allowed = expiries.withLock { $0 } * max(1, counts.signIns)
      try expect(counts.renewals <= allowed, "\(counts.renewals) renewals for \(allowed) expiries")
      try expect(
        counts.repeatedRenewals <= interruptions.withLock { $0 },
        "\(counts.repeatedRenewals) repeated renewals for \(interruptions.withLock { $0 }) interruptions")
    }

    let signIns = counts.signIns
    var users: [String?] = []
    for process in alive {
      // The first request may find out that another user has the session now; the second knows.
      _ = await send(process)
      let response = await send(process)
      let user = process.manager.current?.user.id
      try expect((response?.status == .ok) == (user != nil), "\(user ?? "nobody") got \(response?.status.code ?? 0)")
      try expect(process.manager.status.error == nil, "left in doubt: \(process.manager.status)")
      users.append(user)
    }
    // Who is first to hear that a session is over tells the others through the store.
    if users.contains(nil) {
      for (index, process) in alive.enumerated() {
        _ = await send(process)
        users[index] = process.manager.current?.user.id
      }
    }
    try expect(Set(users).count == 1, "the processes disagree: \(users)")
    try expect(server.counts.signIns == signIns, "somebody signed in unasked")
    if !mayEnd, signIns > 0, dead.withLock({ $0.isEmpty }) {
      try expect(users.first != .some(nil), "the session is lost though nobody ended it")
    }
    let stored = try await shared.holdsSession(for: alive[0].manager.key)
    try expect(!stored == (users.first == .some(nil)), "the store disagrees")

    // Sign-out is the last word.
    await alive[0].manager.signOut()
    try expect(try await !shared.holdsSession(for: alive[0].manager.key), "something is left after sign-out")
    let executed = server.counts.executed
    for process in alive {
      let response = await send(process)
      try expect(response == nil, "a request went through after sign-out")
    }
    try expect(server.counts.executed == executed, "the server executed a request after sign-out")
  }
}

/// The store of a process that may die.
private struct MortalStore: SessionStore {
  let inner: any SessionStore
  let isDead: Locked<Bool>

  private func live() throws {
    if isDead.withLock({ $0 }) { throw OstiaryError(.storeUnavailable, "The process is dead.") }
  }
  func load(_ key: SessionKey) async -> StoreReading {
    do { try live() } catch { return .unavailable(OstiaryError(.storeUnavailable, "The process is dead.")) }
    return await inner.load(key)
  }
  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }
  func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try live()
    return try await inner.saveStamped(data, for: key, replacing: expected)
  }
  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try live()
    try await inner.remove(key, ifHolding: expected)
  }
  func accounts() async throws -> [SessionKey] { try await inner.accounts() }
  func stamp(of key: SessionKey) -> StoreStamp? { inner.stamp(of: key) }
  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try live()
    return try await inner.withExclusiveAccess(to: key, patience: patience, body)
  }
}

/// The network of a process that may die.
private struct MortalTransport: Transport {
  let inner: any Transport
  let isDead: Locked<Bool>

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if isDead.withLock({ $0 }) { throw OstiaryError(.cannotConnect, "The process is dead.") }
    let response = try await inner.send(request)
    if isDead.withLock({ $0 }) { throw OstiaryError(.cannotConnect, "The process is dead.") }
    return response
  }
  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(request) }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite("Invariant 8: every callback fires exactly once", .timeLimit(.minutes(20)))
struct CallbackTests {
  /// Counts the answers that each of several callers gets.
  private final class Answers: Sendable {
    private let counts: Locked<[Int]>

    init(_ callers: Int) {
      counts = Locked(Array(repeating: 0, count: callers))
    }

    /// Makes one call, in a task of its own, and counts its answer.
    func call(_ caller: Int, _ work: @escaping @Sendable () async throws -> Void) -> Task<OstiaryError.Code?, Never> {
      Task { [counts] in
        var code: OstiaryError.Code?
        do {
          try await work()
        } catch {
          code = (error as? OstiaryError)?.code ?? (error is CancellationError ? Self.cancelled : .internalError)
        }
        counts.withLock { $0[caller] += 1 }
        return code
      }
    }

    static let cancelled = OstiaryError.Code("cancelled")

    var all: [Int] { counts.withLock { $0 } }
  }

  @Test("Invariant 8: of two hundred callers each gets one answer, cancelled, superseded by a sign-out, or served")
  func callers() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"), at: .nth(1))
    let manager = fixture.manager(.onRequest { _ in ManagerFixture.ann })
    let answers = Answers(200)
    let calls = (0..<200).map { caller in answers.call(caller) { _ = try await manager.session() } }
    try await gate.waitForArrivals(1)
    for call in calls[..<50] { call.cancel() }
    for call in calls[..<50] { #expect(await call.value == Answers.cancelled) }
    await manager.signOut()
    // Who waited hears of the sign-out; who came after it is served by a sign-in of their own.
    for call in calls[50...] {
      let code = await call.value
      #expect(code == .signedOut || code == nil)
    }
    gate.open()
    #expect(answers.all == Array(repeating: 1, count: 200))
  }

  @Test("Invariant 8: callers get their one answer although the app has let go of the manager")
  func lettingGo() async throws {
    let fixture = ManagerFixture()
    let gate = Gate()
    fixture.transport.inject(.holdResponse(gate), into: .post("/sign-in"), at: .nth(1))
    let answers = Answers(20)
    var calls: [Task<OstiaryError.Code?, Never>] = []
    do {
      let manager = fixture.manager(.upFront(ManagerFixture.ann))
      calls = (0..<20).map { caller in answers.call(caller) { _ = try await manager.session() } }
      try await gate.waitForArrivals(1)
    }
    gate.open()
    for call in calls { #expect(await call.value == nil) }
    #expect(answers.all == Array(repeating: 1, count: 20))
    #expect(fixture.recorder.kinds == [.signedIn])
  }

  @Test("Invariant 8: the credential source is asked once, though those who made it ask are cancelled")
  func source() async throws {
    let fixture = ManagerFixture()
    let asked = Locked(0)
    let gate = Gate()
    let manager = fixture.manager(
      .onRequest { _ in
        asked.withLock { $0 += 1 }
        try await gate.pass()
        return ManagerFixture.ann
      })
    let first = Task { try await manager.session() }
    try await gate.waitForArrivals(1)
    let second = Task { try await manager.session() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.user.id == "ann")
    #expect(asked.withLock { $0 } == 1)
    #expect(fixture.server.counts.signIns == 1)
  }

  @Test("Invariant 8: an observer is called before the call that set it off returns, with no lock held")
  func observer() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let seen = Locked<[String]>([])
    manager.onEvent { [weak manager] event in
      guard let manager else { return }
      var head = ManagerFixture.request().head
      // Each of these takes the manager's lock; if it were held, this thread would wait for itself.
      let attached = manager.attach(to: &head)
      let end = manager.onEvent { _ in }
      end()
      let isSignedIn = manager.status.isSignedIn
      let facts = "\(event.kind) \(isSignedIn) \(attached != .noSession) \(manager.current != nil) \(manager)"
      seen.withLock { $0.append("\(facts) \(manager.history.last == event) \(manager.lastSignOut == event)") }
    }
    try await manager.signIn(with: ManagerFixture.ann)
    let name = "SessionManager(scripted at https://scripted.example"
    #expect(seen.withLock { $0 } == ["signed_in true true true \(name), ann) true false"])
    await manager.signOut()
    #expect(seen.withLock { $0.last } == "signed_out false false false \(name), nobody) true true")
    #expect(seen.withLock { $0.count } == 2)
  }

  @Test("Invariant 8: observers that come and go while events happen hear none twice and none out of order")
  func comingAndGoing() async throws {
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    let heard = Locked<[[UInt64]]>(Array(repeating: [], count: 40))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<60 {
          _ = try? await manager.signIn(with: ManagerFixture.ann)
          await manager.signOut()
        }
      }
      for number in 0..<40 {
        group.addTask {
          let end = manager.onEvent { event in heard.withLock { $0[number].append(event.number) } }
          for _ in 0..<20 { await Task.yield() }
          end()
        }
      }
    }
    for numbers in heard.withLock({ $0 }) {
      #expect(numbers == Array(Set(numbers)).sorted())
    }
    #expect(fixture.recorder.events.map(\.number) == Array(1...120))
  }
}

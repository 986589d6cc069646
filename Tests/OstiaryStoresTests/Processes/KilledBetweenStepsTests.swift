import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// The steps are those that the process passed when it was not killed: every operation of the store, in files every step
/// of a write, and every request of the session's own, before and after.
@Suite("Invariant 4: kill -9 between any two steps", .serialized, .timeLimit(.minutes(20)))
struct KilledBetweenStepsTests {
  /// A store, a server, and what one session of its own needs for each step.
  private struct World: Sendable {
    let place: StorePlace
    let server: ProcessServer

    init(_ kind: SharedStore, forgivesLostAnswers: Bool = true) async throws {
      place = try await StorePlace.make(kind)
      server = try ProcessServer(forgivesLostAnswers: forgivesLostAnswers)
    }

    /// A program that has just started.
    func manager(_ key: String) throws -> SessionManager {
      server.manager(try place.store.make(), key: key, patience: .seconds(30))
    }

    func worker(_ key: String) throws -> WorkerProcess {
      try WorkerProcess(
        WorkerSettings(store: place.store, key: key, server: server.url, number: 1, ahead: server.clock.ahead))
    }

    func send(_ manager: SessionManager) async throws -> HTTPResponse.Status {
      try await AuthenticatedTransport(manager).send(server.request()).status
    }

    /// Lets a process do something whole, and then others that are killed at each of its steps.
    /// - Parameters:
    ///   - prepare: makes the state that each begins with.
    ///   - check: looks at what is left after the step with that number.
    func kill(
      doing command: WorkerCommand, prepare: @Sendable (String) async throws -> Void,
      check: @Sendable (String, Int, [String]) async throws -> Void
    ) async throws {
      try await prepare("whole")
      let whole = try worker("whole")
      _ = try await whole.tell(.arm(nil))
      let answer = try await whole.tell(command)
      #expect(answer.failures == [])
      let steps = answer.steps
      try #require(!steps.isEmpty)
      for number in steps.indices {
        let key = "killed \(number)"
        try await prepare(key)
        let worker = try worker(key)
        let count = steps[...number].count { $0 == steps[number] }
        _ = try await worker.tell(.arm(StepTrap.Trap(.occurrence(steps[number], count), signal: SIGKILL)))
        do {
          let answer = try await worker.tell(command)
          // How often it is read depends on how fast the store can tell that nothing has changed.
          #expect(steps[number].hasPrefix("load") && answer.failures == [], "\(steps[number])")
        } catch is WorkerProcess.Ended {
          try await check(key, number, steps)
        }
      }
    }
  }

  @Test("… of sign-in: there is a session, or a person can sign in", arguments: SharedStore.different)
  func signIn(kind: SharedStore) async throws {
    let world = try await World(kind)
    try await world.kill(doing: .signIn) { _ in
    } check: { key, number, steps in
      let manager = try world.manager(key)
      let status = await manager.restore()
      let saved = try #require(steps.lastIndex(of: "save done"))
      let saving = try #require(steps.lastIndex(of: "save begins"))
      if number >= saved { #expect(status.isSignedIn, "\(steps[number])") }
      if number <= saving { #expect(!status.isSignedIn, "\(steps[number])") }
      if !status.isSignedIn {
        guard case .signedOut(.neverSignedIn) = status else {
          Issue.record("\(status) after \(steps[number])")
          return
        }
        try await manager.signIn(with: Worker.ann)
      }
      #expect(try await world.send(manager) == .ok)
    }
  }

  @Test(
    "… of renewal: the next start goes on with the session, at the cost of one call at most",
    arguments: SharedStore.different)
  func renewal(kind: SharedStore) async throws {
    let world = try await World(kind)
    let before = Locked(world.server.server.counts)
    try await world.kill(doing: .requests(1)) { key in
      try await world.manager(key).signIn(with: Worker.ann)
      world.server.server.expireAccessTokens()
      before.withLock { $0 = world.server.server.counts }
    } check: { key, number, steps in
      let asked = try #require(steps.firstIndex(of: "/renew begins"))
      let saved = try #require(steps.lastIndex(of: "save done"))
      // A claim that the killed process has left behind holds up none of the same machine.
      let manager = try world.manager(key)
      #expect(try await world.send(manager) == .ok, "\(steps[number])")
      let (before, after) = (before.withLock { $0 }, world.server.server.counts)
      #expect(after.renewals - before.renewals == 1, "\(steps[number])")
      let isLost = number > asked && number < saved
      #expect(after.repeatedRenewals - before.repeatedRenewals <= (isLost ? 1 : 0), "\(steps[number])")
      #expect(after.reusedRenewalTokens == 0 && after.signIns == before.signIns, "\(steps[number])")
    }
  }

  @Test("… of renewal, with a server that forgives nothing: the session is over only where the answer was lost")
  func renewalUnforgiven() async throws {
    let world = try await World(.encryptedFile, forgivesLostAnswers: false)
    try await world.kill(doing: .requests(1)) { key in
      try await world.manager(key).signIn(with: Worker.ann)
      world.server.server.expireAccessTokens()
    } check: { key, number, steps in
      let manager = try world.manager(key)
      let status = try? await world.send(manager)
      let asked = try #require(steps.firstIndex(of: "/renew begins"))
      let (saving, saved) = (steps.lastIndex(of: "save begins"), steps.lastIndex(of: "save done"))
      if try number <= asked || number >= #require(saved) {
        #expect(status == .ok, "\(steps[number])")
      } else if try number <= #require(saving) {
        #expect(status == nil, "\(steps[number])")
      }
      // Either way it is known which.
      if status != .ok {
        guard case .signedOut(.rejectedByServer) = manager.status else {
          Issue.record("\(manager.status) after \(steps[number])")
          return
        }
        try await manager.signIn(with: Worker.ann)
        #expect(try await world.send(manager) == .ok)
      }
    }
  }

  @Test("… of sign-out: the session is whole or gone", arguments: SharedStore.different)
  func signOut(kind: SharedStore) async throws {
    let world = try await World(kind)
    try await world.kill(doing: .signOut) { key in
      try await world.manager(key).signIn(with: Worker.ann)
    } check: { key, number, steps in
      let manager = try world.manager(key)
      let status = await manager.restore()
      #expect(status.error == nil, "\(steps[number])")
      let (ending, ended) = (steps.firstIndex(of: "end begins"), steps.firstIndex(of: "end done"))
      if try number <= #require(ending) { #expect(status.isSignedIn, "\(steps[number])") }
      if try number >= #require(ended) { #expect(!status.isSignedIn, "\(steps[number])") }
      if status.isSignedIn {
        #expect(try await world.send(manager) == .ok, "\(steps[number])")
        #expect(await manager.signOut().isComplete, "\(steps[number])")
      }
      // A user can sign in at once.
      try await manager.signIn(with: Worker.ann)
      #expect(try await world.send(manager) == .ok, "\(steps[number])")
    }
  }
}

extension SessionStatus {
  fileprivate var error: OstiaryError? { if case .unknown(let error) = self { error } else { nil } }
}

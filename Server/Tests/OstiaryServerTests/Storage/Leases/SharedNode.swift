import Dispatch
import Foundation
import OstiaryCore
import OstiaryPostgreSQL
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// Stops and deafens a node's thread.
final class LeaseControl: Sendable {
  private struct State {
    var isStopped = false
    var parked = 0
    var isDeaf = false
    var isBehindPooler = false
    var proof = Duration.seconds(120)
    /// By how many seconds its clock is ahead.
    var ahead = 0.0
  }

  private let state = Locked(State())
  private let gate = DispatchSemaphore(value: 0)

  var habits: LeaseHabits {
    var habits = LeaseHabits()
    habits.probe = .seconds(1)
    // A node whose machine was slow for as long as that is not taken for one behind a pooler until the test is over.
    habits.probeAgain = .seconds(5)
    habits.terms.proof = state.withLock { $0.proof }
    habits.wallClock = { [state] in Date().timeIntervalSince1970 + state.withLock { $0.ahead } }
    habits.turn = { [self] in pass() }
    habits.hears = { [state] text in
      state.withLock { text.hasPrefix("probe") ? !$0.isBehindPooler : !$0.isDeaf }
    }
    return habits
  }

  private func pass() {
    let isStopped = state.withLock { state in
      if state.isStopped { state.parked += 1 }
      return state.isStopped
    }
    if isStopped { _ = gate.wait(timeout: .now() + 240) }
  }

  /// Lets the thread stop at its next turn.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Whether the thread does nothing.
  var isParked: Bool { state.withLock { $0.parked > 0 } }

  func goOn() {
    let parked = state.withLock { state in
      defer { (state.isStopped, state.parked) = (false, 0) }
      return state.parked
    }
    for _ in 0..<parked { gate.signal() }
  }

  /// Loses all notices of ends from now on.
  func loseNotices(_ isDeaf: Bool = true) { state.withLock { $0.isDeaf = isDeaf } }

  /// Sets the node's clock.
  func setClock(ahead seconds: Double) { state.withLock { $0.ahead = seconds } }

  /// Lets the node wait for the database's commits only for as long as a server does. Others wait however slow the machine is.
  func hasLittlePatience() { state.withLock { $0.proof = LeaseTerms().proof } }

  /// Keeps the node from hearing its own probe.
  func standBehindPooler() { state.withLock { $0.isBehindPooler = true } }
}

/// One of several servers over one database, all in this process.
final class SharedNode: Sendable {
  let storage: ServerStorage
  let recorder: StatementRecorder
  let control: LeaseControl
  let notes = Locked<[LeaseNote]>([])
  /// What it was asked to end again.
  let lost = Locked<[HeardEnd]>([])
  let world: TokenWorld

  var sessions: ServerSessions { world.identity.sessions }
  var tokens: ServerTokens { world.tokens }

  init(
    _ database: PostgreSQLDatabase, _ name: String, clock: TestClock, control: LeaseControl = LeaseControl(),
    isServing: Bool = true
  ) async throws {
    var habits = StorageHabits()
    habits.haveTime()
    recorder = StatementRecorder()
    habits.recorder = recorder
    habits.leases = control.habits
    self.control = control
    storage = try ServerStorage(database, migrations: Migrations.all(of: houseDoors), habits: habits)
    world = try await TokenWorld(storage: storage, clock: clock)
    if isServing {
      storage.serve(name: name, version: "1", since: clock.now) { [notes] note in
        notes.withLock { $0.append(note) }
      } redo: { [lost] ends in
        lost.withLock { $0 += ends }
      }
    }
  }

  var holdsLease: Bool { storage.keeper?.lease.isHeld == true }

  /// Waits for a lease.
  func lease() async {
    do {
      try await waitUntil("a lease") { holdsLease }
    } catch {
      Issue.record(error)
    }
  }

  /// Waits for a lease on the timeline that comes after the first.
  func leaseOnNextTimeline() async throws {
    try await waitUntil("a lease on the next timeline") { storage.keeper?.identity?.timeline == 2 && holdsLease }
  }

  /// Looks something up until that makes no statement: it is answered from memory then.
  /// - Returns: whether it came to that.
  func isWarm(_ look: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<20_000 {
      let before = recorder.count
      guard try await look() else { return false }
      if recorder.count == before { return true }
    }
    return false
  }

  /// The timelines that it has said it is on.
  var timelines: [Int64] {
    notes.withLock { notes in
      notes.compactMap { if case .newTimeline(let identity) = $0 { identity.timeline } else { nil } }
    }
  }

  /// Whether it has taken such a node off the list.
  func hasGivenUp(_ prefix: String) -> Bool {
    notes.withLock { notes in
      notes.contains { if case .gaveUp(let node, _) = $0 { node.hasPrefix(prefix) } else { false } }
    }
  }

  /// Waits until ends wait for so many nodes. One that was too slow for an end is off the list until its next question.
  func waitUntilListed(_ count: Int) async throws {
    try await waitUntil("\(count) nodes on the list") { try await listed().count == count }
  }

  /// The nodes that ends wait for.
  func listed() async throws -> [String] {
    try await storage.nodes().filter { $0.shown != nil }.map(\.id)
  }
}

/// Three servers over one database.
struct SharedNodes {
  let server: PostgreSQLServer
  let files = TemporaryFolder()
  let clock = TestClock()
  let nodes: [SharedNode]

  init() async throws {
    server = try await PostgreSQLServer.start()
    var nodes: [SharedNode] = []
    for name in ["a", "b", "c"] { nodes.append(try await SharedNode(server.database(files), name, clock: clock)) }
    self.nodes = nodes
    for node in nodes { await node.lease() }
  }

  subscript(_ index: Int) -> SharedNode { nodes[index] }

  func close() async throws {
    for node in nodes {
      node.control.goOn()
      try await node.storage.close()
    }
    withExtendedLifetime(server) {}
  }
}

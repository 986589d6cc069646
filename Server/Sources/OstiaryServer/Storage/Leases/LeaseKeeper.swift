import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// A node's part in the agreement on what has ended: it carries out what ``LeaseMachine`` and ``EndWait`` say.
///
/// It has a thread and a connection of its own, which begin with the first need: a process that ends nothing and keeps no caches has
/// neither. While it has no lease, nothing that is cached is believed.
final class LeaseKeeper: Sendable {
  typealias Connect = @Sendable () throws -> PostgreSQLSession

  /// What a node says of itself.
  struct Node: Sendable {
    let id: String
    let version: String
    let since: Double
  }

  /// A read that may become an entry of a cache.
  struct Fill: Sendable {
    let belief: LeaseFill
    fileprivate let strays: UInt64
  }

  struct Inbox {
    var waits: [(wait: EndWait, waiter: EndWaiter)] = []
    var ends: [(end: LeaseEnd, origin: DatabaseIdentity)] = []
    var isClosing = false
  }

  private struct State {
    var machine: LeaseMachine
    var proof: PrimaryProof
    /// Why the database did not let itself be asked for the last proof, if it said so.
    var denial: ServerError?
    var inbox = Inbox()
    var node: Node?
    var hasThread = false
    var isClosed = false
    /// Transactions that ran in another database than the lease's.
    var strays: UInt64 = 0
    /// By how much the database's clock is ahead of this one, and how exactly that is known.
    var clock: (difference: Double, within: Double)?
    var forget: (@Sendable (EndedThings) -> Void)?
    var say: (@Sendable (LeaseNote) -> Void)?
    var redo: (@Sendable ([HeardEnd]) -> Void)?
    var metrics: LeaseMetrics?
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  let habits: LeaseHabits
  /// Makes the connection that listens.
  let connect: Connect
  /// Makes another one, by the way that all others take.
  let connectOther: Connect
  private let state: Locked<State>
  private let waker: PostgreSQLWaker

  init(_ habits: LeaseHabits, connect: @escaping Connect, other: @escaping Connect) throws {
    self.habits = habits
    self.connect = connect
    connectOther = other
    waker = try PostgreSQLWaker()
    state = Locked(State(machine: LeaseMachine(terms: habits.terms), proof: PrimaryProof(habits.terms)))
  }

  // MARK: Caches

  /// What an entry is compared with; nil while nothing is believed.
  var stamp: CacheStamp? {
    let now = ContinuousClock.now
    let fill: Fill? = state.withLock { state in state.machine.mayBelieve(at: now) ? Self.fill(&state) : nil }
    return fill.map { CacheStamp(self, $0) }
  }

  /// The same for an entry that a transaction is about to write, also while nothing is believed.
  var nextStamp: CacheStamp? {
    let fill: Fill? = state.withLock { Self.fill(&$0) }
    return fill.map { CacheStamp(self, $0) }
  }

  private static func fill(_ state: inout State) -> Fill? {
    guard let belief = state.machine.beginFill() else { return nil }
    return Fill(belief: belief, strays: state.strays)
  }

  func mayKeep(_ fill: Fill) -> Bool {
    state.withLock { state in
      state.strays == fill.strays && state.machine.mayKeep(fill.belief, from: fill.belief.identity)
    }
  }

  /// The database whose numbers count; nil where nothing is cached.
  var identity: DatabaseIdentity? { state.withLock { $0.node == nil ? nil : $0.machine.identity } }

  /// A transaction runs in another database than the lease's: nothing that is being read now is kept.
  func hasStrayed() { state.withLock { $0.strays &+= 1 } }

  // MARK: The primary

  /// What a process that answers requests says of itself to others.
  var node: Node? { state.withLock { $0.node } }

  /// Whether what was read may be answered with.
  /// - Parameter read: a moment after the read.
  func standing(
    of identity: DatabaseIdentity, readBy read: ContinuousClock.Instant, at now: ContinuousClock.Instant = .now
  ) -> PrimaryProof.Standing {
    state.withLock { $0.proof.standing(of: identity, readBy: read, at: now) }
  }

  /// For how long the commit of a worker's write is waited for.
  var proofPatience: Duration { state.withLock { $0.proof.patience } }

  /// A database has committed a write of this node's.
  func noteCommit(_ identity: DatabaseIdentity, sent: ContinuousClock.Instant) {
    state.withLock { state in
      state.proof.committed(identity, sent: sent)
      state.denial = nil
    }
  }

  /// A worker's question has its answer.
  /// - Parameters:
  ///   - identity: the database that has committed; nil if it is not known that one has.
  ///   - denial: why it does not let itself be asked, if it says so.
  func noteProof(
    _ identity: DatabaseIdentity?, denial: ServerError?, sent: ContinuousClock.Instant,
    at now: ContinuousClock.Instant = .now
  ) {
    state.withLock { state in
      state.proof.answered(identity, sent: sent, at: now)
      state.denial = denial
    }
  }

  /// Why the database does not let itself be asked whether it is the primary, if it says so.
  var denial: ServerError? { state.withLock { $0.denial } }

  /// Lets ends reach the caches of the storage.
  func attach(forget: @escaping @Sendable (EndedThings) -> Void) {
    state.withLock { $0.forget = forget }
  }

  /// Measures from now on.
  func measure(with metrics: LeaseMetrics) { state.withLock { $0.metrics = metrics } }

  // MARK: Life

  /// The process answers requests from now on: it asks for leases, and ends wait for it.
  /// - Parameters:
  ///   - say: gets what is worth a line of the log.
  ///   - redo: gets the ends of the last minutes when the database is on another timeline, which may have lost them.
  func serve(
    as node: Node, say: @escaping @Sendable (LeaseNote) -> Void, redo: @escaping @Sendable ([HeardEnd]) -> Void
  ) {
    state.withLock { state in
      state.node = node
      (state.say, state.redo) = (say, redo)
    }
    startThread()
  }

  /// Whether caches are believed, and how long ago the newest lease was asked for.
  var lease: (isHeld: Bool, isListening: Bool, asked: ContinuousClock.Instant?) {
    let now = ContinuousClock.now
    return state.withLock { state in
      let machine = state.machine
      return (
        machine.mayBelieve(at: now), machine.isListening,
        machine.lease.map { $0.until.advanced(by: .zero - machine.terms.lease) }
      )
    }
  }

  /// By how many seconds the database's clock is ahead of this one, at least; nil if that is not known.
  var clockDifference: Double? {
    state.withLock { state in
      state.clock.map { clock in
        clock.difference < 0 ? min(0, clock.difference + clock.within) : max(0, clock.difference - clock.within)
      }
    }
  }

  /// The database's time, in seconds since 1970, as far as it is known.
  var databaseTime: Double { habits.wallClock() + (state.withLock { $0.clock?.difference } ?? 0) }

  /// Waits until every node knows of ends.
  /// - Returns: whether it is known that they have not been lost meanwhile.
  func settle(_ committed: CommittedEnds) async -> EndWait.Outcome {
    guard let last = committed.ends.map(\.number).max() else { return .ended }
    let wait = EndWait(
      last, of: committed.identity, committed: committed.committed, age: committed.age, terms: habits.terms)
    let waiter = EndWaiter(deadline: wait.deadline)
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.inbox.ends += committed.ends.map { ($0, committed.identity) }
      state.inbox.waits.append((wait, waiter))
      return true
    }
    if isOpen { startThread() }
    let outcome = await waiter.outcome
    measure { metrics in
      let now = ContinuousClock.now
      let isOver = now >= wait.deadline
      metrics.waited(
        outcome == .unknown ? .unknown : isOver ? .waitedOut : .applied, for: committed.committed.duration(to: now))
    }
    return outcome
  }

  private func startThread() {
    let isFirst = state.withLock { state in
      guard !state.hasThread, !state.isClosed else { return false }
      state.hasThread = true
      return true
    }
    guard isFirst else { return waker.wake() }
    let thread = Thread { [self] in
      LeaseTurns(self).run()
      let closers = state.withLock { state in
        (state.isClosed, state.hasThread) = (true, false)
        defer { state.closers = [] }
        return state.closers
      }
      for closer in closers { closer.resume() }
    }
    thread.name = "ostiary.leases"
    thread.start()
  }

  /// Ends the thread. Nothing is believed any more.
  func end() {
    state.withLock { $0.inbox.isClosing = true }
    waker.wake()
  }

  /// The same, and waits for it.
  func close() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        state.inbox.isClosing = true
        guard state.hasThread else {
          state.isClosed = true
          return true
        }
        state.closers.append(continuation)
        return false
      }
      if isDone { continuation.resume() } else { waker.wake() }
    }
  }

  // MARK: For the thread

  func takeInbox() -> (inbox: Inbox, node: Node?) {
    state.withLock { state in
      defer { (state.inbox.waits, state.inbox.ends) = ([], []) }
      return (state.inbox, state.node)
    }
  }

  /// Gives the machine an input, and takes what follows.
  func input(_ body: (inout LeaseMachine) -> Void) -> [LeaseAction] {
    state.withLock { state in
      body(&state.machine)
      return state.machine.takeActions()
    }
  }

  var due: ContinuousClock.Instant? { state.withLock { $0.machine.due } }

  func forget(_ things: EndedThings) { state.withLock { $0.forget }?(things) }

  func say(_ note: LeaseNote) { state.withLock { $0.say }?(note) }

  func measure(_ body: (LeaseMetrics) -> Void) {
    if let metrics = state.withLock({ $0.metrics }) { body(metrics) }
  }

  func redo(_ ends: [HeardEnd]) { state.withLock { $0.redo }?(ends) }

  func note(clock difference: Double, within: Double) {
    state.withLock { $0.clock = (difference, within) }
  }

  /// Waits until something has to be done.
  func sleep(_ session: PostgreSQLSession?, until deadline: ContinuousClock.Instant) throws -> [PostgreSQLNotification]
  {
    guard let session else {
      waker.wait(until: deadline)
      return []
    }
    return try session.waitForNews(until: deadline, waker: waker)
  }
}

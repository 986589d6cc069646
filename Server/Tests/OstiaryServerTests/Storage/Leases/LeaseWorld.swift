@testable import OstiaryServer

/// Nodes with caches, calls that end something, a database, the network between them, and a clock that goes on at any time: the
/// machines are the server's own, all around them is a model.
///
/// Events are numbered; each ends something of its own, so that a cache that has forgotten one says nothing
/// about another. The numbers that the database gives them begin anew after a failover, the events' don't.
struct LeaseWorld: Sendable {
  /// What can happen. There is always a question that takes time, and a clock that goes on meanwhile.
  struct Scenario: Sendable, CustomStringConvertible {
    let name: String
    /// How many ticks of the clock are a lease.
    var ticks = 2
    var nodes = 1
    /// How many things end, and how many calls may be under way at once.
    var events = 2
    var calls = 1
    /// The calls are made on the node with this number, which applies its own ends. Otherwise on one without a cache.
    var origin: Int?
    /// Notices may be lost.
    var losesNotices = true
    /// Something may be committed between a question's look at the database and its own commit.
    var hasSlowQuestions = true
    /// A question that has looked, and that the node has given up on, may still be committed, and so may a registration.
    var hasStrayQuestions = false
    /// A read replica, or a primary that has lost its place, may answer a question, but not commit it.
    var hasOldPrimary = false
    /// A read that is to become an entry of a cache takes time, and so does forgetting.
    var hasSlowReads = false
    /// Ends are removed after a while, so that some can't be read any more.
    var forgetsEnds = false
    /// Another server takes over, once; it may lack the last commits.
    var failsOver = false
    /// Statements take time and may fail, known or not, and the node may give up its question. Otherwise only the question takes time,
    /// and what takes a node off the list.
    var hasFailures = false
    /// Nodes may stop.
    var stops = false
    var fault: LeaseDatabase.Fault?
    /// How many states there are. Another number means that the machines can get elsewhere.
    var states = 0
    var description: String { name }
  }

  /// A question on its way.
  struct Flight: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
      case sent
      case looked(LeaseDatabase.Look)
      case answered(LeaseAnswer)
    }
    let question: LeaseMachine.Question
    var stage = Stage.sent
  }

  /// A notice on its way.
  struct Notice: Hashable, Sendable {
    let end: LeaseEnd
    let origin: DatabaseIdentity
  }

  /// Something that is read for a cache.
  struct Fill: Hashable, Sendable {
    let event: Int
    let fill: LeaseFill
    let origin: DatabaseIdentity
  }

  struct Node: Sendable {
    var machine = LeaseMachine()
    /// The events whose subjects are in the cache as if nothing had ended.
    var cache = 0
    var question: Flight?
    var stray: Flight?
    var notices: [Notice] = []
    var isRegistering = false
    var hasStrayRegistration = false
    var isStopped = false
    var isLeaving = false
    var read: (after: Int64, upTo: Int64, ticket: UInt64)?
    var write: (number: Int64, origin: DatabaseIdentity)?
    /// What the caches have to forget, and whether they have.
    var apply: (events: Int, ticket: UInt64, isDone: Bool)?
    var fill: Fill?
  }

  /// A call that ends something.
  struct Call: Sendable {
    var event = 0
    var wait: EndWait
    var isReading = false
  }

  /// A node that is being taken off the list, after the call has returned.
  struct TakeOff: Hashable, Sendable {
    let node: Int
    let number: Int64
    let origin: DatabaseIdentity
  }

  static let start = ContinuousClock.now

  let scenario: Scenario
  var now = 0 { didSet { instant = Self.start + tick * now } }
  /// The moment that this is.
  private(set) var instant = Self.start
  private let tick: Duration
  var database: LeaseDatabase
  /// The events that had ended before the failover.
  var formerEnds = 0
  var nodes: [Node] = []
  var calls: [Call] = []
  var takeOffs: [TakeOff] = []
  /// The events whose calls have begun, and have returned.
  var begun = 0
  var returned = 0

  /// All nodes have a lease, and everything in their caches, unless reads take time. Ends have been numbered on this timeline for long.
  init(_ scenario: Scenario) {
    self.scenario = scenario
    tick = LeaseTerms().lease / scenario.ticks
    let rows = [LeaseDatabase.Row](repeating: .init(), count: scenario.nodes)
    database = LeaseDatabase(fault: scenario.fault, rows: rows, timelineSince: -3)
    for node in 0..<scenario.nodes {
      nodes.append(Node())
      change(node) { $0.listens(at: Self.start) }
      look(node)
      commit(node)
      answer(node)
      forget(node)
      if !scenario.hasSlowReads { nodes[node].cache = (1 << scenario.events) - 1 }
    }
  }

  /// The rule: what has ended for certain is in no cache that is believed.
  var broken: String? {
    for (number, node) in nodes.enumerated() where node.machine.mayBelieve(at: instant) {
      let wrong = node.cache & returned & database.endsMask
      if wrong != 0 { return "node \(number) believes what has ended: \(wrong)" }
    }
    return nil
  }

  /// Whether nothing can go wrong any more: all that can end has, and what the database knows of is in no cache. It does not come into
  /// one again.
  var isOver: Bool {
    begun == scenario.events && nodes.allSatisfy { $0.cache & database.endsMask == 0 && $0.fill == nil }
      && !(scenario.failsOver && database.timeline == 1)
  }

  // MARK: Actions

  /// Gives a node's machine an input, and carries out what follows.
  mutating func change(_ node: Int, _ input: (inout LeaseMachine) -> Void) {
    input(&nodes[node].machine)
    for action in nodes[node].machine.takeActions() {
      switch action {
      case .ask(let question): nodes[node].question = Flight(question: question)
      case .abandon: leave(question: node)
      case .register: nodes[node].isRegistering = true
      case .leave:
        (nodes[node].question, nodes[node].isRegistering) = (nil, false)
        (nodes[node].isStopped, nodes[node].isLeaving) = (true, true)
      case .readEnds(let after, let upTo, _, let ticket): nodes[node].read = (after, upTo, ticket)
      case .apply(let ends, let ticket):
        let events = ends.reduce(0) { $0 | 1 << (Int($1.subject) ?? 0) }
        nodes[node].apply = (events, ticket, false)
      case .empty(let ticket): nodes[node].apply = (-1, ticket, false)
      case .writeApplied(let number, let origin): nodes[node].write = (number, origin)
      case .log: break
      }
    }
    if !scenario.hasSlowReads { forget(node) }
    if !scenario.hasFailures, let write = nodes[node].write {
      nodes[node].write = nil
      database.writeApplied(write.number, write.origin, of: node)
      change(node) { $0.wrote(true) }
    }
  }

  /// Gives a call's wait an input.
  mutating func change(call: Int, _ input: (inout EndWait) -> Void) {
    input(&calls[call].wait)
    for action in calls[call].wait.takeActions() {
      switch action {
      case .readNodes: calls[call].isReading = true
      case .takeOff(let id, let number, let origin):
        takeOffs.append(TakeOff(node: Int(id) ?? 0, number: number, origin: origin))
      case .finish(.ended): returned |= 1 << calls[call].event
      case .finish(.unknown), .log: break
      }
    }
    if calls[call].wait.outcome != nil { calls.remove(at: call) }
  }

  // MARK: Steps

  /// A question looks at the database.
  mutating func look(_ node: Int) {
    nodes[node].question?.stage = .looked(database.look(of: node))
    if !scenario.hasSlowQuestions { commit(node) }
  }

  /// A question is committed.
  mutating func commit(_ node: Int) {
    guard let flight = nodes[node].question, case .looked(let look) = flight.stage else { return }
    nodes[node].question?.stage = .answered(database.commit(look, flight.question, of: node))
  }

  /// A node gives its question up.
  mutating func leave(question node: Int) {
    if scenario.hasStrayQuestions, nodes[node].stray == nil, case .looked = nodes[node].question?.stage {
      nodes[node].stray = nodes[node].question
    }
    nodes[node].question = nil
  }

  /// An answer arrives.
  mutating func answer(_ node: Int) {
    guard let flight = nodes[node].question, case .answered(let answer) = flight.stage else { return }
    nodes[node].question = nil
    let instant = instant
    change(node) { $0.answered(answer, to: flight.question.ticket, at: instant) }
  }

  /// The caches forget what they have been told to, and say so.
  mutating func forget(_ node: Int) {
    while let apply = nodes[node].apply {
      nodes[node].cache &= ~apply.events
      nodes[node].apply = nil
      change(node) { $0.hasApplied(apply.ticket) }
    }
  }

  /// Something ends: its transaction is committed, and announced.
  mutating func end() {
    let event = begun
    begun += 1
    database.ends.append(event)
    let since = database.timelineSince ?? now
    database.timelineSince = since
    let notice = Notice(end: database.end(database.newest), origin: database.identity)
    let wait = EndWait(
      database.newest, of: database.identity, committed: instant, age: tick * (now - since))
    calls.append(Call(event: event, wait: wait))
    let instant = instant
    for node in nodes.indices {
      if node == scenario.origin {
        change(node) { $0.heard(notice.end, from: notice.origin, at: instant) }
      } else {
        nodes[node].notices.append(notice)
      }
    }
  }

  /// Another server takes over. It may lack the last ends, and that nodes have come onto the list; what else it lacks of their rows has
  /// no meaning for it. The old server is gone, and all connections with it.
  mutating func failOver(keeping kept: Int, hasList: Bool) {
    database.timeline += 1
    formerEnds = database.endsMask
    database.ends.removeSubrange(kept...)
    if !hasList { database.rows = database.rows.map { .init(isListed: false, listing: $0.listing) } }
    // For that fault, as if other ends had been numbered there for long.
    database.timelineSince = database.fault == .takesOffElsewhere ? now - 3 : nil
    let instant = instant
    for node in nodes.indices {
      nodes[node].stray = nil
      nodes[node].hasStrayRegistration = false
      if let flight = nodes[node].question {
        // An answer may be on its way to the node already, as notices are.
        if case .answered = flight.stage { continue }
        nodes[node].question = nil
        change(node) { $0.failed(flight.question.ticket, at: instant) }
      }
    }
  }
}

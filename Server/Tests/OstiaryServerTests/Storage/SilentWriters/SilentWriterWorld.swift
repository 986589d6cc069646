@testable import OstiaryServer

/// A node, connections that announce nothing, and the database between them. The node's machine is the server's own; each step of the
/// others is one that nothing can come between. Numbered ends don't come up here: ``LeaseWorld`` is about those.
struct SilentWriterWorld {
  /// What does not do what the rest trusts it with.
  enum Fault: CaseIterable {
    case writerDoesNotWait
    case writerIsNotCounted
    /// It reads the number before it looks for a lock, and not after it, or the other way round.
    case questionCountsBefore
    case questionCountsAfter
    case writerTakesNoLock
  }

  /// A connection that ends one thing after the other.
  struct Writer: Hashable {
    enum Stage: Hashable {
      case idle
      /// Since when it has had the lock; before it is counted.
      case locked(Int)
      case counted(Int)
      case working
      case closed
    }
    var stage = Stage.idle
    /// What it has yet to end.
    var ends: [Int]
  }

  /// A question on its way.
  struct Flight: Hashable {
    let question: LeaseMachine.Question
    var before: Int64?
    var isLocked: Bool?
    var after: Int64?
  }

  static let start = ContinuousClock.now
  private static let identity = DatabaseIdentity(system: 1, timeline: 1)
  /// A lease is two ticks, and a tenth more is over at the third.
  private static let tick = LeaseTerms().lease / 2
  private static let patience = 3

  let fault: Fault?
  let last: Int
  var now = 0
  var machine = LeaseMachine()
  /// The things that the node keeps as alive.
  var cache: Set<Int> = []
  var flight: Flight?
  var emptying: UInt64?
  /// Something that was read as alive, for the cache.
  var fill: (thing: Int, fill: LeaseFill)?
  var writers: [Writer]
  var count: Int64 = 0
  /// What has ended, for the caller, too: a commit and its answer are one step.
  var ended: Set<Int> = []

  init(writers: [[Int]], until last: Int, fault: Fault? = nil) {
    (self.last, self.fault) = (last, fault)
    self.writers = writers.map { Writer(ends: $0) }
    change { $0.listens(at: Self.start) }
  }

  private var instant: ContinuousClock.Instant { Self.start + Self.tick * now }

  /// The rule: nothing is believed that has ended.
  var isBroken: Bool { machine.mayBelieve(at: instant) && !cache.isDisjoint(with: ended) }

  private mutating func change(_ body: (inout LeaseMachine) -> Void) {
    body(&machine)
    for action in machine.takeActions() {
      switch action {
      case .ask(let question): flight = Flight(question: question)
      case .abandon: flight = nil
      case .empty(let ticket): emptying = ticket
      case .writeApplied: change { $0.wrote(true) }
      case .apply, .readEnds, .register, .leave, .log: break
      }
    }
  }

  /// Whether a lock is held.
  private var isLocked: Bool {
    writers.contains { writer in
      switch writer.stage {
      case .idle, .closed: false
      case .locked, .counted, .working: fault != .writerTakesNoLock
      }
    }
  }

  /// All worlds that this one may be next.
  var next: [SilentWriterWorld] {
    var worlds: [SilentWriterWorld] = []
    func add(_ body: (inout SilentWriterWorld) -> Void) {
      var world = self
      body(&world)
      worlds.append(world)
    }
    if now < last {
      add { world in
        world.now += 1
        let instant = world.instant
        world.change { $0.tick(at: instant) }
      }
    }
    addQuestions(add)
    addCaches(add)
    for index in writers.indices { addWriter(index, add) }
    return worlds
  }

  private func addQuestions(_ add: ((inout SilentWriterWorld) -> Void) -> Void) {
    guard let flight else { return }
    if flight.before == nil, fault != .questionCountsAfter {
      add { $0.flight?.before = count }
    } else if flight.isLocked == nil {
      add { $0.flight?.isLocked = isLocked }
    } else if flight.after == nil, fault != .questionCountsBefore {
      add { $0.flight?.after = count }
    } else if let isLocked = flight.isLocked, let before = flight.before ?? flight.after {
      let writers = SilentWriters(areThere: isLocked || before != flight.after ?? before, number: before)
      add { world in
        world.flight = nil
        let answer = LeaseAnswer(
          identity: Self.identity, shown: 0, isListed: true, isCommitted: true, silentWriters: writers)
        world.change { $0.answered(answer, to: flight.question.ticket, at: instant) }
      }
    }
    add { world in
      world.flight = nil
      world.change { $0.failed(flight.question.ticket, at: instant) }
    }
  }

  private func addCaches(_ add: ((inout SilentWriterWorld) -> Void) -> Void) {
    if let emptying {
      add { world in
        world.cache = []
        world.emptying = nil
        world.change { $0.hasApplied(emptying) }
      }
    }
    if let fill {
      add { world in
        if machine.mayKeep(fill.fill, from: Self.identity) { world.cache.insert(fill.thing) }
        world.fill = nil
      }
    } else if let belief = machine.beginFill() {
      for thing in Set(writers.flatMap(\.ends)).subtracting(ended).subtracting(cache) {
        add { $0.fill = (thing, belief) }
      }
    }
  }

  private func addWriter(_ index: Int, _ add: ((inout SilentWriterWorld) -> Void) -> Void) {
    switch writers[index].stage {
    case .idle: add { $0.writers[index].stage = .locked(now) }
    case .locked(let since):
      add { world in
        if fault != .writerIsNotCounted { world.count += 1 }
        world.writers[index].stage = .counted(since)
      }
    case .counted(let since):
      guard now >= since + Self.patience || fault == .writerDoesNotWait else { return }
      add { $0.writers[index].stage = .working }
    case .working:
      if let thing = writers[index].ends.first {
        add { world in
          world.writers[index].ends.removeFirst()
          world.ended.insert(thing)
        }
      }
      add { $0.writers[index].stage = .closed }
    case .closed: break
    }
  }

  /// Two worlds with the same one go on in the same way.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(now)
    hasher.combine(machine.identity)
    switch machine.work {
    case .idle: hasher.combine(0)
    case .reading: hasher.combine(1)
    case .applying(let ticket, _): hasher.combine(emptying == ticket ? 2 : 3)
    }
    hasher.combine(machine.lease?.until)
    hasher.combine(machine.next?.until)
    hasher.combine(machine.questionDue)
    hasher.combine(machine.silentWriters)
    hasher.combine(flight?.question.sent)
    hasher.combine(flight.map { $0.question.ticket == machine.question?.ticket })
    hasher.combine(flight?.before)
    hasher.combine(flight?.isLocked)
    hasher.combine(flight?.after)
    hasher.combine(emptying != nil)
    hasher.combine(cache)
    hasher.combine(fill?.thing)
    hasher.combine(fill.map { $0.fill.emptied == machine.emptied && $0.fill.identity == machine.identity })
    hasher.combine(writers)
    hasher.combine(count)
    hasher.combine(ended)
    return hasher.finalize()
  }

  /// Visits all worlds that there can be.
  /// - Returns: how many there are, and whether one is broken, and whether in one something is believed.
  static func search(_ first: SilentWriterWorld) -> (states: Int, isBroken: Bool, isBelieved: Bool) {
    var known: Set<Int> = [first.fingerprint]
    var waiting = [first]
    var isBelieved = false
    while let world = waiting.popLast() {
      if world.isBroken { return (known.count, true, isBelieved) }
      if world.machine.mayBelieve(at: world.instant), !world.cache.isEmpty, !world.ended.isEmpty { isBelieved = true }
      for next in world.next where known.insert(next.fingerprint).inserted { waiting.append(next) }
    }
    return (known.count, false, isBelieved)
  }
}

import Foundation
internal import OstiaryCore
internal import OstiaryPostgreSQL

/// The thread of a ``LeaseKeeper``: turn by turn it takes what has come in, tells the machines the time, and does what they say.
final class LeaseTurns {
  private static let longestBackoff = Duration.seconds(2)
  private static let tidyEvery = Duration.seconds(600)
  /// For how long ends are remembered, which another primary may have lost, and how many.
  private static let memory = 600.0
  private static let mostRemembered = 20_000

  private let keeper: LeaseKeeper
  private var node: LeaseKeeper.Node?
  private var link: LeaseLink?
  private var waits: [(wait: EndWait, waiter: EndWaiter)] = []
  private var news: [PostgreSQLNotification] = []
  private var knowsDatabase = false
  /// By how much the database's clock is ahead of this machine's, as far as it is known.
  private var ahead = 0.0
  private var databaseTime: Double { keeper.habits.wallClock() + ahead }
  /// The ends of the last minutes, the oldest first.
  private var recent: [HeardEnd] = []
  private var connectDue = ContinuousClock.now
  private var backoff = Duration.milliseconds(50)
  /// When a connection that does not hear its own probe is tried again.
  private var listenDue: ContinuousClock.Instant?
  private var tidyDue = ContinuousClock.now + LeaseTurns.tidyEvery
  private var seeDue = ContinuousClock.now

  init(_ keeper: LeaseKeeper) { self.keeper = keeper }

  func run() {
    while true {
      keeper.habits.turn?()
      let (inbox, node) = keeper.takeInbox()
      self.node = node
      waits += inbox.waits
      if inbox.isClosing { return stop() }
      if link == nil, ContinuousClock.now >= connectDue, node != nil || !waits.isEmpty { open() }
      listenIfServing()
      hear(inbox.ends)
      perform(keeper.input { $0.tick(at: .now) })
      look()
      keepRow()
      sleep()
    }
  }

  private func stop() {
    if node != nil { perform(keeper.input { $0.stops() }) }
    // The calls have to wait for as long as a node may believe its caches. That they do by themselves.
    link = nil
  }

  // MARK: The connection

  private func open() {
    do {
      link = try LeaseLink(keeper.connect())
      backoff = .milliseconds(50)
      listenDue = .now
    } catch {
      connectLater()
    }
  }

  private func connectLater() {
    connectDue = ContinuousClock.now + backoff * Double.random(in: 0.5...1)
    backoff = min(backoff * 2, Self.longestBackoff)
  }

  private func listenIfServing() {
    guard let link, node != nil, !link.isListening, let due = listenDue, ContinuousClock.now >= due else { return }
    do {
      try link.listen(keeper.habits, keeper.connectOther)
    } catch {
      // The connection is of no use, or the other one was not made: all again.
      return drop()
    }
    listenDue = link.isListening ? nil : ContinuousClock.now + keeper.habits.probeAgain
    let hears = link.isListening
    perform(
      keeper.input { machine in
        if hears { machine.listens(at: .now) } else { machine.listensNoMore() }
      })
  }

  private func drop() {
    let wasListening = link?.isListening == true
    link = nil
    news = []
    connectLater()
    if wasListening { perform(keeper.input { $0.listensNoMore() }) }
  }

  /// Runs statements; a connection that is broken is dropped.
  /// - Returns: nil if that has failed.
  private func with<Value>(_ body: (LeaseLink, LeaseKeeper.Node?) throws -> Value) -> Value? {
    guard let link else { return nil }
    do {
      return try body(link, node)
    } catch {
      // A read replica refuses, and so does a database in which the tables have gone: then, too, another connection is made.
      drop()
      return nil
    }
  }

  /// The same for statements that only have to be run.
  /// - Returns: whether they were.
  private func does(_ body: (LeaseLink, LeaseKeeper.Node) throws -> Void) -> Bool {
    with { link, node in
      guard let node else { return false }
      try body(link, node)
      return true
    } ?? false
  }

  private func sleep() {
    // A process that is no server wakes up for its own ends only.
    let now = ContinuousClock.now
    var deadline = node == nil ? now + .seconds(3600) : min(tidyDue, now + keeper.habits.terms.question)
    let isNeeded = node != nil || !waits.isEmpty
    let connecting = link == nil && isNeeded ? connectDue : nil
    let listening = link != nil && node != nil ? listenDue : nil
    for due in [keeper.due, waits.compactMap(\.wait.due).min(), connecting, listening] {
      if let due { deadline = min(deadline, due) }
    }
    // Due at once: another turn.
    guard deadline > ContinuousClock.now else { return }
    do {
      news += try keeper.sleep(link?.session, until: deadline)
    } catch {
      drop()
    }
  }

  // MARK: Ends

  /// Tells the machine of ends that were announced, and of this node's own.
  private func hear(_ own: [(end: LeaseEnd, origin: DatabaseIdentity)]) {
    if let link { news += link.session.takeNews() }
    let heard = news.filter { keeper.habits.hears?($0.payload) ?? true }
      .compactMap { LeaseEnd(announcement: $0.payload) }
    news = []
    let origin = link?.identity
    perform(
      keeper.input { machine in
        for end in heard { if let origin { machine.heard(end, from: origin, at: .now) } }
        for (end, origin) in own { machine.heard(end, from: origin, at: .now) }
      })
  }

  /// Carries out what the machine says, and what follows from that.
  private func perform(_ first: [LeaseAction]) {
    var actions = first[...]
    while let action = actions.popFirst() { actions += perform(action) }
  }

  private func perform(_ action: LeaseAction) -> [LeaseAction] {
    switch action {
    case .ask(let question): return ask(question)
    case .abandon:
      drop()
      return []
    case .register:
      let isListed = does { link, node in
        try link.register(node.id, version: node.version, since: node.since, at: databaseTime)
      }
      return keeper.input { $0.registered(isListed, at: .now) }
    case .leave:
      _ = does { link, node in try link.leave(node.id) }
      return []
    case .readEnds(let first, let last, _, let ticket):
      let found = with { link, _ in try link.ends(after: first, upTo: last) }
      return keeper.input { machine in
        if let found {
          machine.read(found.ends, from: found.origin, for: ticket)
        } else {
          machine.readFailed(for: ticket)
        }
      }
    case .apply(let ends, let ticket):
      var things = EndedThings()
      for end in ends { things.add(end.kind, end.subject) }
      keeper.forget(things)
      remember(ends)
      return keeper.input { $0.hasApplied(ticket) }
    case .empty(let ticket):
      var things = EndedThings()
      things.add(.everything, "")
      keeper.forget(things)
      return keeper.input { $0.hasApplied(ticket) }
    case .writeApplied(let number, let identity):
      let isWritten = does { link, node in try link.writeApplied(number, node.id, identity) }
      return keeper.input { $0.wrote(isWritten) }
    case .log(let note):
      if case .newTimeline = note, !knowsDatabase {
        // The first one is new to an empty cache.
        knowsDatabase = true
      } else {
        keeper.say(note)
        if let cause = LeaseEmptying(note) { keeper.measure { $0.emptied(cause) } }
        doAgain(after: note)
      }
      return []
    }
  }

  private func remember(_ ends: [LeaseEnd]) {
    keeper.measure { $0.applied(ends: ends.count) }
    let now = keeper.habits.wallClock()
    // In the order of their times: the oldest are at the beginning.
    recent.removeFirst(recent.prefix { $0.at < now - Self.memory }.count)
    recent += ends.map { HeardEnd(end: $0, at: now) }
    if recent.count > Self.mostRemembered { recent.removeFirst(recent.count - Self.mostRemembered) }
  }

  /// What this node has heard to be ended may have been lost by the primary that has taken over.
  private func doAgain(after note: LeaseNote) {
    switch note {
    case .newTimeline, .counterWentBack: break
    default: return
    }
    let now = keeper.habits.wallClock()
    let lost = recent.filter { $0.at >= now - Self.memory }
    recent = []
    if !lost.isEmpty { keeper.redo(lost) }
  }

  private func ask(_ question: LeaseMachine.Question) -> [LeaseAction] {
    guard let node else { return keeper.input { $0.failed(question.ticket, at: .now) } }
    let before = keeper.habits.wallClock()
    guard let (answer, time) = with({ link, _ in try link.ask(node.id, question) }) else {
      keeper.measure { $0.asked(.failed) }
      return keeper.input { $0.failed(question.ticket, at: .now) }
    }
    let isOver = ContinuousClock.now >= question.sent + keeper.habits.terms.lease
    keeper.measure { $0.asked(LeaseQuestionOutcome(answer, isOver: isOver)) }
    note(time, since: before)
    // One that found no row of the node has written nothing.
    if answer.isListed, answer.isCommitted { keeper.noteCommit(answer.identity, sent: question.sent) }
    return keeper.input { $0.answered(answer, to: question.ticket, at: .now) }
  }

  /// - Parameter before: this machine's time when the database was asked for its own.
  private func note(_ time: Double?, since before: Double) {
    guard let time else { return }
    let within = max(0, keeper.habits.wallClock() - before) / 2
    ahead = time - before - within
    keeper.note(clock: ahead, within: within)
  }

  // MARK: Waits

  /// Reads the list of nodes for the calls that wait.
  private func look() {
    var later: [EndWaitAction] = []
    func carryOut(_ index: Int) -> Bool {
      var isReading = false
      for action in waits[index].wait.takeActions() {
        switch action {
        case .readNodes: isReading = true
        case .finish(let outcome): waits[index].waiter.finish(outcome)
        case .takeOff, .log: later.append(action)
        }
      }
      return isReading
    }
    var isReading = false
    let now = ContinuousClock.now
    for index in waits.indices {
      waits[index].wait.tick(at: now)
      if carryOut(index) { isReading = true }
    }
    if isReading {
      // Read before the statement is sent: one that commits meanwhile needs another look.
      let began = ContinuousClock.now
      let found = with { link, _ in try link.list() }
      for index in waits.indices where waits[index].wait.isReading {
        if let found {
          waits[index].wait.read(found.nodes, from: found.origin, began: began, at: .now)
        } else {
          waits[index].wait.readFailed(at: .now)
        }
        _ = carryOut(index)
      }
    }
    waits.removeAll { $0.wait.outcome != nil }
    for action in later {
      switch action {
      case .takeOff(let node, let number, let identity):
        _ = does { link, _ in try link.takeOff(node, unlessShown: number, identity) }
      case .log(let note): keeper.say(note)
      case .readNodes, .finish: break
      }
    }
  }

  // MARK: The row

  /// A node that asks for no leases is seen all the same. Rows that are of no use any more are removed now and then.
  private func keepRow() {
    guard let node else { return }
    let now = ContinuousClock.now
    if let link, !link.isListening, now >= seeDue {
      // As often as one that asks for leases: what is read from the database is believed as long as that commits.
      seeDue = now + keeper.habits.terms.question
      let before = keeper.habits.wallClock()
      let seen = with { link, _ in try link.see(node, at: databaseTime) }
      note(seen?.time, since: before)
      if let seen, seen.isCommitted { keeper.noteCommit(link.identity, sent: now) }
    }
    guard now >= tidyDue else { return }
    tidyDue = now + Self.tidyEvery
    _ = does { link, _ in try link.tidy(at: databaseTime) }
  }
}

extension LeaseQuestionOutcome {
  /// - Parameter isOver: whether the lease is over that the answer could give.
  init(_ answer: LeaseAnswer, isOver: Bool) {
    if !answer.isCommitted {
      self = .uncommitted
    } else if !answer.isListed {
      self = .unlisted
    } else if answer.silentWriters.areThere {
      self = .silentWriter
    } else {
      self = isOver ? .late : .granted
    }
  }
}

extension LeaseEmptying {
  init?(_ note: LeaseNote) {
    switch note {
    case .newTimeline: self = .timeline
    case .counterWentBack: self = .counter
    case .endsMissing: self = .missing
    case .silentWriterGone: self = .silentWriter
    case .besideSilentWriter, .deaf, .gaveUp, .nodesUnread: return nil
    }
  }
}

/// One node's belief in its caches, as a value: inputs change it and leave actions to be carried out, in their order. It never waits
/// and reads no clock; every moment is passed in.
///
/// An ending call on another node returns when this one has applied the end, or when every lease from before the end is over
/// (``EndWait``). So a cache is believed only
/// - until a lease is over, which runs from the moment when its question was *sent*;
/// - after the ends that its answer has *shown* have been applied, each one before it: a gap is read first;
/// - if the question was a *committed write*, which only the primary can do;
/// - if that write has found the node *on the list* of those that ends wait for. Otherwise the node is put back there, and asks again:
///   an end that was committed between a question's look and its commit might not have seen it there;
/// - on the *timeline* of its answer. On another one the caches are emptied, and numbers begin anew;
/// - while *all that ends is announced*. As long as something is connected that writes and announces nothing there is no lease, and
///   afterwards the caches are emptied.
struct LeaseMachine: Sendable {
  typealias Instant = ContinuousClock.Instant

  struct Lease: Hashable, Sendable {
    let until: Instant
    /// Believed only if every end up to this one has been applied.
    let shown: Int64
  }

  struct Question: Hashable, Sendable {
    let ticket: UInt64
    let sent: Instant
    /// What had been applied when it was sent, which it writes into the node's row, and whose numbers these were.
    let applied: Int64
    let identity: DatabaseIdentity?
  }

  /// At most one piece of work on the caches is under way.
  enum Work: Hashable, Sendable {
    case idle
    case reading(UInt64, upTo: Int64)
    case applying(UInt64, upTo: Int64)
  }

  let terms: LeaseTerms
  private(set) var identity: DatabaseIdentity?
  /// Every end up to this one has been applied to the caches.
  private(set) var applied: Int64 = 0
  /// The newest end that is known of.
  private(set) var known: Int64 = 0
  /// Ends that were heard and not applied yet, without a gap among them.
  private(set) var heard: [LeaseEnd] = []
  private(set) var work = Work.idle
  private(set) var lease: Lease?
  /// An answer's lease whose ends are still to be applied.
  private(set) var next: Lease?
  private(set) var question: Question?
  private(set) var isRegistering = false
  private(set) var isListening = false
  /// When a question is due.
  private(set) var questionDue: Instant?
  /// What the node's row says of `applied`, as far as is known, and what is being written.
  private(set) var written: Int64 = 0
  private(set) var writing: Int64?
  /// How many writers that announce nothing there had been when the caches were emptied after them; nil while one may be there.
  private(set) var silentWriters: Int64?
  /// Whether the last answer has told of one.
  private(set) var isBesideSilentWriter = false
  /// How often the caches have been emptied.
  private(set) var emptied: UInt64 = 0
  private(set) var lastTicket: UInt64 = 0
  private var actions: [LeaseAction] = []

  init(terms: LeaseTerms = LeaseTerms()) { self.terms = terms }

  /// Whether the caches may answer, without a look at the database.
  func mayBelieve(at now: Instant) -> Bool { lease.map { now < $0.until } ?? false }

  /// When to call ``tick(at:)`` next; nil while there is nothing to wait for.
  var due: Instant? {
    guard let question else { return isListening ? questionDue : nil }
    return question.sent + terms.lease
  }

  mutating func takeActions() -> [LeaseAction] {
    defer { actions = [] }
    return actions
  }

  private mutating func put(_ action: LeaseAction) { actions.append(action) }

  private mutating func ticket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  // MARK: The question

  /// The clock has gone on.
  mutating func tick(at now: Instant) {
    if let open = question, now >= open.sent + terms.lease {
      // Its answer would be worth nothing.
      question = nil
      questionDue = now
      put(.abandon(open.ticket))
    }
    if let questionDue, now >= questionDue { ask(at: now) }
    goOn()
  }

  /// Asks for a lease, unless that is under way. Without notices of ends it does not: each end would have to wait for the node's next
  /// question. The node looks everything up then, and ends don't wait for it for longer than once.
  private mutating func ask(at now: Instant) {
    guard isListening, question == nil, !isRegistering else { return }
    let asked = Question(ticket: ticket(), sent: now, applied: applied, identity: identity)
    question = asked
    questionDue = nil
    put(.ask(asked))
  }

  /// A question was answered.
  mutating func answered(_ answer: LeaseAnswer, to ticket: UInt64, at now: Instant) {
    guard let asked = question, asked.ticket == ticket else { return }
    question = nil
    guard answer.isCommitted else { return askLater(at: now) }
    guard answer.isListed else {
      isRegistering = true
      return put(.register)
    }
    questionDue = asked.sent + terms.question
    let emptiedBefore = emptied
    if answer.identity != identity {
      begin(answer.identity, shown: answer.shown, .newTimeline(answer.identity))
    } else if answer.shown < asked.applied {
      // What was applied before the question was sent had been committed. This database has forgotten it.
      begin(answer.identity, shown: answer.shown, .counterWentBack(from: asked.applied, to: answer.shown))
    } else {
      written = max(written, asked.applied)
    }
    known = max(known, answer.shown)
    if heedSilentWriters(answer.silentWriters, areEmptied: emptied > emptiedBefore) {
      next = Lease(until: asked.sent + terms.lease, shown: answer.shown)
    }
    settle()
    goOn()
  }

  /// What a writer has ended that announces nothing is in no number. One that has come since waits until this lease is over.
  /// - Parameter areEmptied: whether the caches are being emptied anyway.
  /// - Returns: whether there may be a lease.
  private mutating func heedSilentWriters(_ writers: SilentWriters, areEmptied: Bool) -> Bool {
    if writers.areThere {
      if !isBesideSilentWriter { put(.log(.besideSilentWriter)) }
      (isBesideSilentWriter, silentWriters, lease, next) = (true, nil, nil, nil)
      return false
    }
    isBesideSilentWriter = false
    guard silentWriters != writers.number else { return true }
    silentWriters = writers.number
    if !areEmptied { empty(upTo: known, .silentWriterGone) }
    return true
  }

  /// A question has failed, or it is not known whether it was committed.
  mutating func failed(_ ticket: UInt64, at now: Instant) {
    guard question?.ticket == ticket else { return }
    question = nil
    askLater(at: now)
  }

  private mutating func askLater(at now: Instant) { questionDue = now + terms.retry }

  /// The node's row is on the list, or that has failed.
  mutating func registered(_ isListed: Bool, at now: Instant) {
    guard isRegistering else { return }
    isRegistering = false
    guard isListed else { return askLater(at: now) }
    ask(at: now)
  }

  /// Notices of ends arrive from now on. Those that were missed before are shown by a question.
  mutating func listens(at now: Instant) {
    isListening = true
    questionDue = now
    ask(at: now)
  }

  /// Notices don't arrive any more.
  mutating func listensNoMore() {
    isListening = false
    put(.log(.deaf))
  }

  /// The node answers no more requests. It comes off the list, so that no end waits for it.
  mutating func stops() {
    (isListening, isRegistering, question, lease, next) = (false, false, nil, nil, nil)
    put(.leave)
  }

  // MARK: Ends

  /// An end was announced, or this node has committed it itself.
  /// - Parameter origin: the database that the connection is with on which it was heard.
  mutating func heard(_ end: LeaseEnd, from origin: DatabaseIdentity, at now: Instant) {
    guard origin == identity, end.number - known <= terms.mostRead else {
      // Its number means nothing yet, or can't be right: any role may announce. The answer to a question will tell.
      questionDue = now
      return ask(at: now)
    }
    known = max(known, end.number)
    // What is dropped here is read later.
    if end.number == (heard.last?.number ?? underWay) &+ 1, heard.count < terms.mostRead { heard.append(end) }
    goOn()
  }

  /// The newest end that the work under way leads to.
  private var underWay: Int64 {
    switch work {
    case .idle: applied
    case .reading(_, let number), .applying(_, let number): number
    }
  }

  /// Ends were read from the database: all that it has, from the first that was lacking up to the one that was asked for.
  mutating func read(_ ends: [LeaseEnd], from origin: DatabaseIdentity, for ticket: UInt64) {
    guard case .reading(ticket, let upTo) = work else { return }
    work = .idle
    guard origin == identity else { return }
    if ends.map(\.number).elementsEqual(applied + 1...upTo) {
      apply(ends, upTo: upTo)
    } else {
      empty(upTo: upTo, .endsMissing(after: applied, upTo: upTo))
    }
  }

  /// Ends could not be read. They are read again after the next tick.
  mutating func readFailed(for ticket: UInt64) {
    guard case .reading(ticket, _) = work else { return }
    work = .idle
  }

  /// All caches have done what the action with this ticket says.
  mutating func hasApplied(_ ticket: UInt64) {
    guard case .applying(ticket, let upTo) = work else { return }
    work = .idle
    applied = upTo
    settle()
    goOn()
  }

  /// The node's row was written, or that has failed: then the next question writes it.
  mutating func wrote(_ isWritten: Bool) {
    if isWritten, let writing { written = max(written, writing) }
    writing = nil
    if isWritten { writeApplied() }
  }

  // MARK: What follows

  /// A lease is believed from the moment at which what it was shown has been applied.
  private mutating func settle() {
    writeApplied()
    guard let next, applied >= next.shown, case .idle = work else { return }
    lease = next
    self.next = nil
  }

  private mutating func writeApplied() {
    guard let identity, applied > written, writing == nil else { return }
    writing = applied
    put(.writeApplied(applied, identity))
  }

  /// Applies what can be applied, and reads what is lacking before it.
  private mutating func goOn() {
    guard case .idle = work, let identity, applied < known else { return }
    heard.removeAll { $0.number <= applied }
    if let first = heard.first, let last = heard.last, first.number == applied + 1 {
      let ends = heard
      heard = []
      apply(ends, upTo: last.number)
    } else if known - applied > terms.mostRead {
      empty(upTo: known, .endsMissing(after: applied, upTo: known))
    } else {
      heard = []
      let ticket = ticket()
      work = .reading(ticket, upTo: known)
      put(.readEnds(after: applied, upTo: known, identity, ticket))
    }
  }

  private mutating func apply(_ ends: [LeaseEnd], upTo number: Int64) {
    let ticket = ticket()
    work = .applying(ticket, upTo: number)
    put(.apply(ends, ticket))
  }

  /// Empty caches lack no end.
  private mutating func empty(upTo number: Int64, _ reason: LeaseNote) {
    let ticket = ticket()
    emptied += 1
    heard = []
    work = .applying(ticket, upTo: number)
    put(.log(reason))
    put(.empty(ticket))
  }

  /// Goes on with a database whose numbers have nothing to do with those of before.
  private mutating func begin(_ new: DatabaseIdentity, shown: Int64, _ reason: LeaseNote) {
    identity = new
    (applied, known, written, writing) = (0, shown, 0, nil)
    (lease, next) = (nil, nil)
    empty(upTo: shown, reason)
  }

  // MARK: Entries

  /// To be called before something is read for a cache; nil while nothing may be kept.
  func beginFill() -> LeaseFill? {
    identity.map { LeaseFill(identity: $0, applied: applied, emptied: emptied) }
  }

  /// Whether what was read may become an entry of a cache now: no end may have been applied since the read began, or be on its way
  /// into the caches, which would miss the new entry. The caller keeps it before it gives the machine another input.
  /// - Parameter origin: the database that was read.
  func mayKeep(_ fill: LeaseFill, from origin: DatabaseIdentity) -> Bool {
    guard case .applying = work else {
      return fill.identity == identity && origin == identity && fill.applied == applied && fill.emptied == emptied
    }
    return false
  }
}

/// What a node has to do. The machine does nothing itself.
enum LeaseAction: Hashable, Sendable {
  /// The question: one statement, committed by itself, that writes the newest end into the node's row, and what the node had applied.
  case ask(LeaseMachine.Question)
  /// Nothing is expected of the question any more. Its connection is not to be used again.
  case abandon(UInt64)
  /// Put the node's row on the list of those that ends wait for, with nothing shown or applied.
  case register
  /// Remove the node's row.
  case leave
  case readEnds(after: Int64, upTo: Int64, DatabaseIdentity, UInt64)
  /// Make all caches forget what these are about, and say so.
  case apply([LeaseEnd], UInt64)
  /// Make all caches forget everything, and say so.
  case empty(UInt64)
  /// Write into the node's row that all up to this one is applied, if the row is of that database.
  case writeApplied(Int64, DatabaseIdentity)
  case log(LeaseNote)
}

/// What is worth a line of the log.
enum LeaseNote: Hashable, Sendable {
  /// The caches were emptied: the database is another one, or was taken over by another server, or restored.
  case newTimeline(DatabaseIdentity)
  /// The caches were emptied: the database has forgotten ends, and does not say why.
  case counterWentBack(from: Int64, to: Int64)
  /// The caches were emptied: these ends were too many to be read, or are not there any more.
  case endsMissing(after: Int64, upTo: Int64)
  /// Notices of ends don't arrive: everything is looked up.
  case deaf
  /// Something that announces no ends writes to the database: everything is looked up.
  case besideSilentWriter
  /// The caches were emptied: there was such a writer.
  case silentWriterGone
  /// An end has waited long enough for this node.
  case gaveUp(node: String, number: Int64)
  /// An end has returned without having seen the nodes.
  case nodesUnread(number: Int64)
}

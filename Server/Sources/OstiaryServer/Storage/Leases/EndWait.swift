/// What a call that ends something does after its commit, as a value: it returns when no node believes a cache any more that has not
/// applied the end. As with ``LeaseMachine``, inputs leave actions, and every moment is passed in.
///
/// That is so
/// - when every node on the list has written that it has *applied* the end. The list is read after the commit has returned: a node that
///   comes onto it later is shown the end by its first question;
/// - or when every lease is over whose question was sent before the commit. Later questions were shown the end.
///
/// In the second case nodes that don't answer are taken off the list, so that later ends don't wait for them. Only a node that was
/// *not shown* the end may be taken off: one that was shown it is at work, may have a lease already, and later ends have to find it.
struct EndWait: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// A node on the list, as its row says.
  struct Node: Hashable, Sendable {
    let id: String
    /// The database that has given the numbers; nil before the node's first question.
    let identity: DatabaseIdentity?
    let shown: Int64
    let applied: Int64
  }

  enum Outcome: Hashable, Sendable {
    /// The end is known everywhere.
    case ended
    /// Another database has taken over since. It may have lost the end.
    case unknown
  }

  let terms: LeaseTerms
  let number: Int64
  let identity: DatabaseIdentity
  /// When the commit had returned.
  let committed: Instant
  /// Not before that: leases of an earlier timeline may be of nodes that are not on the list, if the list was lost with the last commits.
  let earliest: Instant
  private(set) var outcome: Outcome?
  /// The nodes that were not even shown the end when the list was read last; nil before.
  private(set) var unshown: [String]?
  private(set) var isReading = false
  private(set) var lookDue: Instant
  private(set) var pause: Duration
  private var actions: [EndWaitAction] = []

  /// - Parameters:
  ///   - committed: when the commit had returned.
  ///   - age: how long ends have been numbered on this timeline, as the statement says that has raised the number.
  init(
    _ number: Int64, of identity: DatabaseIdentity, committed: Instant, age: Duration, terms: LeaseTerms = LeaseTerms()
  ) {
    self.terms = terms
    self.number = number
    self.identity = identity
    self.committed = committed
    earliest = committed + max(.zero, terms.patience - max(.zero, age))
    lookDue = committed
    pause = terms.firstLook
  }

  /// When every lease is over whose question was sent before the commit.
  var deadline: Instant { committed + terms.patience }

  /// When to call ``tick(at:)`` next.
  var due: Instant? {
    guard outcome == nil else { return nil }
    return isReading ? deadline : min(deadline, lookDue)
  }

  mutating func takeActions() -> [EndWaitAction] {
    defer { actions = [] }
    return actions
  }

  /// The clock has gone on. To be called first when the wait begins.
  mutating func tick(at now: Instant) {
    guard outcome == nil else { return }
    if now >= deadline {
      giveUp()
    } else if now >= lookDue, !isReading {
      isReading = true
      actions.append(.readNodes)
    }
  }

  /// The list of nodes was read.
  /// - Parameters:
  ///   - origin: the database that it was read from.
  ///   - began: when the statement was sent. One read may serve several waits, those whose commits had returned by then.
  mutating func read(_ nodes: [Node], from origin: DatabaseIdentity, began: Instant, at now: Instant) {
    guard outcome == nil, began >= committed else { return }
    isReading = false
    guard origin == identity else { return finish(.unknown) }
    let lacking = nodes.filter { $0.identity != identity || $0.applied < number }
    unshown = lacking.filter { $0.identity != identity || $0.shown < number }.map(\.id)
    if lacking.isEmpty, now >= earliest { return finish(.ended) }
    lookLater(at: now)
  }

  /// The list could not be read.
  mutating func readFailed(at now: Instant) {
    guard outcome == nil else { return }
    isReading = false
    lookLater(at: now)
  }

  private mutating func lookLater(at now: Instant) {
    lookDue = now + pause
    pause = min(pause * 2, terms.longestLook)
  }

  /// No node believes any more what it believed before the commit, whether the list could be read or not. That nodes are taken off it is
  /// for later ends, so the call does not wait for that statement, nor does it matter to the call if it fails.
  private mutating func giveUp() {
    if let unshown {
      for node in unshown {
        actions.append(.log(.gaveUp(node: node, number: number)))
        actions.append(.takeOff(node: node, unlessShown: number, identity))
      }
    } else {
      actions.append(.log(.nodesUnread(number: number)))
    }
    finish(.ended)
  }

  private mutating func finish(_ outcome: Outcome) {
    self.outcome = outcome
    actions.append(.finish(outcome))
  }
}

/// What the node on which something was ended has to do.
enum EndWaitAction: Hashable, Sendable {
  /// Read the list of nodes, in a statement of its own.
  case readNodes
  /// Take a node off the list, unless its row says that it was shown this number of this database: in one statement that compares.
  case takeOff(node: String, unlessShown: Int64, DatabaseIdentity)
  case finish(EndWait.Outcome)
  case log(LeaseNote)
}

@testable import OstiaryServer

/// A model of the database: what is committed, and nothing else. Its rules are those of the statements (``LeaseStatements``).
struct LeaseDatabase: Hashable, Sendable {
  /// A statement that does not do what the machines trust it with.
  enum Fault: Hashable, Sendable, CaseIterable {
    /// A question puts its node back onto the list itself, and counts.
    case questionRegisters
    /// A question counts that has found its node on the list before the node was taken off, and came back.
    case registersLate
    /// A question that has looked earlier and is committed later takes back what the node was shown since.
    case shownGoesBack
    /// A node is taken off the list, also if it was shown the number since.
    case takesOffUncompared
    /// A node is taken off another database's list.
    case takesOffElsewhere
  }

  /// A node's row.
  struct Row: Hashable, Sendable {
    var isListed = true
    /// How often it has come onto the list.
    var listing = 0
    var identity: DatabaseIdentity?
    var shown: Int64 = 0
    var applied: Int64 = 0

    /// What the row says of this database: nothing, if the numbers are another one's.
    func numbers(of other: DatabaseIdentity) -> (shown: Int64, applied: Int64) {
      identity == other ? (shown, applied) : (0, 0)
    }
  }

  /// What a question has found when it looked, and has not committed yet.
  struct Look: Hashable, Sendable {
    let identity: DatabaseIdentity
    let shown: Int64
    /// Which listing of its node it has found; nil where the node is not on the list.
    let listing: Int?
  }

  var fault: Fault?
  var timeline: Int64 = 1
  /// What has ended, in the order of the numbers, which begin with 1.
  var ends: [Int] = []
  var rows: [Row]
  /// When the first end was numbered on this timeline.
  var timelineSince: Int?

  var identity: DatabaseIdentity { DatabaseIdentity(system: 1, timeline: timeline) }
  var newest: Int64 { Int64(ends.count) }
  var endsMask: Int { ends.reduce(0) { $0 | 1 << $1 } }

  func end(_ number: Int64) -> LeaseEnd {
    LeaseEnd(number: number, kind: .session, subject: "\(ends[Int(number) - 1])")
  }

  /// A question looks: its snapshot.
  func look(of node: Int) -> Look {
    Look(identity: identity, shown: newest, listing: rows[node].isListed ? rows[node].listing : nil)
  }

  /// A question writes into its row, and commits. It finds the row as it is now.
  mutating func commit(_ look: Look, _ question: LeaseMachine.Question, of node: Int) -> LeaseAnswer {
    let row = rows[node]
    let isSame = fault == .registersLate || look.listing == row.listing
    guard row.isListed && isSame || fault == .questionRegisters else {
      return LeaseAnswer(identity: identity, shown: look.shown, isListed: false, isCommitted: true)
    }
    let before = row.numbers(of: identity)
    let shown = fault == .shownGoesBack ? look.shown : max(before.shown, look.shown)
    let applied = question.identity == identity ? max(before.applied, question.applied) : before.applied
    rows[node] = Row(listing: row.listing, identity: identity, shown: shown, applied: applied)
    return LeaseAnswer(identity: identity, shown: shown, isListed: true, isCommitted: true)
  }

  /// A node's row comes back onto the list.
  mutating func register(_ node: Int) {
    if !rows[node].isListed { rows[node] = Row(listing: rows[node].listing + 1) }
  }

  mutating func writeApplied(_ number: Int64, _ origin: DatabaseIdentity, of node: Int) {
    guard rows[node].isListed, rows[node].identity == origin, number > rows[node].applied else { return }
    rows[node].applied = number
  }

  /// The statement compares with the row as it is when its turn has come, and does nothing in another database.
  mutating func takeOff(_ node: Int, unlessShown number: Int64, _ origin: DatabaseIdentity) {
    let row = rows[node]
    guard identity == origin || fault == .takesOffElsewhere, row.isListed else { return }
    guard row.identity != origin || row.shown < number || fault == .takesOffUncompared else { return }
    rows[node] = Row(isListed: false, listing: row.listing)
  }

  mutating func leave(_ node: Int) { rows[node] = Row(isListed: false) }

  var list: [EndWait.Node] {
    rows.indices.filter { rows[$0].isListed }.map { node in
      EndWait.Node(
        id: "\(node)", identity: rows[node].identity, shown: rows[node].shown, applied: rows[node].applied)
    }
  }
}

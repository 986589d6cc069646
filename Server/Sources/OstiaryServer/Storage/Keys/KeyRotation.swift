/// The stages of a key. The database stores the raw values: none is ever changed.
package enum KeyStage: String, Sendable {
  /// It waits until every server has it.
  case offered
  /// It is the one that is used.
  case current
  /// It was used before, and opens what was made with it.
  case former
  /// Nothing opens with it any more.
  case retired
}

/// How the servers that share a database change its key: what the database says of it, and what follows. A value: it has no clock and
/// no database.
///
/// 1. A new key is *offered*: the database has it, sealed with the one that is used. A server that has that one opens it, and
///    registers that it has both. From then on it opens what is made with either.
/// 2. It becomes *current* when every live server has registered it: not before, or a server would get what it can't open.
/// 3. It is *settled* when every live server uses it. Then nothing more is made with the former key, and what was sealed with it is
///    sealed again.
/// 4. The former key is *retired* when nothing depends on it, and each live server has the new one in its place, or could not start
///    again.
///
/// A server is live while it is seen, and for a while after each stage has begun: a server that is idle writes nothing. One that knows
/// nothing of this, being of a version before, registers nothing: it keeps a key from being used until it has ended.
///
/// While the database takes no writes, a server can't register. It may serve all the same if no change is under way, and reads the keys
/// every second. So each stage lasts for a few seconds: then that server, too, has what was offered, and uses what is used.
package struct KeyRotation: Sendable, Hashable {
  /// How long a server that is not seen is waited for, in seconds. A server writes its row every few seconds while it is waited for.
  static let standardPatience: Double = 60
  /// How long a stage lasts at least, in seconds: longer than between two looks of a server that has not registered.
  static let standardNotice: Double = 3

  package struct Key: Sendable, Hashable {
    package let number: Int64
    package var stage: KeyStage
    package var offeredAt: Double
    package var usedAt: Double?
    package var settledAt: Double?
    package var neededUntil: Double?
    package var resealedAt: Double?
  }

  package struct Node: Sendable, Hashable {
    package let id: String
    package let version: String
    package var seenAt: Double
    /// Nil if the server knows nothing of keys that follow each other.
    package var known: Int64?
    package var used: Int64?
    package var kept: Int64?

    package init(id: String, version: String, seenAt: Double, known: Int64?, used: Int64?, kept: Int64?) {
      (self.id, self.version, self.seenAt) = (id, version, seenAt)
      (self.known, self.used, self.kept) = (known, used, kept)
    }
  }

  /// What is to be done with the keys now.
  package enum Step: Sendable, Hashable {
    case use(Int64)
    case settle(Int64)
  }

  /// Why a former key can't be retired now.
  package enum Obstacle: Sendable, Hashable {
    /// There is none.
    case noFormerKey
    /// The new key is not used, or not by these servers.
    case notUsed([Node])
    /// What was sealed with it is being sealed again.
    case sealing
    /// What was made with it counts until then.
    case needed(until: Double)
    /// These servers have it in their place still, and could not start again.
    case kept([Node])
  }

  package var keys: [Key]
  package var nodes: [Node]
  /// The database's time.
  package var now: Double
  private let patience: Double
  private let notice: Double

  init(
    keys: [Key], nodes: [Node], now: Double, patience: Double = standardPatience, notice: Double = standardNotice
  ) {
    (self.keys, self.nodes, self.now, self.patience, self.notice) = (keys, nodes, now, patience, notice)
  }

  package var offered: Key? { keys.last.flatMap { $0.stage == .offered ? $0 : nil } }
  package var current: Key? { keys.last { $0.stage == .current } }
  package var former: Key? { keys.last { $0.stage == .former } }

  /// Whether something of a change is left to be done.
  package var isUnderWay: Bool { offered != nil || former != nil }

  /// Whether servers are waited for, and have to be seen.
  var waitsForNodes: Bool { offered != nil || (former != nil && current?.settledAt == nil) }

  /// Whether a server may serve that could not register: one that begins in the middle of a change would not be asked which key it
  /// would start with again.
  var admitsUnregistered: Bool { !isUnderWay }

  /// When the stage that is under way began.
  private var began: Double {
    [offered?.offeredAt, former == nil ? nil : current?.usedAt].compactMap { $0 }.max() ?? -.infinity
  }

  /// The servers that run, as far as is known.
  package var liveNodes: [Node] {
    nodes.filter { max($0.seenAt, began) + patience > now }
  }

  /// The servers that the next step waits for.
  package var waitedFor: [Node] {
    if let offered { return liveNodes.filter { ($0.known ?? 0) < offered.number } }
    guard let current, former != nil, current.settledAt == nil else { return [] }
    return liveNodes.filter { ($0.used ?? 0) < current.number }
  }

  /// The step that is due.
  package var step: Step? {
    // A clock that was set back must not hold the change up until it is there again.
    guard waitedFor.isEmpty, abs(now - began) >= notice else { return nil }
    if let offered { return .use(offered.number) }
    if let current, former != nil, current.settledAt == nil { return .settle(current.number) }
    return nil
  }

  /// The number of the key with which what the former one has sealed is to be sealed again; nil if that is done, or is too early.
  package var resealing: Int64? {
    guard former != nil, let current, current.settledAt != nil, current.resealedAt == nil else { return nil }
    return current.number
  }

  /// What keeps the former key from being retired.
  /// - Parameter early: whether what is made with it for a time, such as an open page, may be lost.
  package func obstacles(early: Bool) -> [Obstacle] {
    guard former != nil, let current else { return offered == nil ? [.noFormerKey] : [.notUsed(waitedFor)] }
    guard current.settledAt != nil else { return [.notUsed(waitedFor)] }
    var found: [Obstacle] = []
    if current.resealedAt == nil { found.append(.sealing) }
    if !early, let until = current.neededUntil, until > now { found.append(.needed(until: until)) }
    let keeping = liveNodes.filter { ($0.kept ?? 0) < current.number }
    if !keeping.isEmpty { found.append(.kept(keeping)) }
    return found
  }
}

/// What a family of refresh tokens must look like from outside: one token is live; those before it are replayable for a
/// while, with the one successor each has, and then spent; at the use of a spent one the family is revoked.
struct FamilyModel: Hashable, Sendable {
  /// A token, or the successor of one whose answer no client has seen yet.
  enum Token: Hashable, Sendable {
    case known(String)
    case successorOf(String)
  }

  struct Spent: Hashable, Sendable {
    var successor: Token
    var replayableUntil: Double
  }

  private(set) var live: Token
  private(set) var spent: [String: Spent] = [:]
  private(set) var isRevoked = false

  /// - Parameter first: the family's first token.
  init(first: String) {
    live = .known(first)
  }

  /// The state after an operation; nothing if the model does not allow its outcome in this state.
  func applying(_ operation: TokenOperation, window: Double) -> FamilyModel? {
    switch operation.action {
    case .revoke: revoking(operation.outcome)
    case .refresh: refreshing(operation.token, operation.time, operation.outcome, window)
    }
  }

  private func revoking(_ outcome: TokenOperation.Outcome) -> FamilyModel? {
    if case .found(let found) = outcome, found == isRevoked { return nil }
    var next = self
    next.isRevoked = true
    return next
  }

  private func refreshing(
    _ token: String, _ time: Double, _ outcome: TokenOperation.Outcome, _ window: Double
  ) -> FamilyModel? {
    var next = self
    if isRevoked {
      return outcome == .refused("unknown") || outcome == .unknown ? self : nil
    }
    if live == .known(token) {
      let successor: Token
      switch outcome {
      case .unknown: successor = .successorOf(token)
      case .issued(let text):
        // A new token is one that no client has had before.
        guard text != token, spent[text] == nil, !spent.values.contains(where: { $0.successor == .known(text) }) else {
          return nil
        }
        successor = .known(text)
      default: return nil
      }
      next.spent[token] = Spent(successor: successor, replayableUntil: time + window)
      next.live = successor
      return next
    }
    guard let known = spent[token] else { return nil }
    if time < known.replayableUntil {
      switch outcome {
      case .unknown: return self
      case .issued(let text): return learning(known.successor, is: text)
      default: return nil
      }
    }
    guard outcome == .refused("reused") || outcome == .unknown else { return nil }
    next.isRevoked = true
    return next
  }

  /// A replay's answer must be the successor, or tells for the first time which it is.
  private func learning(_ successor: Token, is text: String) -> FamilyModel? {
    if case .known(let known) = successor { return known == text ? self : nil }
    guard spent[text] == nil, live != .known(text) else { return nil }
    var next = self
    for key in spent.keys where spent[key]?.successor == successor { next.spent[key]?.successor = .known(text) }
    if live == successor { next.live = .known(text) }
    return next
  }
}

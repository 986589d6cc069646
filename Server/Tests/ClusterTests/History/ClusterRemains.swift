/// What a database has at the end, when no client asks for anything any more.
struct ClusterRemains: Sendable {
  /// The live refresh token of each family, as the database names both: by hashes.
  let leaves: [String: String]
  /// How the database names the family of a refresh token; nil for a text that is none.
  let handle: @Sendable (String) -> String?
  /// How it names the token.
  let hash: @Sendable (String) -> String
}

extension ClusterJudge {
  /// Compares the database with what its clients were told. A probe asks a server about some tokens: this is about all families, and
  /// about those that no client knows of.
  mutating func judge(_ remains: ClusterRemains) {
    var unknown = remains.leaves
    var tokens = families.map { _ in [String]() }
    for (token, owner) in owners where families[owner].accessTokens[token] == nil { tokens[owner].append(token) }
    for (family, tokens) in zip(families, tokens) {
      guard let handle = tokens.lazy.compactMap(remains.handle).first else { continue }
      judge(family, tokens, leaf: unknown.removeValue(forKey: handle), remains)
    }
    // Each redemption whose answer was lost may have begun one.
    let unseen = redemptions.values.count { events in
      let isIssued = events.contains { if case .issued = $0.outcome { true } else { false } }
      return !isIssued && events.contains { $0.outcome.isUncertain }
    }
    if unknown.count > unseen {
      report(.redeemedTwice, "\(unknown.count) families that no client has, of \(unseen) redemptions without an answer")
    }
  }

  private mutating func judge(
    _ family: ClusterFamily, _ tokens: [String], leaf: String?, _ remains: ClusterRemains
  ) {
    guard let leaf else {
      if !family.mayHaveEnded(by: .infinity) {
        let what = "the family of client \(family.client) from \(family.began) on is not in the database"
        report(.notDurable, what, isExcused: mayBeLost(family))
      }
      return
    }
    if family.ended < .infinity {
      let what = "the family of client \(family.client) that ended at \(family.ended) is in the database"
      report(.cameBack, what, isExcused: mayBeLost(family.ended))
    }
    // A token that no client was given is the successor of one whose answer was lost.
    guard let live = tokens.first(where: { remains.hash($0) == leaf }) else {
      if !tokens.contains(where: family.mayHaveUnseenSuccessor) {
        report(.twoLeaves, "client \(family.client) was never given the live token of its family")
      }
      return
    }
    if let successor = family.successors[live]?.first {
      let isExcused = mayBeLost(family) || family.wasGiven(successor, in: lost)
      report(.notDurable, "a rotation of client \(family.client) is not in the database", isExcused: isExcused)
    }
  }
}

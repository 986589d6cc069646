/// Says what in a history must not be: history in, violations out.
struct ClusterJudge {
  enum Rule: String, CaseIterable, Sendable {
    /// A sign-in ended, and no client had asked for that.
    case signedOut
    /// A family had two branches, or two live leaves.
    case twoLeaves
    /// What had ended was accepted by a request that began later.
    case cameBack
    /// What the server had confirmed was not there.
    case notDurable
    /// One code gave tokens twice.
    case redeemedTwice
    /// A definite word, or a status that is none, where 503 with `Retry-After` is right.
    case wrongAnswer
  }

  struct Violation: Sendable, CustomStringConvertible {
    let rule: Rule
    let what: String
    let event: ClusterEvent?

    var description: String { "\(rule.rawValue): \(what)\(event.map { ": \($0)" } ?? "")" }
  }

  private(set) var families: [ClusterFamily] = []
  /// The family of each refresh token and access token.
  private(set) var owners: [String: Int] = [:]
  /// When each code was given.
  private var codes: [String: Double] = [:]
  private(set) var redemptions: [String: [ClusterEvent]] = [:]
  /// The clients one of whose log-ins has an unknown outcome.
  private var interrupted: Set<Int> = []
  /// When each client began to redeem what may have given it tokens.
  private var signIns: [Int: [Double]] = [:]
  /// As many the door keeps of a user for an app, as the vendor does.
  private static let mostSignIns = 5
  private var accessTokenEnds: [String: (asked: Double, ended: Double)] = [:]
  private var violations: [Violation] = []
  /// What would be a violation, had no failover lost commits.
  private var excused: [Violation] = []
  /// The intervals whose last commits a failover may have lost.
  let lost: [ClosedRange<Double>]

  private init(lost: [ClosedRange<Double>] = []) { self.lost = lost }

  /// What must not be in a history.
  /// - Parameter lost: the intervals whose last commits a failover may have lost: without a synchronous standby what was confirmed then
  ///   may be gone. A sign-in that was older goes on, unless it was rotated more than once in the interval; and a family never has two
  ///   live leaves.
  static func violations(in history: ClusterHistory, lost: [ClosedRange<Double>] = []) -> [Violation] {
    verdict(on: history, lost: lost).violations
  }

  /// As ``violations(in:lost:)``, and what lost commits excuse.
  /// - Parameter remains: what the database has at the end, if it was read.
  static func verdict(
    on history: ClusterHistory, lost: [ClosedRange<Double>], remains: ClusterRemains? = nil
  ) -> (violations: [Violation], excused: [Violation]) {
    var judge = ClusterJudge(lost: lost)
    let events = history.events.sorted { $0.begin < $1.begin }
    for event in events { judge.read(event) }
    judge.judgeCodes()
    for family in judge.families { judge.judge(family) }
    for signOut in history.signOuts { judge.judge(signOut) }
    if let remains { judge.judge(remains) }
    return (judge.violations, judge.excused)
  }

  /// The refresh tokens of each family, in the order in which they were given, and whether it should be alive.
  static func families(
    in history: ClusterHistory
  ) -> [(client: Int, refreshTokens: [String], mayHaveEnded: Bool)] {
    var judge = ClusterJudge()
    for event in history.events.sorted(by: { $0.begin < $1.begin }) { judge.read(event) }
    var tokens = judge.families.map { _ in [String]() }
    for event in history.events.sorted(by: { $0.end < $1.end }) {
      guard case .issued(_, let refresh) = event.outcome, let owner = judge.owners[refresh],
        !tokens[owner].contains(refresh)
      else { continue }
      tokens[owner].append(refresh)
    }
    return zip(judge.families, tokens).map { ($0.client, $1, $0.mayHaveEnded(by: .infinity)) }
  }

  mutating func report(_ rule: Rule, _ what: String, _ event: ClusterEvent? = nil, isExcused: Bool = false) {
    let violation = Violation(rule: rule, what: what, event: event)
    if isExcused { excused.append(violation) } else { violations.append(violation) }
  }

  func mayBeLost(_ time: Double) -> Bool { lost.contains { $0.contains(time) } }

  /// Whether a failover may have ended the family: it began in the interval, or more of its rotations were lost than the server
  /// recognises.
  func mayBeLost(_ family: ClusterFamily) -> Bool {
    guard !mayBeLost(family.began) else { return true }
    return lost.contains { interval in
      family.events.count {
        guard $0.action == .refresh, case .issued = $0.outcome else { return false }
        return interval.contains($0.end)
      } > 1
    }
  }

  // MARK: Reading

  private mutating func read(_ event: ClusterEvent) {
    switch event.outcome {
    // A log-in counts as a wrong guess until its password was verified: those of a killed node stay counted for the client's address.
    case .fault(status: 429) where event.action == .authorize && interrupted.contains(event.client): break
    case .fault(let status): report(.wrongAnswer, "status \(status)", event)
    case .unavailable(saysWhen: false): report(.wrongAnswer, "503 without Retry-After", event)
    default: break
    }
    switch event.action {
    case .authorize:
      if case .refused = event.outcome { report(.wrongAnswer, "a right password was refused", event) }
      if case .coded(let code) = event.outcome { codes[code] = event.end }
      if event.outcome.isUncertain { interrupted.insert(event.client) }
    case .redeem: readRedemption(event)
    case .refresh, .call, .introspect, .probe, .revoke: readUse(event)
    }
  }

  /// One sign-in more than the app keeps of a user ends the oldest. Those that a client has left behind while no server could end them
  /// count, too.
  private mutating func noteDisplaced(by event: ClusterEvent) {
    if case .refused = event.outcome { return }
    let begun = signIns[event.client, default: []] + [event.begin]
    signIns[event.client] = begun
    for place in families.indices where families[place].client == event.client {
      let later = begun.count { $0 > families[place].began }
      if later >= Self.mostSignIns { families[place].mayEnd(from: event.begin) }
    }
  }

  private mutating func readRedemption(_ event: ClusterEvent) {
    redemptions[event.token, default: []].append(event)
    noteDisplaced(by: event)
    guard case .issued(let access, let refresh) = event.outcome else { return }
    var family = ClusterFamily(client: event.client, code: event.token, began: event.end)
    family.accessTokens[access] = event.end
    owners[access] = families.count
    owners[refresh] = families.count
    families.append(family)
  }

  private mutating func readUse(_ event: ClusterEvent) {
    guard let owner = owners[event.token] else {
      return report(.wrongAnswer, "the harness has shown what no server has given", event)
    }
    families[owner].events.append(event)
    let isAccessToken = families[owner].accessTokens[event.token] != nil
    switch (event.action, event.outcome) {
    case (.refresh, .issued(let access, let refresh)):
      families[owner].successors[event.token, default: []].insert(refresh)
      owners[access] = owner
      owners[refresh] = owner
      families[owner].accessTokens[access] = min(families[owner].accessTokens[access] ?? .infinity, event.end)
    case (.refresh, .refused): families[owner].hasEnded(by: event.end)
    case (.revoke, let outcome) where isAccessToken:
      var end = accessTokenEnds[event.token] ?? (.infinity, .infinity)
      end.asked = min(end.asked, event.begin)
      if !outcome.isUncertain { end.ended = min(end.ended, event.end) }
      accessTokenEnds[event.token] = end
    case (.revoke, let outcome):
      // That the token is unknown explains nothing: an earlier revocation does.
      if case .refused = outcome {} else { families[owner].mayEnd(from: event.begin) }
      if !outcome.isUncertain { families[owner].hasEnded(by: event.end) }
    default: break
    }
  }

  // MARK: Judging

  private mutating func judgeCodes() {
    for (code, events) in redemptions {
      let issued = events.filter { if case .issued = $0.outcome { true } else { false } }
      if issued.count > 1 { report(.redeemedTwice, "\(issued.count) times", issued.last) }
      // One of those who show it gets tokens, or does not learn it.
      if let refused = events.first, events.allSatisfy({ if case .refused = $0.outcome { true } else { false } }) {
        report(
          .wrongAnswer, "a new code was refused", refused, isExcused: mayBeLost(codes[code] ?? .infinity))
      }
      // OAuth: the second use of a code ends what the first has given (RFC 6749 §4.1.2).
      guard events.count > 1 else { continue }
      for index in families.indices where families[index].code == code { families[index].mayEnd(from: events[1].begin) }
    }
  }

  private mutating func judge(_ family: ClusterFamily) {
    for (token, successors) in family.successors where successors.count > 1 {
      let event = family.events.last { $0.action == .refresh && $0.token == token }
      report(.twoLeaves, "\(successors.count) successors", event)
    }
    let live = Set(
      family.events.filter { $0.action == .probe && $0.outcome == .accepted && isRefreshToken($0.token, family) }
        .map(\.token))
    if live.count > 1 {
      report(.twoLeaves, "\(live.count) live leaves", family.events.last { live.contains($0.token) })
    }
    for event in family.events { judge(event, of: family) }
  }

  private func isRefreshToken(_ token: String, _ family: ClusterFamily) -> Bool { family.accessTokens[token] == nil }

  private mutating func judge(_ event: ClusterEvent, of family: ClusterFamily) {
    switch (event.action, event.outcome) {
    case (.refresh, .issued), (.call, .accepted), (.introspect, .accepted), (.probe, .accepted):
      if event.begin > family.ended {
        report(.cameBack, "its family had ended", event, isExcused: mayBeLost(family.ended))
      }
      if let ended = accessTokenEnds[event.token]?.ended, event.begin > ended {
        report(.cameBack, "it had been revoked", event, isExcused: mayBeLost(ended))
      }
    case (.refresh, .refused):
      if !family.mayHaveEnded(by: event.end) {
        report(.signedOut, "no client has ended it", event, isExcused: mayBeLost(family))
      }
    case (.revoke, .refused) where isRefreshToken(event.token, family):
      if !family.mayHaveEnded(by: event.end) {
        report(.signedOut, "it had ended before it was revoked", event, isExcused: mayBeLost(family))
      }
    case (.call, .refused), (.introspect, .refused), (.probe, .refused):
      guard !family.mayHaveEnded(by: event.end) else { break }
      if isRefreshToken(event.token, family) {
        let isLeaf = family.successors[event.token] == nil && !family.mayHaveUnseenSuccessor(event.token)
        let isExcused = mayBeLost(family) || family.wasGiven(event.token, in: lost)
        if isLeaf { report(.notDurable, "a leaf that was given is not there", event, isExcused: isExcused) }
      } else if accessTokenEnds[event.token]?.asked ?? .infinity >= event.end,
        !family.mayBeReplaced(event.token, by: event.end)
      {
        let isExcused = mayBeLost(family) || mayBeLost(family.accessTokens[event.token] ?? .infinity)
        report(.notDurable, "an access token that was given is not there", event, isExcused: isExcused)
      }
    default: break
    }
  }

  private mutating func judge(_ signOut: ClusterSignOut) {
    let family = families.last { $0.client == signOut.client && $0.began <= signOut.time }
    guard let family, !family.mayHaveEnded(by: signOut.time) else { return }
    report(
      .signedOut, "client \(signOut.client) at \(signOut.time): \(signOut.cause)", isExcused: mayBeLost(family))
  }
}

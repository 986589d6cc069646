import Testing

@Suite("Judge of a cluster's history")
struct ClusterJudgeTests {
  private static func event(
    _ action: ClusterEvent.Action, _ token: String, _ outcome: ClusterEvent.Outcome, _ span: ClosedRange<Double>,
    node: Int = 0
  ) -> ClusterEvent {
    ClusterEvent(
      client: 1, node: node, action: action, token: token, begin: span.lowerBound, end: span.upperBound,
      outcome: outcome)
  }

  private static func issued(_ number: Int) -> ClusterEvent.Outcome {
    .issued(access: "access\(number)", refresh: "refresh\(number)")
  }

  /// A sign-in, and one rotation.
  private static let life = [
    event(.authorize, "ann", .coded("code"), 0...1), event(.redeem, "code", issued(1), 2...3),
    event(.call, "access1", .accepted, 4...5), event(.refresh, "refresh1", issued(2), 6...7),
  ]

  static let wrongs: [(rule: ClusterJudge.Rule, events: [ClusterEvent])] = [
    // Signed out, though no client asked for it: by the refresh token's word, by a revocation's, by the SDK's.
    (.signedOut, [event(.refresh, "refresh2", .refused(status: 400), 8...9)]),
    (.signedOut, [event(.revoke, "refresh2", .refused(status: 400), 8...9)]),
    (
      .signedOut,
      [
        event(.refresh, "refresh2", .refused(status: 400), 8...9), event(.revoke, "refresh2", .accepted, 10...11),
      ]
    ),
    // Another branch, at once or later.
    (.twoLeaves, [event(.refresh, "refresh1", issued(3), 6...7, node: 2)]),
    (.twoLeaves, [event(.probe, "refresh1", .accepted, 8...9), event(.probe, "refresh2", .accepted, 8...9)]),
    // Ended, and accepted later by any node, for any purpose.
    (.cameBack, [event(.revoke, "refresh2", .accepted, 8...9), event(.call, "access2", .accepted, 10...11, node: 2)]),
    (.cameBack, [event(.revoke, "refresh1", .accepted, 8...9), event(.introspect, "access1", .accepted, 10...11)]),
    (.cameBack, [event(.revoke, "refresh2", .accepted, 8...9), event(.refresh, "refresh2", issued(3), 10...11)]),
    (.cameBack, [event(.revoke, "refresh2", .accepted, 8...9), event(.probe, "refresh2", .accepted, 10...11)]),
    (.cameBack, [event(.revoke, "access2", .accepted, 8...9), event(.call, "access2", .accepted, 10...11)]),
    (
      .cameBack,
      [
        event(.revoke, "refresh2", .lost, 8...9), event(.refresh, "refresh2", .refused(status: 400), 10...11),
        event(.call, "access2", .accepted, 12...13),
      ]
    ),
    // Confirmed, and not there.
    (.notDurable, [event(.call, "access2", .refused(status: 401), 8...9)]),
    (.notDurable, [event(.introspect, "access2", .refused(status: 200), 8...9)]),
    (.notDurable, [event(.probe, "refresh2", .refused(status: 200), 8...9)]),
    // Tokens twice for one code.
    (.redeemedTwice, [event(.redeem, "code", issued(7), 2.5...9)]),
    // A definite word where there can be none, and no word at all.
    (.wrongAnswer, [event(.authorize, "ann", .refused(status: 400), 8...9)]),
    (.wrongAnswer, [event(.redeem, "other", .refused(status: 400), 8...9)]),
    (.wrongAnswer, [event(.call, "access2", .fault(status: 500), 8...9)]),
    (.wrongAnswer, [event(.call, "access2", .unavailable(saysWhen: false), 8...9)]),
    (.wrongAnswer, [event(.call, "never given", .accepted, 8...9)]),
  ]

  private static func rules(_ events: [ClusterEvent], signOuts: [ClusterSignOut] = []) -> [ClusterJudge.Rule] {
    ClusterJudge.violations(in: ClusterHistory(events: events, signOuts: signOuts)).map(\.rule)
  }

  @Test("RT-04: what a cluster may do is no violation")
  func right() {
    #expect(Self.rules([]) == [])
    #expect(Self.rules(Self.life) == [])
    let revoked = Self.event(.revoke, "refresh2", .accepted, 8...9)
    // A request that was under way may go either way.
    for outcome in [ClusterEvent.Outcome.accepted, .refused(status: 401), .unavailable(saysWhen: true), .lost] {
      #expect(Self.rules(Self.life + [revoked, Self.event(.call, "access2", outcome, 8.5...12)]) == [])
    }
    #expect(
      Self.rules(
        Self.life + [
          revoked, Self.event(.refresh, "refresh2", .refused(status: 400), 10...11),
          Self.event(.revoke, "refresh2", .refused(status: 400), 12...13),
        ], signOuts: [ClusterSignOut(client: 1, time: 11, cause: "rejected_by_server")]) == [])
    // Of a revocation whose answer was lost both may be true.
    let lost = Self.event(.revoke, "refresh2", .lost, 8...9)
    #expect(Self.rules(Self.life + [lost, Self.event(.call, "access2", .accepted, 10...11)]) == [])
    #expect(Self.rules(Self.life + [lost, Self.event(.refresh, "refresh2", .refused(status: 400), 10...11)]) == [])
    // The same successor again, and what it has replaced.
    #expect(
      Self.rules(
        Self.life + [
          Self.event(.refresh, "refresh1", Self.issued(2), 8...9),
          Self.event(.call, "access1", .refused(status: 401), 10...11),
          Self.event(.probe, "refresh1", .refused(status: 200), 12...13),
          Self.event(.probe, "refresh2", .accepted, 12...13),
        ]) == [])
    // The last successor was never seen.
    #expect(
      Self.rules(
        Self.life + [
          Self.event(.refresh, "refresh2", .lost, 8...9),
          Self.event(.probe, "refresh2", .refused(status: 200), 10...11),
        ]) == [])
    // A code that two have shown: one gets tokens, and they may end.
    #expect(
      Self.rules([
        Self.event(.redeem, "code", Self.issued(1), 2...3), Self.event(.redeem, "code", .refused(status: 400), 2...4),
        Self.event(.refresh, "refresh1", .refused(status: 400), 5...6),
      ]) == [])
  }

  @Test("RT-04, RT-05, OP-06, OP-07: each violation is found", arguments: ClusterJudgeTests.wrongs)
  func wrong(rule: ClusterJudge.Rule, events: [ClusterEvent]) {
    #expect(Self.rules(Self.life + events) == [rule])
  }

  @Test("RT-04: the end of a session of the SDK that no client asked for is found")
  func signedOut() {
    let signOut = ClusterSignOut(client: 1, time: 8, cause: "rejected_by_server")
    #expect(Self.rules(Self.life, signOuts: [signOut]) == [.signedOut])
    #expect(Self.rules(Self.life, signOuts: [ClusterSignOut(client: 2, time: 8, cause: "")]) == [])
  }

  @Test("RT-04: what a failover may have lost is no violation, and what it must not lose is one")
  func lostCommits() {
    func rules(_ events: [ClusterEvent], lost: ClosedRange<Double>) -> [ClusterJudge.Rule] {
      ClusterJudge.violations(in: ClusterHistory(events: Self.life + events), lost: [lost]).map(\.rule)
    }
    let refused = Self.event(.refresh, "refresh2", .refused(status: 400), 20...21)
    // One rotation in the interval ends nothing, two may; what was given and ended in the interval may be gone.
    #expect(rules([refused], lost: 6...10) == [.signedOut])
    #expect(rules([refused], lost: 2...10) == [])
    let again = Self.event(.refresh, "refresh2", Self.issued(3), 8...9)
    let late = Self.event(.refresh, "refresh3", .refused(status: 400), 20...21)
    #expect(rules([again, late], lost: 6...10) == [])
    #expect(rules([again, late], lost: 8...10) == [.signedOut])
    let revoked = [Self.event(.revoke, "refresh2", .accepted, 8...9), Self.event(.call, "access2", .accepted, 20...21)]
    #expect(rules(revoked, lost: 8...10) == [])
    #expect(rules(revoked, lost: 12...14) == [.cameBack])
    let gone = Self.event(.call, "access2", .refused(status: 401), 20...21)
    #expect(rules([gone], lost: 6...10) == [])
    #expect(rules([gone], lost: 12...14) == [.notDurable])
    // What is excused is listed.
    let history = ClusterHistory(events: Self.life + [refused])
    #expect(ClusterJudge.verdict(on: history, lost: [2...10]).excused.map(\.rule) == [.signedOut])
    #expect(ClusterJudge.verdict(on: history, lost: [6...10]).excused.isEmpty)
    // There is never another branch.
    #expect(rules([Self.event(.refresh, "refresh1", Self.issued(3), 8...9)], lost: 2...10) == [.twoLeaves])
  }

  /// What a database has, as hand-made tokens name it: the family of all is one, and a token is its own hash.
  private static func remains(_ leaves: [String: String]) -> ClusterRemains {
    ClusterRemains(leaves: leaves, handle: { $0.hasPrefix("refresh") ? "family" : nil }, hash: { $0 })
  }

  private static func rules(
    _ events: [ClusterEvent], _ leaves: [String: String], lost: [ClosedRange<Double>] = []
  ) -> [ClusterJudge.Rule] {
    ClusterJudge.verdict(on: ClusterHistory(events: events), lost: lost, remains: remains(leaves))
      .violations.map(\.rule)
  }

  @Test("RT-04, RT-05, OP-06: what is in the database at the end is what its clients were told")
  func database() {
    let revoked = Self.event(.revoke, "refresh2", .accepted, 8...9)
    let unanswered = Self.event(.revoke, "refresh2", .lost, 8...9)
    #expect(Self.rules(Self.life, ["family": "refresh2"]) == [])
    #expect(Self.rules(Self.life + [revoked], [:]) == [])
    for leaves in [[:], ["family": "refresh2"]] { #expect(Self.rules(Self.life + [unanswered], leaves) == []) }
    // The answer to a rotation, or to a redemption, was lost.
    let rotated = Self.event(.refresh, "refresh2", .lost, 8...9)
    for leaf in ["refresh2", "unseen"] { #expect(Self.rules(Self.life + [rotated], ["family": leaf]) == []) }
    let begun = Self.event(.redeem, "other", .unavailable(saysWhen: true), 8...9)
    for leaves in [["family": "refresh2"], ["family": "refresh2", "other": "unseen"]] {
      #expect(Self.rules(Self.life + [begun], leaves) == [])
    }

    // What was given is gone; a rotation is; what has ended is there; a leaf that no client has; a family that none has.
    #expect(Self.rules(Self.life, [:]) == [.notDurable])
    #expect(Self.rules(Self.life, ["family": "refresh1"]) == [.notDurable])
    #expect(Self.rules(Self.life + [revoked], ["family": "refresh2"]) == [.cameBack])
    #expect(Self.rules(Self.life, ["family": "unseen"]) == [.twoLeaves])
    #expect(Self.rules(Self.life, ["family": "refresh2", "other": "unseen"]) == [.redeemedTwice])

    // Lost commits excuse what they may have lost, and nothing else.
    #expect(Self.rules(Self.life, ["family": "refresh1"], lost: [6...8]) == [])
    #expect(Self.rules(Self.life, ["family": "refresh1"], lost: [12...14]) == [.notDurable])
    #expect(Self.rules(Self.life + [revoked], ["family": "refresh2"], lost: [8...10]) == [])
    #expect(Self.rules(Self.life, [:], lost: [2...4]) == [])
    #expect(Self.rules(Self.life, [:], lost: [6...8]) == [.notDurable])
  }

  @Test("Of the sign-ins that an app keeps of a user one more may end the oldest, and not before")
  func displaced() {
    // Their tokens are of no family that the database is asked about.
    let others = (1...5).map { number in
      Self.event(
        .redeem, "code\(number)", .issued(access: "other\(number)", refresh: "another\(number)"),
        Double(8 + number)...Double(9 + number))
    }
    #expect(Self.rules(Self.life + others, [:]) == [])
    #expect(Self.rules(Self.life + others.dropLast(), [:]) == [.notDurable])
    let refused = Self.event(.redeem, "code6", .refused(status: 400), 20...21)
    #expect(Self.rules(Self.life + others.dropLast() + [refused], [:]).contains(.notDurable))
  }

  @Test("A log-in has to wait only where an earlier one was interrupted, and of two that show a code one gets tokens")
  func refusals() {
    let waits = Self.event(.authorize, "ann", .fault(status: 429), 8...9)
    #expect(Self.rules(Self.life + [waits]) == [.wrongAnswer])
    #expect(Self.rules(Self.life + [Self.event(.authorize, "ann", .lost, 6...7), waits]) == [])
    let refused = [0, 1].map { Self.event(.redeem, "other", .refused(status: 400), 8...9, node: $0) }
    #expect(Self.rules(Self.life + refused) == [.wrongAnswer])
    let unknown = Self.event(.redeem, "other", .lost, 8...9)
    #expect(Self.rules(Self.life + [refused[0], unknown]) == [])
  }

  @Test("The tokens of each family are listed in their order")
  func families() {
    let families = ClusterJudge.families(
      in: ClusterHistory(events: Self.life + [Self.event(.revoke, "refresh2", .lost, 8...9)]))
    #expect(families.map(\.refreshTokens) == [["refresh1", "refresh2"]])
    #expect(families.map(\.mayHaveEnded) == [true])
  }
}

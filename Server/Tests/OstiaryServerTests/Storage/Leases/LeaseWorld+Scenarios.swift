@testable import OstiaryServer

extension LeaseWorld.Scenario {
  /// Each shows the machines something else; together they take seconds.
  static let small = [
    Self(name: "one call after another", states: 43_856),
    Self(name: "an old primary", events: 1, hasOldPrimary: true, states: 4_811),
    Self(name: "statements that fail", events: 1, hasFailures: true, states: 4_958),
    Self(name: "questions that are committed late", events: 1, hasStrayQuestions: true, states: 11_983),
    Self(name: "reads for caches", events: 1, hasSlowReads: true, states: 15_222),
    Self(name: "two calls at once", ticks: 1, calls: 2, losesNotices: false, hasSlowQuestions: false, states: 46_776),
    Self(
      name: "two nodes with caches, and a call on one of them", ticks: 1, nodes: 2, events: 1, origin: 0,
      losesNotices: false, hasSlowQuestions: false, states: 8_768),
    Self(name: "a gap that can't be read", ticks: 1, hasSlowQuestions: false, forgetsEnds: true, states: 14_611),
    Self(name: "a node that stops", ticks: 1, hasSlowQuestions: false, stops: true, states: 19_903),
    Self(
      name: "a failover", ticks: 1, losesNotices: false, hasSlowQuestions: false, failsOver: true, states: 188_521),
  ]

  /// The same with more at once, for minutes.
  static let large = [
    Self(name: "three ends", events: 3, hasSlowQuestions: false, states: 231_994),
    Self(name: "two calls at once, and lost notices", calls: 2, states: 271_293),
    Self(name: "an old primary, and two ends", hasOldPrimary: true, states: 85_178),
    Self(name: "statements that fail, and two ends", hasFailures: true, states: 204_660),
    Self(name: "questions that are committed late, and two ends", hasStrayQuestions: true, states: 530_987),
    Self(name: "reads for caches, and two ends", ticks: 1, losesNotices: false, hasSlowReads: true, states: 236_586),
    Self(name: "two nodes with caches", nodes: 2, events: 1, hasSlowQuestions: false, states: 344_421),
    Self(name: "a failover, and lost notices", hasSlowQuestions: false, failsOver: true, states: 460_159),
    Self(name: "a failover, and slow questions", ticks: 1, losesNotices: false, failsOver: true, states: 273_552),
    Self(
      name: "a failover, and statements that fail", ticks: 1, events: 1, failsOver: true, hasFailures: true,
      states: 26_647),
    Self(
      name: "a failover, and reads for caches", ticks: 1, events: 1, hasSlowReads: true, failsOver: true,
      states: 125_223),
  ]

  /// Statements that don't do what the machines trust them with.
  static let faulty = [
    Self(name: "a question that registers its node", ticks: 1, fault: .questionRegisters),
    Self(
      name: "a question that counts for another listing", ticks: 1, losesNotices: false, hasStrayQuestions: true,
      fault: .registersLate),
    Self(
      name: "a question that takes back what was shown", ticks: 1, losesNotices: false, hasStrayQuestions: true,
      fault: .shownGoesBack),
    Self(name: "a node that is taken off uncompared", ticks: 1, fault: .takesOffUncompared),
    Self(
      name: "a node that is taken off another list", ticks: 1, losesNotices: false, hasSlowQuestions: false,
      failsOver: true, fault: .takesOffElsewhere),
  ]
}

import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Allowances that servers share: the decisions")
struct AllowanceMachineTests {
  private static let day = 86_400.0

  /// Asks the row at once.
  private static func call(
    _ machine: inout AllowanceMachine, _ row: inout AllowanceRow, at now: Double
  ) -> AllowanceMachine.Action {
    let action = machine.step(.call(now: now))
    guard case .ask(let rest) = action else { return action }
    return machine.step(.granted(row.take(rest, machine.terms, now: now), now: now))
  }

  @Test(
    "One server allows exactly the limit, asks seldom, and counts like a counter",
    arguments: [0, 1, 3, 999, 1000, 100_000])
  func alone(limit: Int) {
    var machine = AllowanceMachine(AllowanceTerms(limit: limit, period: Self.day))
    var row = AllowanceRow(start: 0)
    var asks = 0
    for number in 1...(limit + 1) {
      var action = machine.step(.call(now: 1))
      if case .ask(let rest) = action {
        asks += 1
        action = machine.step(.granted(row.take(rest, machine.terms, now: 1), now: 1))
      }
      #expect(action == (number <= limit ? .allow(used: number) : .refuse))
    }
    if limit >= AllowanceTerms.leastShared { #expect(asks < limit / 4) }
    #expect(limit < 100_000 || asks < limit / 50)
  }

  @Test("A limit below 1,000 is decided in the row, call by call")
  func small() {
    #expect(AllowanceTerms(limit: 999, period: 1).share == 1)
    #expect(AllowanceTerms(limit: 1000, period: 1).share == 10)
    var (one, two) = (
      AllowanceMachine(AllowanceTerms(limit: 3, period: Self.day)),
      AllowanceMachine(AllowanceTerms(limit: 3, period: Self.day))
    )
    var row = AllowanceRow(start: 0)
    #expect(Self.call(&one, &row, at: 0) == .allow(used: 1))
    #expect(Self.call(&two, &row, at: 0) == .allow(used: 2))
    #expect(Self.call(&one, &row, at: 0) == .allow(used: 3))
    #expect(Self.call(&two, &row, at: 0) == .refuse)
  }

  @Test("Of calls at once one asks, and the others wait for its answer; after a failure the next one asks")
  func oneQuestion() {
    var machine = AllowanceMachine(AllowanceTerms(limit: 1000, period: Self.day))
    var row = AllowanceRow(start: 0)
    #expect(machine.step(.call(now: 0)) == .ask(nil))
    #expect(machine.step(.call(now: 0)) == .wait)
    #expect(machine.isAsking)
    #expect(machine.step(.failed) == .refuse)
    #expect(!machine.isAsking)
    #expect(machine.step(.call(now: 0)) == .ask(nil))
    #expect(machine.step(.granted(row.take(nil, machine.terms, now: 0), now: 0)) == .allow(used: 1))
    #expect(machine.step(.call(now: 0)) == .allow(used: 2))
  }

  @Test("A share ends with its window, and what is left of it is given back within the window only")
  func windows() {
    let terms = AllowanceTerms(limit: 10_000, period: Self.day)
    var (machine, row) = (AllowanceMachine(terms), AllowanceRow(start: 0))
    #expect(Self.call(&machine, &row, at: 0) == .allow(used: 1))
    #expect(row.taken == 10)
    // In its last seconds each call is decided in the row.
    #expect(Self.call(&machine, &row, at: Self.day - 5) == .allow(used: 2))
    #expect(row == AllowanceRow(window: 0, start: 0, taken: 2))
    #expect(Self.call(&machine, &row, at: Self.day - 4) == .allow(used: 3))
    // If the answer gets lost, what was given back is gone.
    var lost = machine
    var early = AllowanceRow(start: 0)
    #expect(lost.step(.call(now: 0)) == .ask(nil))
    #expect(lost.step(.granted(early.take(nil, terms, now: 0), now: 0)) == .allow(used: 1))
    #expect(lost.step(.call(now: Self.day - 5)) == .ask(AllowanceRow.Rest(window: 0, count: 9)))
    #expect(lost.step(.failed) == .refuse)
    #expect(lost.step(.call(now: Self.day - 5)) == .ask(nil))
    #expect(Self.call(&machine, &row, at: Self.day) == .allow(used: 1))
    #expect(row.window == 1 && row.start == Self.day && row.taken == 10)
    // What was taken in the window before is not given back in this one.
    var other = row
    let grant = other.take(AllowanceRow.Rest(window: 0, count: 9), terms, now: Self.day)
    #expect(grant.taken == 20)
  }

  @Test("Clocks that were set back by years keep nobody from calling")
  func setBack() {
    var (machine, row) = (
      AllowanceMachine(AllowanceTerms(limit: 2, period: Self.day)), AllowanceRow(window: 0, start: 1e9, taken: 2)
    )
    #expect(Self.call(&machine, &row, at: 0) == .refuse)
    #expect(Self.call(&machine, &row, at: Self.day - 1) == .refuse)
    #expect(Self.call(&machine, &row, at: Self.day) == .allow(used: 1))
  }

  // MARK: Histories

  /// Servers, a row, and what has been allowed in each window.
  private struct World {
    struct Question {
      let rest: AllowanceRow.Rest?
      var answer: (grant: AllowanceRow.Grant, at: Double)?
    }

    var generator: SplitMix64
    let terms: AllowanceTerms
    var row: AllowanceRow
    var nodes: [AllowanceMachine]
    /// A question that a server has sent, before or after the row has answered.
    var asking: [Question?]
    var skews: [Double]
    var now = 1000.0
    var allowed: [Int: Int] = [:]
    /// The window of each server's share.
    var windows: [Int?]
    /// When the first and the last call of each window were allowed, by a right clock.
    var times: [Int: (first: Double, last: Double)] = [:]

    init(seed: UInt64, limit: Int, nodes count: Int) {
      var generator = SplitMix64(seed: seed)
      skews = (0..<count).map { _ in Double.random(in: -2...2, using: &generator) }
      self.generator = generator
      terms = AllowanceTerms(limit: limit, period: 3600)
      row = AllowanceRow(start: 0)
      nodes = Array(repeating: AllowanceMachine(terms), count: count)
      asking = Array(repeating: nil, count: count)
      windows = Array(repeating: nil, count: count)
    }

    mutating func note(_ action: AllowanceMachine.Action, _ node: Int, at time: Double) {
      guard case .allow = action, let window = windows[node] else { return }
      allowed[window, default: 0] += 1
      times[window] = (min(times[window]?.first ?? time, time), max(times[window]?.last ?? time, time))
    }

    mutating func step(jumps: Bool) {
      let node = Int.random(in: 0..<nodes.count, using: &generator)
      let time = now + skews[node]
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<70:
        let action = nodes[node].step(.call(now: time))
        if case .ask(let rest) = action {
          asking[node] = Question(rest: rest)
        } else {
          note(action, node, at: now)
        }
      case 70..<85:
        // The row answers, if it was asked; the answer is on its way.
        guard let question = asking[node], question.answer == nil else { return }
        asking[node]?.answer = (row.take(question.rest, terms, now: time), now)
      case 85..<94:
        guard let question = asking[node] else { return }
        // An answer may get lost.
        if let answer = question.answer, Int.random(in: 0..<4, using: &generator) > 0 {
          windows[node] = answer.grant.window
          note(nodes[node].step(.granted(answer.grant, now: time)), node, at: answer.at)
        } else {
          _ = nodes[node].step(.failed)
        }
        asking[node] = nil
      case 94..<96:
        // Killed; another one starts in its place.
        nodes[node] = AllowanceMachine(terms)
        (asking[node], windows[node]) = (nil, nil)
      case 96..<98: now += Double.random(in: 0...200, using: &generator)
      default:
        if jumps { skews[node] = Double.random(in: -10_000...10_000, using: &generator) }
      }
    }
  }

  @Test(
    "Whatever servers do, are killed at, or think that the time is, no window gets more than the limit",
    arguments: [1, 2, 3, 7])
  func histories(nodes: Int) {
    for seed in 0..<40 as Range<UInt64> {
      for limit in [0, 5, 1000, 2000] {
        var world = World(seed: seed, limit: limit, nodes: nodes)
        for _ in 0..<4000 { world.step(jumps: seed % 2 == 0) }
        #expect(world.allowed.values.allSatisfy { $0 <= limit }, "seed \(seed), limit \(limit)")
        guard seed % 2 == 1 else { continue }
        // With clocks that differ by seconds, windows don't overlap either: no hour gets what belongs to two.
        let ordered = world.times.sorted { $0.key < $1.key }
        for (one, next) in zip(ordered, ordered.dropFirst()) {
          #expect(one.value.last <= next.value.first + 4, "seed \(seed), limit \(limit)")
        }
      }
    }
  }
}

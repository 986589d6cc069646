import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Guesses of 100,000 addresses", .timeLimit(.minutes(20)))
struct GuessSimulationTests {
  private static let addresses = 100_000
  private static let seed: UInt64 = 14
  /// Devices that wait to be let in while their codes are guessed at.
  private static let devices = 100.0
  /// What the table takes a password for.
  private static let passwordBits = 40

  private static var article: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent(
        "Sources/OstiaryServer/Documentation.docc/GuessingBudgets.md")
  }

  private static let heading = "## A hundred thousand addresses"

  private static func number(_ value: Double) -> String {
    let rounded =
      value <= 99
      ? value.rounded()
      : {
        let unit = pow(10, floor(log10(value)) - 1)
        return (value / unit).rounded() * unit
      }()
    if rounded >= 1e15 { return "10^\(Int(log10(rounded)))" }
    let digits = String(Int64(rounded))
    return String(
      digits.reversed().enumerated().flatMap { $0.offset > 0 && $0.offset % 3 == 0 ? [",", $0.element] : [$0.element] }
        .reversed())
  }

  private static func row(_ thing: String, _ layout: String, _ days: [Double], each chance: Double) -> String {
    "| \(thing) | \(layout) | \(number(days[0])) | \(number(days[1])) | one in \(number(1 / (days[0] * chance))) |"
  }

  /// The table, and how long owners waited.
  private static func table() -> (rows: [String], first: TimeInterval, second: TimeInterval) {
    var rows = [
      "| What is guessed | The strangers' addresses | Guesses, first day | Second day | Chance, first day |",
      "|---|---|---|---|---|",
    ]
    var (first, second) = (0.0, 0.0)
    for layout in GuessSimulation.Layout.allCases {
      var simulation = GuessSimulation(GuessBudget(rules: PasswordGuess.rules(.standard)), layout, seed: seed)
      let result = simulation.run(addresses: addresses, days: 2, owners: 500)
      first = max(first, result.ownersFirst)
      second = max(second, result.ownersSecond)
      rows.append(
        row(
          "a password of \(passwordBits) bits", layout.rawValue, result.guesses.map(Double.init),
          each: pow(2, -Double(passwordBits))))
    }
    // However many may be looked at: there are no more codes than were mailed, and each ends with its fifth wrong guess.
    let codes = Double(MailLimits.most * 24 * FlowService.mostAttempts)
    rows.append(row("a mailed code", "any", [codes, codes], each: pow(2, -Double(FlowCode.bits))))
    // Each with an account of its own, which is who guesses; they don't meet, so that some speak for all.
    var guesses = [0.0, 0.0]
    for sample in 0..<100 {
      var simulation = GuessSimulation(
        GuessBudget(rules: UserCodeGuess.rules(.standard)), .scattered, seed: seed + UInt64(sample))
      for (day, count) in simulation.run(addresses: 1, days: 2).guesses.enumerated() {
        guesses[day] += Double(count * addresses / 100)
      }
    }
    rows.append(
      row(
        "the code of one of \(number(devices)) devices", "any, an account each", guesses,
        each: devices * pow(2, -UserCode.bits)))
    var simulation = GuessSimulation(GuessBudget(rules: ClientSecretGuess.rules(.standard)), .scattered, seed: seed)
    let secrets = simulation.run(addresses: 100, days: 2).guesses.map { Double($0 * addresses / 100) }
    rows.append(row("a client's secret", GuessSimulation.Layout.scattered.rawValue, secrets, each: pow(2, -112)))
    return (rows, first, second)
  }

  @Test("The documentation's table is what the simulation says, and an owner waits no longer than it states")
  func documented() throws {
    let (rows, first, second) = Self.table()
    #expect(first == 0 && second.rounded() == 900)
    var lines = try String(contentsOf: Self.article, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: Self.heading))
    let from = try #require(lines[start...].firstIndex { $0.hasPrefix("|") })
    let to = lines[from...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    if ProcessInfo.processInfo.environment["OSTIARY_WRITE_TABLES"] == "1" {
      lines.replaceSubrange(from..<to, with: rows)
      try lines.joined(separator: "\n").write(to: Self.article, atomically: true, encoding: .utf8)
    } else {
      #expect(Array(lines[from..<to]) == rows, "OSTIARY_WRITE_TABLES=1 writes the table anew")
    }
  }

  @Test("A simulation of one seed is always the same, and of another nearly")
  func deterministic() {
    let budget = GuessBudget(rules: PasswordGuess.rules(.standard))
    func run(_ seed: UInt64) -> GuessSimulation.Result {
      var simulation = GuessSimulation(budget, .blocks, seed: seed)
      return simulation.run(addresses: 2000, days: 1)
    }
    #expect(run(1) == run(1))
    let (one, other) = (Double(run(1).guesses[0]), Double(run(2).guesses[0]))
    #expect(abs(one - other) < one / 10)
  }
}

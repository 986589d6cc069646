import Foundation
import OstiaryTesting
import Testing

@testable import OstiaryCore

/// The machine alone, without a store, a server or a clock: every order of inputs up to a depth, and long random lives.
@Suite("The session's machine") struct MachineSearchTests {
  /// - Returns: how many states there are up to the depth, and the first that is broken with the way to it.
  private func search(_ first: MachineWorld, depth: Int) -> (states: Int, broken: String?) {
    var seen: Set<Int> = [first.fingerprint]
    // Every state but those of the last level, with the state that it came from.
    var came: [(from: Int, label: String)] = [(-1, "start")]
    var level: [(world: MachineWorld, index: Int)] = [(first, 0)]
    for step in 1...depth {
      var next: [(MachineWorld, Int)] = []
      for (world, index) in level {
        for choice in world.choices(callers: 1) {
          var after = world
          choice.change(&after)
          if let broken = after.broken {
            var (way, place) = ([choice.label], index)
            while place > 0 {
              way.append(came[place].label)
              place = came[place].from
            }
            return (seen.count, "\(broken): \(way.reversed().joined(separator: " → "))")
          }
          guard seen.insert(after.fingerprint).inserted, step < depth else { continue }
          came.append((index, choice.label))
          next.append((after, came.count - 1))
        }
      }
      level = next
    }
    return (seen.count, nil)
  }

  static let depth = Storm.isFull ? 7 : 5
  /// How many states each way to a credential has at least, up to depth 5.
  static let states: [SessionSettings.Source: Int] = [
    .manual: 8_565, .upFront: 8_400, .onRequest: 8_492, .handler: 8_927,
  ]

  @Test(
    "Every order of inputs keeps the rules",
    arguments: [SessionSettings.Source.manual, .upFront, .onRequest, .handler])
  func completeSearch(source: SessionSettings.Source) {
    let (states, broken) = search(MachineWorld(source: source), depth: Self.depth)
    #expect(broken == nil)
    // A drop means that the machine can't get where it could.
    #expect(states >= Self.states[source] ?? .max, "\(states) states")
  }

  @Test("The fingerprint of a state knows every field of the machine")
  func fingerprint() {
    #expect(Mirror(reflecting: MachineWorld(source: .manual).machine).children.count == MachineWorld.knownFields)
  }

  @Test("Long lives in random order keep the rules", arguments: 0..<4 as Range<UInt64>)
  func lives(part: UInt64) {
    for life in 0..<Storm.size(15_000, full: 2_500_000) {
      let seed = (Storm.seed &+ part) &* 1_000_003 &+ UInt64(life)
      if let (broken, _) = live(seed, traces: false) {
        Issue.record("seed \(seed): \(broken): \(live(seed, traces: true)?.way.joined(separator: " → ") ?? "")")
        return
      }
    }
  }

  /// Lives once.
  /// - Returns: what was broken, if something was, and what had happened until then.
  private func live(_ seed: UInt64, traces: Bool) -> (broken: String, way: [String])? {
    var random = SplitMix64(seed: seed)
    let sources = [SessionSettings.Source.manual, .upFront, .onRequest, .handler]
    var world = MachineWorld(
      source: sources[Int(seed % 4)], accessCanBeLost: seed % 3 == 0, lifetime: seed % 5 < 3 ? 60 : nil)
    var way: [String] = []
    for _ in 0..<Int.random(in: 8...(Storm.isFull ? 80 : 32), using: &random) {
      guard let choice = world.choice(using: &random) else { continue }
      choice.change(&world)
      if traces { way.append(choice.label) }
      world.elapsed += Double.random(in: 0...20, using: &random)
      if Int.random(in: 0..<20, using: &random) == 0 {
        world.wallOffset += Double.random(in: -400_000...400_000, using: &random)
      }
      if let broken = world.broken { return (broken, way) }
    }
    return nil
  }
}

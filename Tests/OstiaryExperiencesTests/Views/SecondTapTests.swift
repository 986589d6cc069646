import Foundation
import Testing

@testable import OstiaryExperiences

@Suite("Views: a second tap", .timeLimit(.minutes(20)))
struct SecondTapTests {
  private typealias D = DeadEndDocument

  /// Three screens whose buttons have the same id.
  private static func runner() -> ExperienceRunner {
    let screens = ["s", "t", "u"].map { D.screen($0, [], .move($0 == "u" ? .dismiss : .next), .move(.dismiss)) }
    let flow = Experience.Flow(id: "f", kind: .custom, screens: screens)
    let runner = ExperienceRunner(Experience(id: "taps", flows: [flow]))
    runner.present()
    return runner
  }

  @Test("Bug-G07: a tap on what was drawn before the last tap does nothing to the screen that has come since")
  func secondTap() {
    let runner = Self.runner()
    let drawn = runner.snapshot.screen
    #expect(runner.perform("a0", drawnIn: drawn.turn))
    let next = runner.snapshot
    #expect(next.screen.id == "t")
    #expect(!runner.perform("a0", drawnIn: drawn.turn) && !runner.perform("a1", drawnIn: drawn.turn))
    #expect(runner.snapshot == next)
    #expect(runner.perform("a0", drawnIn: next.screen.turn))
    #expect(runner.snapshot.screen.id == "u")
  }

  @Test("What is typed leaves the buttons that were drawn as they are; a log-out does not")
  func typing() {
    let screen = D.screen("s", [D.name], .move(.dismiss))
    let runner = ExperienceRunner(Experience(id: "taps", flows: [D.flow(screen)]))
    runner.present()
    let drawn = runner.snapshot.screen
    runner.enter("Ada", in: "name")
    #expect(runner.snapshot.screen.turn == drawn.turn)
    runner.logOut()
    #expect(!runner.perform("a0", drawnIn: drawn.turn))
    #expect(runner.perform("a0", drawnIn: runner.snapshot.screen.turn))
  }

  @Test("An act that leaves the screen, as opening an address does, has it drawn with its new turn")
  func drawnAgain() async throws {
    let url = try #require(URL(string: "https://example.com/terms"))
    let flow = D.flow(D.screen("s", [], .move(.openURL(url)), .move(.dismiss)))
    let runner = ExperienceRunner(Experience(id: "taps", flows: [flow]))
    runner.present()
    var moments = runner.snapshots().makeAsyncIterator()
    let first = try #require(await moments.next())
    #expect(runner.perform("a0", drawnIn: first.screen.turn))
    let second = try #require(await moments.next())
    #expect(second.screen.id == "s" && second.screen.turn != first.screen.turn)
    #expect(runner.perform("a1", drawnIn: second.screen.turn))
  }
}

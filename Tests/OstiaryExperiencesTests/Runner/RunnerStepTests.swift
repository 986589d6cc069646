import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Steps of a runner", .timeLimit(.minutes(5)))
struct RunnerStepTests {
  private static func runner() -> ExperienceRunner {
    let screen = Experience.Screen(
      id: "s", fields: [.init(key: "a", kind: .text), .init(key: "b", kind: .text)],
      actions: [.init(id: "go", work: .move(.submit))])
    let runner = ExperienceRunner(
      Experience(id: "e", flows: [.init(id: "f", kind: .custom, screens: [screen])]), delegate: nil)
    runner.present()
    return runner
  }

  private static func values(_ runner: ExperienceRunner) -> [String?] { runner.snapshot.screen.fields.map(\.value) }

  @Test("Bug-G26: no lock is held while a step works: others read the runner, and see the moment before")
  func unlocked() {
    let runner = Self.runner()
    var seen: [String?] = []
    let isEntered = runner.drive { machine in
      let isEntered = machine.enter("x", in: "a")
      seen = Self.values(runner)
      return isEntered
    }
    #expect(isEntered && seen == [nil, nil])
    #expect(Self.values(runner) == ["x", nil])
  }

  @Test("Bug-G26: of two steps at once one is taken again, and both count")
  func both() {
    let runner = Self.runner()
    var turns = 0
    let isEntered = runner.drive { machine in
      turns += 1
      if turns == 1 { #expect(runner.enter("y", in: "b")) }
      return machine.enter("x", in: "a")
    }
    #expect(isEntered && turns == 2)
    #expect(Self.values(runner) == ["x", "y"])
  }
}

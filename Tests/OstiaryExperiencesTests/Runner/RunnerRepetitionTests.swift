import Testing

@testable import OstiaryExperiences

@Suite("The runner: repetitions on another screen", .timeLimit(.minutes(20)))
struct RunnerRepetitionTests {
  private typealias D = DeadEndDocument
  private static let password = Experience.Field(key: "password", kind: .newPassword, isRequired: true)
  private static let again = Experience.Field(
    key: "again", kind: .newPassword, isRequired: true, constraints: .init(matches: "password"))

  private func runner(
    _ fields: [Experience.Field], from screen: String? = nil, repeated: Experience.Field = Self.password
  ) -> ExperienceRunner {
    let flow = D.flow(
      "f", .signUp, D.screen("s", [repeated], .move(.next)), D.screen("t", fields, .move(.next), .move(.back)))
    let runner = ExperienceRunner(
      Experience(id: "two-pages", flows: [flow]), flow: "f", screen: screen, delegate: RecordingApp())
    runner.present()
    return runner
  }

  private func signsUp(_ runner: ExperienceRunner) async {
    let led = runner.snapshot.screen
    #expect(led.id == "s" && led.firstInvalidField?.key == "password")
    #expect(led.fields.map(\.issue) == [FieldIssue(.required)])
    let next = await runner.submit(["password": "planted-1"], with: "a0")
    #expect(next.screen.id == "t" && next.screen.fields.last?.isFilled == true)
    #expect(await runner.submit([:], with: "a0").outcome != nil)
  }

  @Test("Bug-G12: a screen that is opened by its name and repeats a secret leads to where the secret is asked for")
  func openedByName() async throws {
    let runner = runner([Self.again], from: "t")
    #expect(runner.snapshot.screen.actions.map(\.id) == ["a0"], "there is nothing to go back to")
    await runner.submit(["again": "planted-1"], with: "a0")
    await signsUp(runner)
  }

  @Test("Bug-G12: so does a screen whose person has logged out")
  func loggedOut() async throws {
    let runner = runner([Self.again])
    await runner.submit(["password": "planted-0"], with: "a0")
    #expect(runner.snapshot.screen.id == "t")
    runner.logOut()
    await runner.submit(["again": "planted-1"], with: "a0")
    await signsUp(runner)
  }

  @Test("A repetition that is wrong is refused where it is, and so is what else is wrong there")
  func wrong() async throws {
    let entered = runner([Self.again])
    await entered.submit(["password": "planted-0"], with: "a0")
    let refused = await entered.submit(["again": "planted-1"], with: "a0")
    #expect(refused.screen.id == "t" && refused.screen.firstInvalidField?.issue == FieldIssue(.mismatch))
    let name = Experience.Field(key: "name", kind: .text, isRequired: true)
    let opened = runner([name, Self.again], from: "t")
    let both = await opened.submit(["again": "planted-1"], with: "a0")
    #expect(both.screen.id == "t" && both.screen.firstInvalidField?.key == "name")
    await opened.submit(["name": "Ada"], with: "a0")
    await signsUp(opened)
  }

  @Test("What is hidden leads nowhere: nobody can fill it in")
  func hidden() async throws {
    let opened = runner([Self.again], from: "t", repeated: .init(key: "password", kind: .hidden))
    let refused = await opened.submit(["again": "planted-1"], with: "a0")
    #expect(refused.screen.id == "t" && refused.screen.firstInvalidField?.issue == FieldIssue(.mismatch))
  }
}

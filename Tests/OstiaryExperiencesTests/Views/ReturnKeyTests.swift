import Testing

@testable import OstiaryExperiences

@Suite("Views: return key")
struct ReturnKeyTests {
  @Test("Bug-D08 The return key leads to the next line of text, and in the last one to the screen's main action")
  func order() throws {
    let screen = try Fixtures.runner("log-in", RecordingApp()).snapshot.screen
    #expect(screen.returnKey(in: "email") == .next("password"))
    #expect(screen.returnKey(in: "password") == .perform("log-in"))
  }

  @Test("Bug-D08 The return key passes over fields that no keyboard fills in")
  func passesOver() async throws {
    let runner = try Fixtures.runner("sign-up", RecordingApp())
    #expect(runner.snapshot.screen.returnKey(in: "password") == .perform("continue"), "after it is a toggle")
    let about = await runner.submit(
      ["email": "ada@example.com", "password": Fixtures.password, "terms": "on"], with: "continue"
    ).screen
    #expect(about.id == "about")
    #expect(about.returnKey(in: "first_name") == .next("age"))
    #expect(about.returnKey(in: "age") == .next("phone"), "between them is a calendar")
    #expect(about.returnKey(in: "phone") == .next("mood"), "between them are options and a hidden field")
    #expect(about.returnKey(in: "mood") == .perform("finish"))
  }

  @Test("Bug-D08 The return key performs no action that leaves what was typed behind")
  func leavesNothingBehind() throws {
    var screen = try Fixtures.runner("log-in", RecordingApp()).snapshot.screen
    screen.actions.removeAll { $0.submits }
    #expect(!screen.actions.isEmpty)
    #expect(screen.returnKey(in: "password") == .done)
    screen.actions = []
    #expect(screen.returnKey(in: "password") == .done)
    #expect(screen.returnKey(in: "no such field") == .done)
  }
}

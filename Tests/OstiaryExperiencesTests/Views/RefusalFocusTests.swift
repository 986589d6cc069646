import Testing

@testable import OstiaryExperiences

@Suite("Views: focus after a refusal", .timeLimit(.minutes(20)))
struct RefusalFocusTests {
  /// A view that does nothing but follow.
  private final class View {
    private var rule: RefusalFocus

    init(_ moment: ExperienceSnapshot) { rule = RefusalFocus(moment) }

    func draw(_ moment: ExperienceSnapshot, focused: String? = nil) -> String? { rule.draw(moment, focused: focused) }
  }

  private static let wrong = ["email": "ada@", "password": "short"]

  @Test("Bug-G08 the focus moves once for a refusal, and not while a person types elsewhere")
  func once() async throws {
    let runner = try Fixtures.runner("sign-up", RecordingApp())
    let rule = View(runner.snapshot)
    #expect(rule.draw(runner.snapshot) == nil)
    let refused = await runner.submit(Self.wrong, with: "continue")
    #expect(rule.draw(refused) == "email")
    // The message stays until the next submission, and each key makes a moment.
    for typed in ["c", "co", "correct"] {
      runner.enter(typed, in: "password")
      #expect(runner.snapshot.screen.firstInvalidField?.key == "email")
      #expect(rule.draw(runner.snapshot, focused: "password") == nil)
    }
    // The same again is another refusal.
    let again = await runner.submit([:], with: "continue")
    #expect(rule.draw(again, focused: "password") == "email")
    #expect(rule.draw(runner.snapshot, focused: "email") == nil)
  }

  @Test("Bug-G08 what is refused by the app moves it too, once it is shown, on the screen that it leads back to")
  func byApp() async throws {
    let app = RecordingApp { $0.signUp = { _ in .refused(.invalid(field: "password", message: "Too common.")) } }
    let runner = try Fixtures.runner("sign-up", app)
    let rule = View(runner.snapshot)
    await runner.submit(
      ["email": "ada@example.com", "password": Fixtures.password, "terms": "true"], with: "continue")
    #expect(rule.draw(runner.snapshot) == nil)
    let refused = await runner.submit([:], with: "finish")
    #expect(refused.screen.id == "account")
    // Covered, it waits.
    var covered = refused
    covered.phase = .paused
    #expect(rule.draw(covered) == nil)
    #expect(rule.draw(refused) == "password")
    #expect(rule.draw(refused) == nil)
  }

  @Test("Bug-G08 a message that waits on a later screen moves it when that appears, once")
  func waiting() async throws {
    let app = RecordingApp.refusingSignUp(["email": "Taken.", "first_name": "Too short."])
    let runner = try Fixtures.runner("sign-up", app)
    let rule = View(runner.snapshot)
    await runner.submit(
      ["email": "ada@example.com", "password": Fixtures.password, "terms": "true"], with: "continue")
    #expect(rule.draw(runner.snapshot) == nil)
    let refused = await runner.submit(["first_name": "A"], with: "finish")
    #expect(rule.draw(refused) == "email")
    let next = await runner.submit(["email": "ada.l@example.com"], with: "continue")
    #expect(next.screen.id == "about")
    #expect(rule.draw(next) == "first_name")
    runner.enter("36", in: "age")
    #expect(rule.draw(runner.snapshot, focused: "age") == nil)
  }

  @Test("Bug-G08 an action that submits nothing, and a refusal without a field, move nothing")
  func others() async throws {
    let runner = try Fixtures.runner("sign-up", RecordingApp())
    let rule = View(runner.snapshot)
    let refused = await runner.submit(Self.wrong, with: "continue")
    #expect(rule.draw(refused) == "email")
    let turn = runner.snapshot.screen.turn
    #expect(runner.perform("terms-of-use"))
    #expect(runner.snapshot.screen.turn != turn, "it is another turn, with the messages of the one before")
    #expect(rule.draw(runner.snapshot, focused: "password") == nil)
    let app = RecordingApp { $0.logIn = { _ in .refused(.invalid("That is wrong.")) } }
    let login = try Fixtures.runner("log-in", app)
    let other = View(login.snapshot)
    let whole = await login.submit(["email": "ada@example.com", "password": "x"], with: "log-in")
    #expect(other.draw(whole) == nil)
    #expect(login.snapshot.screen.messages == ["That is wrong."])
  }

  @Test("Bug-G08 the focus that is there already is left alone, and so is that of a view which begins after a refusal")
  func already() async throws {
    let runner = try Fixtures.runner("sign-up", RecordingApp())
    let rule = View(runner.snapshot)
    let refused = await runner.submit(Self.wrong, with: "continue")
    #expect(rule.draw(refused, focused: "email") == nil)
    #expect(rule.draw(refused, focused: "password") == nil, "it has been followed")
    let late = View(refused)
    #expect(late.draw(refused) == nil)
  }
}

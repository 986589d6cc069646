import Testing

@testable import OstiaryExperiences

@Suite("Views: what is typed into secure fields", .timeLimit(.minutes(20)))
struct TypedSecretsTests {
  @Test("Bug-G04 a log-out empties the secure fields of the screen that stays")
  func logOut() throws {
    let runner = try Fixtures.runner("log-in", RecordingApp())
    var typed = TypedSecrets(runner.snapshot)
    typed["password"] = "ada's"
    runner.enter("ada's", in: "password")
    typed.draw(runner.snapshot)
    #expect(typed["password"] == "ada's")
    runner.logOut()
    typed.draw(runner.snapshot)
    #expect(runner.snapshot.screen.id == "credentials")
    #expect(typed["password"] == "")
  }

  @Test("What is typed outlives a refusal, a pause, and a moment from before it that comes late")
  func kept() async throws {
    let runner = try Fixtures.runner("log-in", RecordingApp())
    let before = runner.snapshot
    var typed = TypedSecrets(before)
    typed["password"] = "secret"
    runner.enter("secret", in: "password")
    typed.draw(before)
    #expect(typed["password"] == "secret")
    let refused = await runner.submit(["email": "ada@"], with: "log-in")
    #expect(refused.screen.firstInvalidField?.key == "email")
    typed.draw(refused)
    #expect(typed["password"] == "secret")
    runner.pause()
    typed.draw(runner.snapshot)
    runner.resume()
    typed.draw(runner.snapshot)
    #expect(typed["password"] == "secret")
  }

  @Test("What is typed is gone on another screen, and after the end")
  func gone() throws {
    let runner = try Fixtures.runner("log-in", RecordingApp())
    var typed = TypedSecrets(runner.snapshot)
    typed["password"] = "horse battery"
    #expect(!"\(typed)".contains("horse") && !String(reflecting: typed).contains("horse"))
    runner.enter("horse battery", in: "password")
    var other = typed
    runner.perform("forgot")
    typed.draw(runner.snapshot)
    #expect(typed["password"] == "")
    let ending = try Fixtures.runner("log-in", RecordingApp())
    ending.dismiss()
    other.draw(ending.snapshot)
    #expect(other["password"] == "")
  }
}

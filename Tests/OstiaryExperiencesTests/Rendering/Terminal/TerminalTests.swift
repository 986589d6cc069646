import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Terminal", .timeLimit(.minutes(20)))
struct TerminalTests {
  @Test("A log-in: a wrong password is asked for again, beside its message, and is never shown")
  func login() async throws {
    let app = RecordingApp {
      $0.logIn = { fields in
        fields["password"] == .secret("planted-right") ? .accepted("u1") : .refused(.invalid(field: "password"))
      }
    }
    let (outcome, shown) = try await ScriptedTerminal.run(
      "log-in", ["ada@example.com", "planted-wrong", "planted-right"], app)
    guard case .signedIn = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(
      shown == """

        Log in
        ======
        [:1] Forgotten?  [:2] Not now
        E-mail address: ada@example.com
        [:] Something else
        Password:\u{20}
        One moment …
        ! Please check the password.
        [:] Something else
        Password [***]:\u{20}
        One moment …

        """)
    #expect(!shown.contains("planted"))
  }

  @Test("Another action can be chosen at any question; a colon can still begin a value")
  func otherActions() async throws {
    let app = RecordingApp()
    let (outcome, shown) = try await ScriptedTerminal.run(
      "log-in", [":1", "::x@example.com", "ada@example.com", ":2"], app)
    #expect(outcome == .skipped)
    #expect(app.calls.contains(#"recoverPassword {email: "ada@example.com"}"#))
    #expect(shown.contains("Set a new password"))
    #expect(shown.contains("! Enter an e-mail address"))
  }

  @Test("The end of input closes the experience")
  func endOfInput() async throws {
    let app = RecordingApp()
    #expect(try await ScriptedTerminal.run("log-in", ["ada@example.com"], app).outcome == .dismissed)
    #expect(app.calls.last == #"willClose {email: "ada@example.com"}"#)
  }

  @Test("Choices and toggles take numbers and words; what is neither is asked for again")
  func choices() async throws {
    let app = RecordingApp()
    let password = String(repeating: "p", count: 15)
    let (outcome, shown) = try await ScriptedTerminal.run(
      "sign-up",
      [
        "ada@example.com", password, "perhaps", "ja", "Ada", "", "", "", "9", "2", "",
      ], app, languages: ["de"])
    guard case .signedIn(let user) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(user.properties["plan"] == "pro" && user.properties["terms"] == true)
    #expect(shown.contains("! Bitte auswählen: ja, nein"))
    #expect(shown.contains("  1) Free\n  2) Professional\n"))
    #expect(shown.contains("Plan [Free]: 9\n! Bitte auswählen: Free, Professional\nPlan [Free]: 2\n"))
    #expect(!shown.contains(password))
  }

  @Test(
    "Bug-G20: a choice is a number in the digits of any script, and a toggle a word in letters of any width",
    arguments: [("２", "ｙｅｓ"), ("٢", "１"), ("२", "yes "), ("\u{200F}2", "ＯＮ")])
  func digits(number: String, word: String) async throws {
    let app = RecordingApp()
    let password = String(repeating: "p", count: 15)
    let (outcome, _) = try await ScriptedTerminal.run(
      "sign-up", ["ada@example.com", password, word, "Ada", "", "", "", number, ""], app)
    guard case .signedIn(let user) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(user.properties["plan"] == "pro" && user.properties["terms"] == true)
  }

  @Test("A screen without fields waits for Return")
  func plainScreen() async throws {
    let app = RecordingApp()
    let (outcome, shown) = try await ScriptedTerminal.run("feedback", ["Fine", "1234", "nonsense", ""], app)
    #expect(outcome == .completed(flow: "feedback"))
    #expect(shown.contains("Continue [Return]: nonsense\n! Please choose\nContinue [Return]: \n"))
  }

  @Test("Text can't steer the terminal")
  func controls() {
    #expect(TerminalWriter.plain("a\u{1B}[2Jb\r\u{7}c\u{9B}31m\u{202E}d\ne\tf\u{0}") == "a[2Jb c31md e f")
    #expect(TerminalWriter.plain("a\nb", keepsLines: true) == "a\nb")
  }
}

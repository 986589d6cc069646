import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Documents that account pages are drawn from", .timeLimit(.minutes(5)))
struct AccountExperienceTests {
  private static func screen(_ fields: String, _ actions: String = #"{"id": "go", "kind": "submit"}"#) -> String {
    #"{"id": "s", "fields": [\#(fields)], "actions": [\#(actions)]}"#
  }

  private static let email = #"{"key": "email", "kind": "email", "required": true}"#
  private static let password = #"{"key": "password", "kind": "password", "required": true}"#
  private static let newPassword = #"{"key": "password", "kind": "newPassword", "required": true}"#
  private static let code = #"{"key": "code", "kind": "oneTimeCode", "required": true}"#
  private static let next = #"{"id": "go", "kind": "next"}"#

  private static func flow(_ kind: String, _ screens: String..., id: String = "f") -> String {
    let numbered = screens.enumerated().map { $1.replacing(#""id": "s""#, with: #""id": "s\#($0)""#) }
    return #"{"id": "\#(id)", "kind": "\#(kind)", "screens": [\#(numbered.joined(separator: ", "))]}"#
  }

  private static func report(_ flows: String...) -> AccountExperience.Report {
    let document = #"{"format": 1, "id": "e", "version": 1, "flows": [\#(flows.joined(separator: ", "))]}"#
    return AccountExperience.report(on: Data(document.utf8))
  }

  private static let good = flow("login", screen(email + ", " + password))

  @Test("The starter is accepted, and draws every flow that a document can")
  func starter() throws {
    let report = AccountExperience.report(on: StarterExperience.document)
    #expect(report.problems == [] && report.notices == [])
    let account = try #require(report.account)
    #expect(FlowKind.allCases.filter { account.draws($0) } == [.login, .signup, .recover])
  }

  @Test("What the server can't answer is refused, with the place")
  func refused() {
    let cases: [(AccountExperience.Report, String)] = [
      (Self.report(Self.flow("custom", Self.screen(""))), "$.flows: "),
      (Self.report(Self.flow("login", Self.screen(Self.email))), "$.flows[0]: "),
      (Self.report(Self.flow("login", Self.screen(Self.password))), "$.flows[0]: "),
      (Self.report(Self.good, Self.flow("signUp", Self.screen(Self.email), id: "g")), "$.flows[1]: "),
      // A lost password: no flow takes the code, the first one does, and the code in one flow with the address.
      (Self.report(Self.flow("recoverPassword", Self.screen(Self.email))), "$.flows[0]: "),
      (
        Self.report(
          Self.flow("recoverPassword", Self.screen(Self.code + ", " + Self.newPassword)),
          Self.flow("recoverPassword", Self.screen(Self.email), id: "g")), "$.flows[0]: "
      ),
      (
        Self.report(
          Self.flow("recoverPassword", Self.screen([Self.email, Self.code, Self.newPassword].joined(separator: ", ")))
        ), "$.flows[0]: "
      ),
      // Secrets that would have to be stored.
      (
        Self.report(Self.flow("login", Self.screen(Self.email + ", " + Self.password, Self.next), Self.screen(""))),
        "$.flows[0].screens[0].fields[1]: "
      ),
      (
        Self.report(
          Self.flow(
            "signUp", Self.screen(Self.email + ", " + Self.newPassword, Self.next),
            Self.screen(
              #"{"key": "again", "kind": "newPassword", "constraints": {"matches": "password"}}"#))),
        "$.flows[0].screens[1].fields[0]: "
      ),
      (
        Self.report(
          Self.flow("login", Self.screen(Self.email + ", " + Self.password + #", {"key": "pin", "kind": "password"}"#))),
        "$.flows[0].screens[0].fields[2]: "
      ),
      // A password that is no secret.
      (
        Self.report(Self.flow("login", Self.screen(Self.email + #", {"key": "password", "kind": "text"}"#))),
        "$.flows[0]: "
      ),
    ]
    for (index, (report, place)) in cases.enumerated() {
      #expect(report.account == nil && report.problems.contains { $0.description.hasPrefix(place) }, "\(index)")
    }
  }

  @Test("Bug-G11, Bug-G12: dead ends are refused, those too that arise because pages don't draw what only apps can do")
  func deadEnds() {
    let closed = Self.report(Self.flow("login", Self.screen(Self.email + ", " + Self.password, "")))
    #expect(closed.problems.map(\.code) == [.deadEnd] && closed.problems.first?.path == "$.flows[0].screens[0]")
    for action in [
      #"{"id": "p", "kind": "provider", "provider": "facebook"}"#,
      #"{"id": "p", "kind": "submitFields", "onSuccess": {"kind": "next"}}"#,
      #"{"id": "p", "kind": "openURL", "url": "app://home"}, {"id": "q", "kind": "provider", "provider": "x"}"#,
    ] {
      let report = Self.report(Self.flow("login", Self.screen(Self.email + ", " + Self.password, action)))
      #expect(report.account == nil && report.problems.first?.code == .deadEnd, "\(action)")
    }
  }

  /// A document in which the flow for the address ends with a move, and the log-in has a link.
  private static func recovery(_ onSuccess: String, link: String = "sign-up") -> AccountExperience.Report {
    let address = flow("recoverPassword", screen(email)).replacing(
      #""kind": "recoverPassword","#, with: #""kind": "recoverPassword", \#(onSuccess)"#)
    let second = flow("recoverPassword", screen(code + ", " + newPassword), id: "code")
    let actions = #"{"id": "go", "kind": "submit"}, {"id": "to", "kind": "goToFlow", "flow": "\#(link)"}"#
    let login = flow("login", screen(email + ", " + password, actions), id: "log-in")
    let signUp = flow("signUp", screen(email + ", " + newPassword), id: "sign-up")
    return report(address, second, login, signUp)
  }

  @Test("Bug-G12: a flow that mails a code and leads to none that takes it is refused")
  func codeIsReached() {
    func move(_ flow: String) -> String { #""onSuccess": {"kind": "goToFlow", "flow": "\#(flow)"},"# }
    #expect(Self.recovery(move("code")).problems == [])
    #expect(Self.recovery(move("log-in"), link: "code").problems == [])
    for report in [
      Self.recovery(""), Self.recovery(#""onSuccess": {"kind": "dismiss"},"#), Self.recovery(move("log-in")),
      // The way back to the address is none to the code.
      Self.recovery(move("log-in"), link: "f"),
    ] {
      #expect(report.account == nil && report.problems.map(\.code) == [.deadEnd], "\(report.problems)")
      #expect(report.problems.first?.path == "$.flows[0].onSuccess")
    }
  }

  @Test("What pages don't draw, and what the server doesn't keep, is told")
  func notices() throws {
    let provider = #"{"id": "go", "kind": "submit"}, {"id": "p", "kind": "provider", "provider": "facebook"}"#
    let report = Self.report(
      Self.flow(
        "login", Self.screen(#"\#(Self.email), \#(Self.password), {"key": "mood", "kind": "text"}"#, provider)))
    #expect(
      report.notices.map(\.path) == ["$.flows[0].screens[0].fields[2]", "$.flows[0].screens[0].actions[1]"])
    let account = try #require(report.account)
    let screen = ExperienceConversation(account.experience).snapshot.screen
    #expect(screen.actions.map(\.id) == ["go"])
  }

  @Test("What leads to a flow that the server does not offer is not drawn")
  func offers() throws {
    let account = try #require(AccountExperience.report(on: StarterExperience.document).account)
    let closed = account.offering { $0 == .login }
    let conversation = ExperienceConversation(closed.experience, as: .login)
    #expect(conversation.snapshot.screen.actions.map(\.id) == ["log-in"])
    let open = ExperienceConversation(account.offering { _ in true }.experience, as: .login)
    #expect(open.snapshot.screen.actions.map(\.id) == ["log-in", "forgotten", "sign-up"])
  }

  @Test("A configuration names the document's problems, and how many more there are")
  func configuration() {
    var configuration = AccountConfiguration()
    configuration.experience = StarterExperience.document
    #expect(configuration.problems == [])
    configuration.experience = Data("{}".utf8)
    #expect(configuration.problems.first?.hasPrefix("The experience of the account pages: $") == true)
  }
}

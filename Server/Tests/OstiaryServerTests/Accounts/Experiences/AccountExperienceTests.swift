import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// An app that is asked for nothing.
private final class Unasked: ExperienceDelegate {}

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

  @Test("Bug-G11: a secret that would be asked for again and again, as nothing of it is kept, is refused")
  func secretsBetweenPages() {
    let again = #"{"key": "again", "kind": "newPassword", "required": true, "constraints": {"matches": "password"}}"#
    let both = Self.email + ", " + Self.newPassword
    func places(_ screens: String...) -> [String] {
      let numbered = screens.enumerated().map {
        $1.replacing(#""id": "s""#, with: #""id": "s\#($0)", "required": true"#)
      }
      let flow = #"{"id": "f", "kind": "signUp", "screens": [\#(numbered.joined(separator: ", "))]}"#
      return Self.report(flow).problems.map(\.path)
    }
    let (first, second) = ("$.flows[0].screens[0].fields", "$.flows[0].screens[1].fields")
    // The hash of the password stands for its repetition, too.
    #expect(places(Self.screen(both + ", " + again, Self.next), Self.screen("")) == [])
    // Of the repetition of an address nothing is kept: the last screen would lead back to it for ever.
    let address = #"{"key": "same", "kind": "password", "required": true, "constraints": {"matches": "email"}}"#
    #expect(places(Self.screen(both + ", " + address, Self.next), Self.screen("")) == ["\(first)[2]"])
    #expect(places(Self.screen(both + ", " + address)) == [])
    // Two screens for one password: each would take back that the other was accepted.
    #expect(places(Self.screen(both, Self.next), Self.screen(Self.newPassword)) == ["\(first)[1]", "\(second)[0]"])
    // A repetition that is no secret: it would be stored, and is never the same as what is kept as a hash.
    let open = again.replacing("newPassword", with: "text")
    #expect(places(Self.screen(both, Self.next), Self.screen(open)) == ["\(second)[0]"])
    #expect(places(Self.screen(both + ", " + open)) == ["\(first)[2]"])
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

  @Test("Bug-G12: a flow that mails a code may lead to the one that takes it by a screen of its own")
  func codeIsReachedByScreen() {
    func recovery(_ flow: String, first more: String = "", back: String = "") -> AccountExperience.Report {
      let first = Self.screen(Self.email, #"{"id": "go", "kind": "submit"}"# + more)
      let sent = #"{"id": "sent", "actions": [{"id": "go", "kind": "goToFlow", "flow": "\#(flow)"}\#(back)]}"#
      let address = Self.flow("recoverPassword", first, sent).replacing(
        #""kind": "recoverPassword","#,
        with: #""kind": "recoverPassword", "onSuccess": {"kind": "goToScreen", "screen": "sent"},"#)
      let second = Self.flow("recoverPassword", Self.screen(Self.code + ", " + Self.newPassword), id: "code")
      let login = Self.flow("login", Self.screen(Self.email + ", " + Self.password), id: "log-in")
      return Self.report(address, second, login)
    }
    #expect(recovery("code").problems == [])
    #expect(recovery("log-in").problems.map(\.path) == ["$.flows[0].onSuccess"])
    // A code that a person has: from the screen of the address, to which the one after it leads back.
    let has = #", {"id": "has", "kind": "goToFlow", "flow": "code"}"#
    #expect(recovery("log-in", first: has).problems.map(\.path) == ["$.flows[0].onSuccess"])
    for back in [#", {"id": "back", "kind": "back"}"#, #", {"id": "back", "kind": "goToScreen", "screen": "s0"}"#] {
      #expect(recovery("log-in", first: has, back: back).problems == [])
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

  @Test("Neither the end of a flow nor a trigger leads to a flow that the server does not offer")
  func closedEnds() async throws {
    let login = Self.flow(
      "login",
      Self.screen(
        Self.email + ", " + Self.password,
        #"{"id": "go", "kind": "submit"}, {"id": "tell", "kind": "goToFlow", "flow": "tell"}"#))
    let tell = Self.flow("custom", Self.screen("", Self.next), id: "tell").replacing(
      #""kind": "custom","#, with: #""kind": "custom", "onSuccess": {"kind": "goToFlow", "flow": "sign-up"},"#
    ).replacing(
      #""fields": [],"#,
      with: #"""
        "fields": [], "triggers": [{"name": "t", "onSuccess": {"kind": "goToFlow", "flow": "sign-up"},
        "onFailure": {"kind": "goToFlow", "flow": "sign-up"}}],
        """#)
    let signUp = Self.flow("signUp", Self.screen(Self.email + ", " + Self.newPassword), id: "sign-up")
    let report = Self.report(login, tell, signUp)
    let account = try #require(report.account, "\(report.problems)")
    func ends(_ account: AccountExperience) throws -> [Experience.Move?] {
      let flow = try #require(account.experience.flow("tell"))
      let trigger = try #require(flow.screens.first?.triggers.first)
      return [flow.onSuccess, trigger.onSuccess, trigger.onFailure]
    }
    let (open, closed) = (account.offering { _ in true }, account.offering { $0 == .login })
    let signsUp = Experience.Move.goToFlow("sign-up")
    #expect(try ends(open).allSatisfy { $0 == signsUp })
    #expect(try ends(closed).allSatisfy { $0 == nil })
    var conversation = ExperienceConversation(closed.experience, as: .custom)
    #expect(conversation.snapshot.flow == "tell")
    let screen = conversation.snapshot.screen
    let input = try #require(ExperienceInput([(name: ExperiencePage.turnName, value: screen.turn)], for: screen))
    await conversation.submit(input, asking: Unasked())
    #expect(conversation.snapshot.outcome == .completed(flow: "tell"))
  }

  @Test("The starter asks for a user name or an address at the log-in, in every language; its file does not")
  func userNames() throws {
    let account = try #require(AccountExperience.report(on: StarterExperience.document).account)
    let plain = try Experience(json: StarterExperience.document)
    #expect(plain.flow("log-in")?.fields.map(\.key) == ["email", "password"])
    #expect(plain.texts.values.allSatisfy { $0["identifier"] == nil })
    #expect(account.experience.texts.keys == plain.texts.keys)
    for language in AccountTables.languages.sorted() {
      let conversation = ExperienceConversation(account.experience, as: .login, languages: [language])
      let field = try #require(conversation.snapshot.screen.fields.first)
      #expect(field.key == "username" && field.kind == .text && field.autofill == "username" && field.isRequired)
      #expect(field.label == AccountTexts(language)(.identifierLabel), "\(language)")
    }
    for flow in ["sign-up", "recover"] {
      #expect(account.experience.flow(flow)?.fields.first?.kind == .email, "\(flow)")
    }
    // A document of an app's own asks for what it says.
    let own = try #require(Self.report(Self.good).account)
    #expect(own.experience.flows.first?.fields.map(\.key) == ["email", "password"])
  }

  /// A document whose sign-up asks for a password in some way.
  private static func signUp(_ password: String) throws -> AccountExperience {
    try #require(report(flow("signUp", screen(email + ", " + password))).account)
  }

  @Test("A new password's field has the server's smallest number of characters, unless the document asks for more")
  func passwords() throws {
    func field(_ password: String) throws -> FieldSnapshot {
      let account = try Self.signUp(password).demanding(charactersOfPasswords: 15)
      let fields = ExperienceConversation(account.experience, as: .newUser).snapshot.screen.fields
      return try #require(fields.first { $0.key == "password" })
    }
    func written(_ members: String) -> String {
      Self.newPassword.replacing(#""required": true"#, with: #""required": true, \#(members)"#)
    }
    let said = AccountTexts.english(.newPasswordHelp, number: 15)
    let bare = try field(Self.newPassword)
    #expect(bare.constraints.minLength == 15 && bare.help == said)
    let helped = try field(written(#""help": "Three words.""#))
    #expect(helped.constraints.minLength == 15 && helped.help == "Three words.")
    let weaker = try field(written(#""help": "At least 8.", "constraints": {"minLength": 8}"#))
    #expect(weaker.constraints.minLength == 15 && weaker.help == said)
    let stricter = try field(written(#""constraints": {"minLength": 20}"#))
    #expect(stricter.constraints.minLength == 20 && stricter.help == nil)
    // The password that a user has, and a server for which every password is good.
    let login = try #require(Self.report(Self.good).account).demanding(charactersOfPasswords: 15)
    #expect(login.experience.flows.first?.fields.allSatisfy { $0.constraints.minLength == nil } == true)
    let lax = try Self.signUp(Self.newPassword).demanding(charactersOfPasswords: 1)
    #expect(lax.experience.flows.first?.fields.allSatisfy { $0.help == nil } == true)
  }

  @Test("What the server says of a new password shows no document in a language that it is not in")
  func passwordLanguages() throws {
    let account = try Self.signUp(Self.newPassword).demanding(charactersOfPasswords: 15)
    let screen = ExperienceConversation(account.experience, as: .newUser, languages: ["de"]).snapshot.screen
    #expect(screen.language == "en")
    var finnish = try Self.signUp(Self.newPassword).experience
    finnish.language = "fi"
    let own = AccountExperience(experience: finnish).demanding(charactersOfPasswords: 15)
    let drawn = ExperienceConversation(own.experience, as: .newUser, languages: ["de"]).snapshot.screen
    #expect(drawn.language == "fi" && drawn.fields.allSatisfy { $0.help == nil })
    #expect(drawn.fields.contains { $0.constraints.minLength == 15 })
  }

  @Test("A link leads to a flow of another kind that has an address; what has none, and the same kind, is a form's")
  func addresses() throws {
    let account = try #require(AccountExperience.report(on: StarterExperience.document).account)
    func pages(_ id: String) throws -> [String: FlowKind] {
      let flow = try #require(account.experience.flow(id))
      let first = try #require(flow.screens.first?.id)
      let screen = try #require(account.experience.draw(screen: first, of: id))
      return account.pages(from: screen, of: flow.kind)
    }
    let expected: [(flow: String, pages: [String: FlowKind])] = [
      ("log-in", ["forgotten": .recover, "sign-up": .signup]), ("sign-up", ["log-in": .login]),
      ("recover", ["log-in": .login]), ("reset", [:]),
    ]
    for (flow, expected) in expected { #expect(try pages(flow) == expected, "\(flow)") }
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

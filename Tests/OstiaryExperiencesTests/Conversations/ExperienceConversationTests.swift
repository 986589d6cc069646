import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Experiences between two requests", .timeLimit(.minutes(5)))
struct ExperienceConversationTests {
  /// A server that keeps nothing but records: each page is answered by another process.
  private struct Server {
    var experience: Experience
    let app = RecordingApp()
    var kept: Set<String> = []
    var record: Data?
    var outcome: ExperienceOutcome?

    init(_ experience: Experience, flow kind: Experience.Kind = .newUser, keeping kept: Set<String> = []) throws {
      self.experience = experience
      self.kept = kept
      record = try ExperienceConversation(experience, as: kind).record()
    }

    var snapshot: ExperienceSnapshot? {
      record.flatMap { ExperienceConversation(experience, record: $0) }?.snapshot
    }

    @discardableResult
    mutating func submit(
      _ entries: [String: String], _ action: String, turn: String? = nil
    ) async throws -> ExperienceSnapshot {
      let record = try #require(self.record)
      var conversation = try #require(ExperienceConversation(experience, record: record))
      let screen = conversation.snapshot.screen
      let pairs = [
        (name: ExperiencePage.turnName, value: turn ?? screen.turn), (name: ExperiencePage.actionName, value: action),
      ]
      let fields = entries.map { (name: $0.key, value: $0.value) }
      if let input = ExperienceInput(pairs + fields, for: screen) {
        await conversation.submit(input, asking: app)
      }
      self.record = try conversation.record { [kept] flow, field in kept.contains("\(flow)/\(field.key)") }
      outcome = conversation.snapshot.outcome
      return conversation.snapshot
    }
  }

  private static let account = ["email": "ada@example.com", "password": Fixtures.password, "terms": "true"]

  @Test("A sign-up goes on in another process after each page, and the app is asked as by a runner")
  func whole() async throws {
    var server = try Server(try Fixtures.starter(), keeping: ["sign-up/password"])
    let about = try await server.submit(Self.account, "continue")
    #expect(about.screen.id == "about" && server.snapshot == about)
    let back = try await server.submit([:], "back")
    #expect(back.screen.id == "account" && server.snapshot == back)
    #expect(back.screen.fields.first { $0.key == "email" }?.value == "ada@example.com")
    // What was accepted need not be entered again, and is not shown.
    let password = try #require(back.screen.fields.first { $0.key == "password" })
    #expect(password.isFilled && password.value == nil)
    try await server.submit(["email": "ada@example.com", "password": "", "terms": "true"], "continue")
    try await server.submit(["first_name": "Ada", "plan": "pro"], "finish")
    guard case .signedIn(let user) = try #require(server.outcome) else {
      Issue.record("nobody is signed in")
      return
    }
    #expect(user.id == "u2" && user.isNew && user.properties["first_name"] == "Ada")
    #expect(server.record == nil, "Nothing of the user is kept after the end.")
    #expect(server.app.count("validate account") == 2 && server.app.count("signUp") == 1)
  }

  @Test("No record holds a secret, at any moment")
  func secrets() async throws {
    var server = try Server(try Fixtures.starter(), keeping: ["sign-up/password"])
    var records: [Data] = [try #require(server.record)]
    try await server.submit(["email": "ada@", "password": Fixtures.password, "terms": "false"], "continue")
    records.append(try #require(server.record))
    try await server.submit(Self.account, "continue")
    records.append(try #require(server.record))
    server.app.change { answers in
      answers.signUp = { _ in .refused(.invalid(field: "first_name", message: "Another name, please.")) }
    }
    try await server.submit(["first_name": "Ada"], "finish")
    records.append(try #require(server.record))
    let last = try #require(records.last)
    let conversation = ExperienceConversation(try Fixtures.starter(), record: last)
    #expect(conversation != nil)
    for text in [String(describing: conversation), String(reflecting: conversation)] { #expect(!text.contains("ada@")) }
    for record in records {
      let text = String(decoding: record, as: UTF8.self)
      #expect(!text.contains(Fixtures.password))
    }
    #expect(String(decoding: records[2], as: UTF8.self).contains("ada@example.com"))
  }

  @Test("A secret that the caller has kept nothing for has to be entered again")
  func notKept() async throws {
    var server = try Server(try Fixtures.starter())
    try await server.submit(Self.account, "continue")
    let end = try await server.submit(["first_name": "Ada"], "finish")
    #expect(end.outcome == nil && end.screen.id == "account")
    #expect(end.screen.firstInvalidField?.key == "password" && server.app.count("signUp") == 0)
  }

  @Test("A secret that was refused is not kept, whatever the caller says")
  func refused() async throws {
    var server = try Server(try Fixtures.starter(), keeping: ["sign-up/password"])
    server.app.change { $0.validate = { _, _ in .invalid(field: "password", message: "It is known.") } }
    let screen = try await server.submit(Self.account, "continue").screen
    #expect(screen.fields.first { $0.key == "password" }?.message == "It is known.")
    #expect(server.snapshot?.screen.fields.first { $0.key == "password" }?.isFilled == false)
    // What is wrong is told again after a reload.
    #expect(server.snapshot?.screen.fields.first { $0.key == "password" }?.message == "It is known.")
  }

  @Test("A repeated secret is kept with the one that it repeats, and a new one has to be repeated")
  func repetition() async throws {
    let experience = Experience(
      id: "e",
      flows: [
        .init(
          id: "f", kind: .signUp,
          screens: [
            .init(
              id: "a",
              fields: [
                .init(key: "password", kind: .newPassword, isRequired: true),
                .init(
                  key: "again", kind: .newPassword, isRequired: true, constraints: .init(matches: "password")),
              ], actions: [.init(id: "next", work: .move(.next))]),
            .init(id: "b", actions: [.init(id: "end", work: .move(.next)), .init(id: "back", work: .move(.back))]),
          ])
      ])
    var server = try Server(experience, keeping: ["f/password", "f/again"])
    try await server.submit(["password": "one", "again": "two"], "next")
    #expect(server.snapshot?.screen.firstInvalidField?.issue?.code == .mismatch)
    try await server.submit(["password": "one", "again": "one"], "next")
    try await server.submit([:], "back")
    try await server.submit(["password": "three", "again": ""], "next")
    #expect(server.snapshot?.screen.firstInvalidField?.key == "again")
    try await server.submit(["password": "three", "again": "three"], "next")
    let end = try await server.submit([:], "end")
    #expect(end.outcome != nil)
  }

  @Test("Bug-G07: a form of an earlier page does nothing in a later process")
  func stale() async throws {
    var server = try Server(try Fixtures.starter(), keeping: ["sign-up/password"])
    let turn = try #require(server.snapshot?.screen.turn)
    try await server.submit(Self.account, "continue")
    let before = server.snapshot
    try await server.submit(Self.account, "continue", turn: turn)
    #expect(server.snapshot == before && server.app.count("validate") == 1)
  }

  @Test("A record is none of another document, and damaged ones are none")
  func documents() throws {
    let starter = try Fixtures.starter()
    let record = try #require(try ExperienceConversation(starter).record())
    var other = starter
    other.flows[0].id = "registration"
    #expect(ExperienceConversation(other, record: record) == nil)
    var renamed = starter
    renamed.flows[0].screens[0].id = "start"
    #expect(ExperienceConversation(renamed, record: record) == nil)
    #expect(ExperienceConversation(starter, record: record) != nil)
    for length in [0, 1, record.count / 2, record.count - 1] {
      #expect(ExperienceConversation(starter, record: record.prefix(length)) == nil)
    }
  }

  @Test("What a new document has no longer is left out, and what it has become secure is not read")
  func changed() async throws {
    var server = try Server(try Fixtures.starter(), keeping: ["sign-up/password"])
    try await server.submit(Self.account, "continue")
    try await server.submit([:], "back")
    var other = server.experience
    other.flows[0].screens[0].fields[0] = .init(key: "email", kind: .email, isSecure: true)
    other.flows[0].screens.removeLast()
    let record = try #require(server.record)
    let conversation = try #require(ExperienceConversation(other, record: record))
    let email = try #require(conversation.snapshot.screen.fields.first)
    #expect(email.value == nil && !email.isFilled)
  }

  @Test(
    "Bug-G25: what is hidden is the present document's, also where an earlier one said something else or asked for it",
    arguments: [
      Experience.Field(key: "plan", kind: .hidden, value: "old"), Experience.Field(key: "plan", kind: .text),
      Experience.Field(key: "other", kind: .text),
    ])
  func hidden(earlier: Experience.Field) async throws {
    func document(_ field: Experience.Field) -> Experience {
      let actions = [Experience.Action(id: "go", work: .move(.next))]
      return Experience(
        id: "e",
        flows: [
          .init(
            id: "f", kind: .login,
            screens: [
              .init(id: "s", fields: [field], actions: actions), .init(id: "t", fields: [field], actions: actions),
            ])
        ])
    }
    var server = try Server(document(earlier), flow: .login)
    try await server.submit([earlier.key: "admin"], "go")
    server.experience = document(.init(key: "plan", kind: .hidden, value: "free"))
    #expect(server.snapshot?.screen.fields.map(\.value) == ["free"])
    try await server.submit([:], "go")
    #expect(server.outcome != nil)
    #expect(server.app.calls.filter { $0.contains("logIn") } == [#"logIn {plan: "free"}"#])
  }

  @Test("What was typed on a page that is too old can be filled in again, but no secret")
  func filledIn() throws {
    var conversation = ExperienceConversation(try Fixtures.starter())
    let entered = [
      conversation.enter("ada@example.com", in: "email"), conversation.enter(Fixtures.password, in: "password"),
      conversation.enter("x", in: "nothing"),
    ]
    #expect(entered == [true, false, false])
    let fields = conversation.snapshot.screen.fields
    #expect(fields.map(\.isFilled) == [true, false, false])
  }

  @Test("An address that is to be opened is told once")
  func opened() async throws {
    var conversation = ExperienceConversation(try Fixtures.starter())
    let screen = conversation.snapshot.screen
    let input = try #require(
      ExperienceInput(
        [
          (name: ExperiencePage.turnName, value: screen.turn),
          (name: ExperiencePage.actionName, value: "terms-of-use"),
        ], for: screen))
    let app = RecordingApp()
    await conversation.submit(input, asking: app)
    #expect(conversation.opened?.absoluteString == "https://example.com/terms")
    await conversation.submit(input, asking: app)
    #expect(conversation.opened == nil && app.count("open") == 1)
  }

  @Test("Bug-G27: a page tells what has succeeded, at its top and in its title, escaped")
  func news() throws {
    let screen = ExperienceConversation(try Fixtures.starter(), as: .login).snapshot.screen
    let page = ExperiencePage(screen, action: "/go", news: [.init("Done & <dusted>", code: "done")]).html
    #expect(page.contains("<title>Done &amp; &lt;dusted&gt; – Log in</title>"))
    #expect(page.contains("role=\"status\">\n<p data-code=\"done\">Done &amp; &lt;dusted&gt;</p>"))
    #expect(!ExperiencePage(screen, action: "/go").html.contains("role=\"status\""))
  }
}

import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// Pages of a document whose language the server has no texts in: what the server says there is in English, and marked so.
@Suite("Bug-G19: drawn account pages in a language of the document's alone", .timeLimit(.minutes(20)))
struct ExperienceLanguageTests {
  /// The starter, with texts for readers of Finnish.
  private static func document() throws -> Data {
    var members = try #require(JSONValue(json: StarterExperience.document)?.object)
    var texts = try #require(members["texts"]?.object)
    texts["fi"] = texts["en"]
    members["texts"] = .object(texts)
    return try JSONEncoder().encode(JSONValue.object(members))
  }

  private static func run(body: (PageVisitor) async throws -> Void) async throws {
    let finnish = try document()
    try await TestServer.runWithAccounts({ $0.accounts?.experience = finnish }) { server in
      try await body(PageVisitor(server, language: "fi"))
    }
  }

  private static func press(
    _ action: String, on page: Answer, _ visitor: PageVisitor, _ fields: [(String, String)] = []
  ) async throws -> Answer {
    try await visitor.fill(page, nil, fields + [(ExperiencePage.actionName, action)])
  }

  private static let listed = "<li lang=\"en\" dir=\"ltr\">"

  @Test("Bug-G19: what the server refuses names its language")
  func refused() async throws {
    try await Self.run { visitor in
      let page = try await visitor.get("/account/login")
      #expect(page.body.contains("<html lang=\"fi\" dir=\"ltr\">"), "\(page.body)")
      #expect(!page.body.contains("<h1 lang="))
      let wrong = try await Self.press(
        "log-in", on: page, visitor, [("email", "jane@example.com"), ("password", "wrong")])
      #expect(wrong.status == 422 && wrong.body.contains("<html lang=\"fi\""))
      #expect(wrong.body.contains(Self.listed + FlowIssue(.credentialsWrong).text), "\(wrong.body)")
    }
  }

  @Test("Bug-G19: that a page has expired names its language, also beside what was typed there")
  func expired() async throws {
    try await Self.run { visitor in
      let page = try await visitor.get("/account/login")
      visitor.server.clock.advance(by: 3700)
      let late = try await Self.press("log-in", on: page, visitor, [("email", "jane@example.com"), ("password", "x")])
      #expect(late.status == 410 && late.body.contains("value=\"jane@example.com\""))
      #expect(late.body.contains(Self.listed), "\(late.body)")
    }
  }

  @Test("Bug-G19: what has succeeded names its language")
  func told() async throws {
    try await Self.run { visitor in
      let page = try await Self.press("forgotten", on: visitor.get("/account/login"), visitor)
      let sent = try await Self.press("send", on: page, visitor, [("email", "jane@example.com")])
      #expect(sent.body.contains("<html lang=\"fi\""))
      #expect(sent.body.contains("<p data-code=\"code.sent\" lang=\"en\" dir=\"ltr\">"), "\(sent.body)")
    }
  }
}

import Foundation
import HTTPTypes
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Bug-G21: the texts of the doors' pages, error pages and the mailbox")
struct PageTablesTests {
  static let languages = PageTables.languages.sorted()

  private static func values(_ text: String) -> [String] { PageTables.parts(of: text).compactMap(\.value).sorted() }

  /// A language's texts that are the same in English by chance: none.
  private static let sameAsEnglish: [String: Set<ServerText>] = [:]

  @Test("Bug-G21: every language is complete, with the values of the English", arguments: languages)
  func complete(language: String) throws {
    let table = try #require(PageTables.table(language))
    #expect(Set(table.keys) == Set(ServerText.allCases.map(\.rawValue)))
    for name in ServerText.allCases {
      let english = try #require(PageTables.english[name.rawValue]?.form(.other))
      let text = try #require(table[name.rawValue]?.form(.other), "\(name)")
      #expect(table[name.rawValue] == Experience.TextForms.one(text), "\(name)")
      #expect(!text.isEmpty && text == text.precomposedStringWithCanonicalMapping, "\(name)")
      #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines) && !text.contains("\n"), "\(name)")
      #expect(Self.values(text) == Self.values(english), "\(name)")
      #expect(text.components(separatedBy: "{{").count == Self.values(text).count + 1, "\(name)")
      let isSame = language != "en" && text == english
      #expect(!isSame || Self.sameAsEnglish[language, default: []].contains(name), "\(name)")
    }
  }

  @Test("Bug-G21: titles of a language's pages are told apart", arguments: languages)
  func titles(language: String) throws {
    let texts = PageTexts(account: AccountTexts(language))
    let titles = ServerText.allCases.filter { $0.rawValue.hasSuffix("Title") }.map { texts($0) }
    let shared: [AccountText] = [.recoverTitle, .codeTitle, .passwordTitle, .signedOutTitle, .expiredTitle]
    let all = titles + shared.map { texts($0) } + [texts(.signInTitle, service: "Acme")]
    #expect(all.allSatisfy { !$0.isEmpty && $0.count <= 60 })
    let repeated = Dictionary(grouping: all) { $0 }.filter { $1.count > 1 }.keys.sorted()
    #expect(repeated == [], "\(language)")
  }

  @Test("Bug-G21: values are put in once, escaped, and as they are", arguments: languages)
  func values(language: String) {
    let texts = PageTexts(account: AccountTexts(language))
    let odd = "{{path}} & <b>"
    let kept = "{{path}} &amp; &lt;b&gt;"
    for (text, name) in [
      (ServerText.consentWants, "app"), (.consentUser, "user"), (.scopePages, "scope"), (.heldSent, "path"),
      (.requestNumber, "id"), (.mailboxRecipient, "address"),
    ] {
      let markup = texts(text, [name: "<i>\(odd)</i>"]).source
      #expect(markup.components(separatedBy: "<i>\(kept)</i>").count == 2, "\(text)")
      #expect(!markup.replacing(kept, with: "").contains("{{"), "\(text)")
    }
    #expect(texts.signedIn(as: "<i>\(odd)</i>").source.contains("<i>\(kept)</i>"))
    for code in [FlowIssue.Code.unavailable, .overloaded] { #expect(texts(code: code) != code.rawValue) }
  }

  @Test("Bug-G21: every status of an error page has a title, the frequent ones their own")
  func errors() {
    let statuses: [HTTPResponse.Status] = [
      .badRequest, .forbidden, .notFound, .tooManyRequests, .internalServerError, .serviceUnavailable,
    ]
    #expect(Set(statuses.map(ServerText.init(titleOf:))).count == statuses.count)
    #expect(ServerText(titleOf: .init(code: 599)) == .refusedTitle)
  }
}

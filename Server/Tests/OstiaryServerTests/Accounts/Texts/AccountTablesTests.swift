import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

@Suite("Bug-G21: the texts of account pages and mail", .timeLimit(.minutes(20)))
struct AccountTablesTests {
  private static let languages = [
    "en", "de", "fr", "es", "pt", "pl", "uk", "tr", "ar", "he", "hi", "ja", "ko", "zh-Hans", "zh-Hant",
  ]

  /// The texts that are the same in English by chance.
  private static let sameAsEnglish: [String: Set<AccountText>] = ["de": [.displayNameLabel]]

  private static func forms(_ forms: Experience.TextForms?) -> [(category: PluralCategory, text: String)] {
    switch forms {
    case .one(let text): [(.other, text)]
    case .plural(let forms): forms.map { ($0.key, $0.value) }
    case nil: []
    }
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(text.components(separatedBy: "{{").dropFirst().compactMap { $0.split(separator: "}}").first.map(String.init) })
  }

  @Test("Bug-G21: every language is complete, with the placeholders of the English", arguments: languages)
  func complete(language: String) throws {
    #expect(AccountTables.languages == Set(Self.languages))
    let table = try #require(AccountTables.table(language))
    #expect(Set(table.keys) == Set(AccountText.allCases.map(\.rawValue)))
    for name in AccountText.allCases {
      let english = try #require(Self.forms(AccountTables.english[name.rawValue]).first?.text)
      let forms = Self.forms(table[name.rawValue])
      #expect(!forms.isEmpty, "\(name)")
      for (category, text) in forms {
        #expect(!text.isEmpty && text == text.precomposedStringWithCanonicalMapping, "\(name)")
        #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines) && !text.contains("\n"), "\(name)")
        // A form that is for one number alone may write it as a word.
        let isWord = category == .two || category == .one && ["ar", "he"].contains(language)
        let (own, wanted) = (Self.placeholders(text), Self.placeholders(english))
        #expect(isWord ? own.isSubset(of: wanted) : own == wanted, "\(name)")
        let isSame = language != "en" && text == english
        #expect(!isSame || Self.sameAsEnglish[language, default: []].contains(name), "\(name)")
      }
    }
  }

  @Test("What a person signs in with is called a user name, as at the doors", arguments: languages)
  func userNames(language: String) throws {
    let label = AccountTexts(language)(.identifierLabel).lowercased()
    let name = try #require(Self.forms(PageTables.table(language)?["userNameLabel"]).first?.text)
    #expect(label.hasPrefix(name.lowercased()), "\(label)")
  }

  @Test("Bug-G21: plural texts have every form that the language tells apart, and no other", arguments: languages)
  func plurals(language: String) throws {
    let needed: [String: Set<PluralCategory>] = [
      "pl": [.one, .few, .many, .other], "uk": [.one, .few, .many, .other],
      "ar": [.zero, .one, .two, .few, .many, .other], "he": [.one, .two, .other],
      "tr": [.other], "ja": [.other], "ko": [.other], "zh-Hans": [.other], "zh-Hant": [.other],
    ]
    let table = try #require(AccountTables.table(language))
    for name in [AccountText.newPasswordHelp, .validity] {
      let found = Set(Self.forms(table[name.rawValue]).map(\.category))
      #expect(found == needed[language, default: [.one, .other]], "\(name)")
    }
    let texts = AccountTexts(language)
    for number in [0, 1, 2, 3, 5, 11, 21, 22, 25, 100, 101] {
      let text = texts(.validity, number: number)
      #expect(!text.isEmpty && !text.contains("{{"), "\(number)")
    }
  }

  @Test("Bug-G21: every code has a text in every language, and only what programs cause is told in English")
  func codes() {
    let forAuthors: Set<FlowIssue.Code> = [
      .fieldUnknown, .fieldRepeated, .actionUnknown, .requestMalformed, .requestType,
    ]
    for language in Self.languages {
      let texts = AccountTexts(language)
      #expect(texts.language == language && texts.isRightToLeft == ["ar", "he"].contains(language))
      for code in FlowIssue.Code.allCases {
        let issue = FlowIssue(code, ["limit": 15])
        let text = issue.text(in: texts)
        #expect(!text.isEmpty && text != code.rawValue && !text.contains("{{"), "\(language) \(code)")
        #expect(language == "en" || forAuthors.contains(code) == (text == issue.text), "\(language) \(code)")
      }
    }
  }

  @Test(
    "Bug-G21: the language that fits the reader best is chosen, and English where none does",
    arguments: [
      (["zh-TW"], "zh-Hant"), (["zh-HK", "en"], "zh-Hant"), (["zh"], "zh-Hans"), (["de-AT", "fr"], "de"),
      (["pt-BR"], "pt"),
      (["iw"], "he"), (["sw", "pl"], "pl"), (["tlh"], "en"), ([], "en"), (["en-GB", "de"], "en"),
    ] as [([String], String)])
  func choice(languages: [String], chosen: String) {
    #expect(AccountTexts.language(for: languages) == chosen)
  }

  @Test("Bug-G21: numbers are in the language's digits, values are put in once and as they are")
  func values() {
    #expect(AccountTexts("de")(.validity, number: 10).contains("10 Minuten"))
    #expect(AccountTexts("pl")(.validity, number: 22).contains("22 minuty"))
    #expect(AccountTexts("uk")(.validity, number: 21).contains("21 хвилину"))
    #expect(AccountTexts("ar")(.validity, number: 2).contains("دقيقتين"))
    let odd = "{{number}} & <b>"
    #expect(AccountTexts("de")(.signInTitle, service: odd) == "Bei \(odd) anmelden")
  }

  @Test("Bug-G21: a code's groups stay in order between letters from right to left", arguments: ["ar", "he"])
  func order(language: String) {
    // A space between groups of digits has the paragraph's direction: without the mark the second group is read first.
    let mark = "\u{200E}"
    #expect(AccountTexts(language)(.code, ["code": "1234 5678"]).contains("\(mark)1234 5678"))
    #expect(FlowCode(typed: "\(mark)1234 5678")?.secret.reveal() == "12345678")
  }

  @Test(
    "Bug-G21: the mail of a code, of an account that exists and of no account take the same room, in every language",
    arguments: languages)
  func room(language: String) async throws {
    let storage = try ServerStorage.forTest()
    let outbox = Outbox(storage.key)
    let origin = try #require(Origin(plain: "https://accounts.some-rather-long-name.example.org"))
    let mails = FlowMails(service: String(repeating: "Größe", count: 8), origin: origin, minutes: 10)
    let code = FlowCode.make(flow: Data([1]), until: Date(timeIntervalSince1970: 0), key: storage.key.key(for: "test"))
    let token = FlowToken(
      kind: .recover, browser: String(repeating: "b", count: 43),
      returnTo: "https://example.org/" + String(repeating: "page/", count: 120),
      language: language, expiresAt: Date(timeIntervalSince1970: 0))
    let link = "\(origin)/account/recover?flow=\(try FlowSeal(storage.key).seal(token))"
    let texts = AccountTexts(language)
    let address = try #require(MailAddress("jane@example.com"))
    let messages = [
      mails.confirmation(code, to: address, link: link, in: texts), mails.alreadyRegistered(to: address, in: texts),
      mails.recovery(code, to: .nobody, link: link, in: texts),
    ]
    for message in messages { #expect(!message.subject.contains("{{") && !message.text.contains("{{")) }
    #expect(messages.allSatisfy { $0.text.contains("\n\n") })
    let sizes = try await storage.write { db in
      let now = Date(timeIntervalSince1970: 0)
      for message in messages {
        try outbox.add(message, isBlank: false, now: now, expiresAt: now.addingTimeInterval(600), in: db)
      }
      return try db.test.all(Int.self, "SELECT length(sealed) FROM outbox")
    }
    #expect(sizes.count == 3 && Set(sizes).count == 1, "\(sizes)")
  }
}

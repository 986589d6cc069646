import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Bug-G21: Ostiary's own texts", .timeLimit(.minutes(20)))
struct BuiltInTextsTests {
  /// The words that are the same in English by chance.
  private static let sameAsEnglish: [String: Set<String>] = ["fr": [], "pt": [], "es": ["no"]]

  private static let languages = [
    "en", "de", "fr", "es", "pt", "pl", "uk", "tr", "ar", "he", "hi", "ja", "ko", "zh-Hans", "zh-Hant",
  ]

  private static func texts(_ forms: Experience.TextForms) -> [String] {
    switch forms {
    case .one(let text): [text]
    case .plural(let forms): Array(forms.values)
    }
  }

  private static func placeholders(_ text: String) -> Set<String> {
    Set(text.components(separatedBy: "{{").dropFirst().compactMap { $0.split(separator: "}}").first.map(String.init) })
  }

  @Test("Bug-G21: every language is complete, with the placeholders of the English", arguments: languages)
  func complete(language: String) throws {
    let table = try #require(BuiltInTexts.table(language))
    #expect(Set(table.keys) == Set(BuiltInTexts.english.keys))
    #expect(BuiltInTexts.languages.contains(language) && BuiltInTexts.languages.count == Self.languages.count)
    for (name, english) in BuiltInTexts.english {
      let wanted = Self.placeholders(try #require(Self.texts(english).first))
      let forms = Self.forms(try #require(table[name]))
      #expect(!forms.isEmpty, "\(name)")
      for (category, text) in forms {
        #expect(!text.isEmpty && text == text.precomposedStringWithCanonicalMapping, "\(name)")
        // A form that is for one number alone may write it as a word.
        let isWord = category == "one" && ["ar", "he"].contains(language) || category == "two"
        #expect(isWord ? Self.placeholders(text).isSubset(of: wanted) : Self.placeholders(text) == wanted, "\(name)")
      }
      let isSame = language != "en" && Self.texts(table[name] ?? "") == Self.texts(english)
      #expect(!isSame || Self.sameAsEnglish[language, default: []].contains(name), "\(name)")
    }
  }

  private static func forms(_ forms: Experience.TextForms) -> [(String, String)] {
    switch forms {
    case .one(let text): [("other", text)]
    case .plural(let forms): forms.map { ($0.key.rawValue, $0.value) }
    }
  }

  @Test("Bug-G21: plural texts have every form that the language tells apart, and no other", arguments: languages)
  func plurals(language: String) throws {
    let table = try #require(BuiltInTexts.table(language))
    let needed = Set((0...200).map { PluralRules.category(of: $0, in: language) } + [.other])
    for (name, forms) in table {
      if case .plural(let forms) = forms { #expect(Set(forms.keys) == needed, "\(name)") }
    }
  }

  @Test("Bug-G21: examples of numbers stay in order between letters from right to left")
  func order() throws {
    // Digits after Arabic letters are Arabic numbers, which a hyphen parts: the day would stand where the year is read.
    for (language, name, example) in [("ar", "date", "2026-"), ("ar", "phone", "+"), ("he", "phone", "+")] {
      let forms = try #require(BuiltInTexts.table(language)?[name])
      #expect(Self.texts(forms).allSatisfy { $0.contains("\u{200E}\(example)") }, "\(language) \(name)")
    }
  }

  @Test("Bug-G21: a limit below zero, and a day, stay in order between letters from right to left")
  func limits() throws {
    let mark = "\u{200E}"
    func words(_ language: String, _ reader: String) -> Wording {
      Wording(Experience(id: "e", language: language, flows: []), languages: [reader])
    }
    for code in [FieldIssue.Code.tooSmall, .tooLarge] {
      for (language, reader) in [("ar", "ar"), ("ar", "ar-MA"), ("he", "he")] {
        let wording = words(language, reader)
        for limit in ["-5", "-2.5", "2026-11-22"] {
          let text = wording.text(FieldIssue(code, limit: limit))
          #expect(text.contains("\(mark)\(wording.numbers.written(limit))"), "\(reader) \(limit)")
        }
        #expect(!wording.text(FieldIssue(code, limit: "5")).contains(mark))
      }
      // The digits of the script have its direction, and their sign stands where it is read.
      for (language, reader) in [("ar", "ar-EG"), ("de", "de")] {
        #expect(!words(language, reader).text(FieldIssue(code, limit: "-5")).contains(mark), "\(reader)")
      }
    }
    // So it is with what a document's own texts name.
    var own = Experience(id: "e", language: "he", flows: [])
    own.texts = ["he": ["balance": "היתרה: {{balance}}"]]
    let properties: [String: JSONValue] = ["balance": -5, "day": "2026-11-22", "code": "a-b"]
    let hebrew = Wording(own, languages: [])
    let balance = hebrew.text(.key("balance")) { properties[$0] }
    #expect(balance == "היתרה: \(mark)-5")
    let until = hebrew.text(.literal("עד {{day}}, {{code}}")) { properties[$0] }
    #expect(until == "עד \(mark)2026-11-22, a-b")
  }

  @Test("Bug-G21: the server's refusals are worded by the client", arguments: languages)
  func codes(language: String) async throws {
    let screen = Experience.Screen(
      id: "s", fields: [.init(key: "email", kind: .email), .init(key: "password", kind: .newPassword)],
      actions: [.init(id: "go", work: .move(.submit))])
    let experience = Experience(
      id: "e", language: language, flows: [.init(id: "f", kind: .signUp, screens: [screen])])
    var result = ValidationResult()
    result.invalidate(field: "email", message: "That e-mail address has an account already.", code: "email.taken")
    result.invalidate(
      field: "password", message: "Please use at least 15 characters.", code: "password.too_short", limit: 15)
    result.invalidate(message: "Please wait 3 seconds before you try again.", code: "limits.wait", limit: 3)
    let drawn = try #require(experience.draw(screen: "s", of: "f", result: result))
    let table = try #require(BuiltInTexts.table(language))
    func text(_ name: String, _ number: Int) -> String {
      table[name]?.form(PluralRules.category(of: number, in: language))
        .replacing("{{limit}}", with: NumberStyle(language).written("\(number)")) ?? ""
    }
    #expect(drawn.fields.map(\.message) == [text("email_taken", 0), text("too_short", 15)])
    #expect(drawn.messages == [text("wait", 3)])
    // The same through a runner.
    let refusal = result
    let app = RecordingApp { $0.signUp = { _ in .refused(refusal) } }
    let runner = ExperienceRunner(experience, delegate: app)
    runner.present()
    let after = await runner.submit(["email": "a@example.com", "password": "x"], with: "go")
    #expect(after.screen.fields.map(\.message) == [text("email_taken", 0), text("too_short", 15)])
    #expect(after.screen.messages == [text("wait", 3)])
  }

  @Test("Bug-G21: a code without a text, or without its number, leaves the server's message")
  func unknown() throws {
    let screen = Experience.Screen(id: "s", fields: [.init(key: "a", kind: .text), .init(key: "b", kind: .text)])
    let experience = Experience(
      id: "e", language: "de", texts: ["de": ["ostiary.email_taken": "Schon da."]],
      flows: [.init(id: "f", kind: .custom, screens: [screen])])
    var result = ValidationResult()
    result.invalidate(field: "a", message: "Own.", code: "app.own")
    result.invalidate(field: "b", message: "Too short.", code: "password.too_short")
    #expect(experience.draw(screen: "s", of: "f", result: result)?.fields.map(\.message) == ["Own.", "Too short."])
    result.invalidate(field: "a", code: "email.taken")
    result.invalidate(field: "b", message: "Mine.")
    #expect(experience.draw(screen: "s", of: "f", result: result)?.fields.map(\.message) == ["Schon da.", "Mine."])
  }

  @Test("Bug-G21: every code has a text that is there")
  func texts() {
    for name in BuiltInTexts.serverCodes.values { #expect(BuiltInTexts.english[name] != nil, "\(name)") }
    for code in FieldIssue.Code.all { #expect(BuiltInTexts.english[code.rawValue] != nil, "\(code)") }
  }
}

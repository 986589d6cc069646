import Testing

@testable import OstiaryExperiences

@Suite("Texts", .timeLimit(.minutes(20)))
struct WordingTests {
  /// A language, and numbers with their categories.
  private static let pluralCases: [(language: String, cases: String)] = [
    ("en", "0 other 1 one 2 other"), ("fr", "0 one 1 one 2 other 1000000 many"),
    ("ru", "1 one 2 few 5 many 11 many 21 one 112 many 104 few"), ("pl", "1 one 22 few 12 many 21 many 0 many"),
    ("cs", "1 one 3 few 5 other"), ("ar", "0 zero 1 one 2 two 3 few 11 many 100 other 103 few"),
    ("sl", "1 one 102 two 3 few 5 other"), ("lt", "1 one 11 other 2 few 10 other"),
    ("lv", "0 zero 1 one 11 zero 21 one 2 other"), ("ro", "1 one 0 few 19 few 20 other 101 few"),
    ("he", "1 one 2 two 10 other"), ("ja", "1 other"), ("tlh", "1 other"), ("pt-BR", "0 one 1 one 2 other"),
    ("pt-PT", "0 other 1 one"), ("cy", "3 few 6 many"), ("ga", "4 few 7 many"), ("de-AT", "1 one"),
  ]

  @Test("Plural categories of CLDR", arguments: pluralCases)
  func plurals(language: String, cases: String) throws {
    let words = cases.split(separator: " ")
    for index in stride(from: 0, to: words.count, by: 2) {
      let number = try #require(Int(words[index]))
      #expect(PluralRules.category(of: number, in: language).rawValue == words[index + 1], "\(number)")
    }
  }

  @Test(
    "Placeholders are replaced once, and odd ones do no harm",
    arguments: [
      ("Hi {{a}}", "Hi {{b}}"), ("{{c|x}}", "x"), ("{{c}}", ""), ("{{a", "{{a"), ("}}{{", "}}{{"), ("{{ a }}", "{{b}}"),
      ("{{{{a}}}}", "}}"), ("{{c|}}", ""),
    ])
  func replacing(text: String, expected: String) {
    #expect(Wording.replace(text) { ["a": "{{b}}", "b": "no"][$0] } == expected)
  }
}

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
    ("pa", "0 one 1 one 2 other"), ("fil", "1 one 4 other 5 one 14 other"), ("tl", "4 other 5 one"),
    ("ku", "0 other 1 one"), ("ckb_IQ", "1 one"), ("ky", "1 one"), ("ps-AF", "1 one"), ("yi", "1 one"), ("ji", "1 one"),
    ("si", "0 one 1 one 2 other"), ("gsw-CH", "1 one"), ("rm", "1 one"), ("se", "1 one 2 two 3 other"),
    ("mt", "0 few 1 one 2 two 10 few 11 many 20 other 103 few"), ("gd", "1 one 12 two 19 few 20 other"),
    ("gv", "1 one 22 two 40 few 3 other"), ("ksh", "0 zero 1 one 2 other"), ("hsb", "101 one 102 two 104 few 5 other"),
    ("br", "21 one 11 other 22 two 39 few 71 other 73 other 1000000 many"), ("tzm", "1 one 10 other 11 one 100 other"),
    ("kw", "0 zero 1 one 22 two 3 few 21 many 20000 two 30000 other 100000 two 4 other"),
    ("shi", "1 one 10 few 11 other"),
    ("iw", "2 two"), ("mo", "0 few"), ("sh", "21 one 22 few"), ("pt-AO", "0 other 1 one 1000000 many"), ("pt", "0 one"),
  ]

  @Test("Bug-G18: plural categories of CLDR, in every language that has more than one", arguments: pluralCases)
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

import BrowserTestSupport
import Foundation
import OstiaryCore
import OstiaryExperiences
import Testing

@Suite("Patterns in a browser", .timeLimit(.minutes(20)))
struct PatternBrowserTests {
  /// A seeded source of expressions and of texts that often match them.
  private struct Maker {
    var seed: UInt64 = 26

    mutating func next(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }

    mutating func pick<Element>(_ from: [Element]) -> Element { from[next(from.count)] }

    private static let literals = [
      "a", "b", "c", "0", "9", "-", "_", " ", "é", "ß", "日", "😀", "@", "&", "&&", "~", "!", "#", "%", ",", ":", ";",
      "<", "=",
      ">", "`", "'", "\"", "/", #"\@"#, #"\-"#, #"\."#, #"\("#, #"\)"#, #"\["#, #"\]"#, #"\{"#, #"\}"#, #"\|"#, #"\\"#,
      #"\/"#, #"\$"#, #"\^"#, #"\*"#, #"\+"#, #"\?"#, #"\t"#, #"\n"#, #"\d"#, #"\w"#, #"\s"#, #"\D"#, #"\W"#, #"\S"#,
      ".",
    ]
    private static let members = [
      "a-c", "0-9", "a", "b", "_", "-", "(", ")", "{", "}", "|", "/", "&&", "--", "!!", "~~", "^", "$", ".", "*", "+",
      "?", "é-ü",
      "日", #"\d"#, #"\W"#, #"\s"#, #"\]"#, #"\["#, #"\\"#, #"\-"#, ",", "#", "%", "@", "`", "=", "<", ">", ":", ";",
      "'", "\u{A0}",
    ]

    mutating func expression(_ depth: Int = 0) -> String {
      var text = ""
      for _ in 0...next(3) {
        switch next(depth < 3 ? 10 : 7) {
        case 0...3: text += pick(Self.literals)
        case 4...6:
          text += "[" + (next(4) == 0 ? "^" : "") + (0...next(4)).map { _ in pick(Self.members) }.joined() + "]"
        case 7: text += "(" + expression(depth + 1) + "|" + expression(depth + 1) + ")"
        case 8: text += "(?:" + expression(depth + 1) + ")"
        default: text += "(" + expression(depth + 1) + ")"
        }
        text += pick(["", "", "", "?", "*", "+", "{2}", "{1,}", "{0,3}", "{2,4}"])
      }
      return text
    }

    mutating func text() -> String {
      let parts = [
        "a", "b", "c", "0", "9", "-", "_", " ", "é", "ß", "日", "😀", "@", "&", "~", "(", ")", "[", "]", "{", "}", "|",
        "\\", "/", "$",
        "^", "*", "+", "?", ".", "\t", "!", "#", "%", ",", ":", ";", "<", "=", ">", "`", "'", "\"", "\u{A0}",
        "\u{2028}",
      ]
      return (0..<next(5)).map { _ in pick(parts) }.joined()
    }
  }

  @Test(
    "Bug-G26: a browser judges 10,000 values as the expressions that are written for it say",
    .enabled(if: Chromium.program != nil, "\(Chromium.absence)"))
  func agreement() async throws {
    var maker = Maker()
    var cases: [(pattern: Pattern, text: String)] = []
    while cases.count < 10_000 {
      guard let pattern = Pattern(maker.expression()) else { continue }
      for _ in 0..<8 { cases.append((pattern, maker.text())) }
    }
    let browser = try await Chromium()
    try await browser.show("<!DOCTYPE html><input id=field>")
    var matches = 0
    for start in stride(from: 0, to: cases.count, by: 500) {
      let some = cases[start..<min(start + 500, cases.count)]
      let pairs = JSONValue.array(some.map { .array([.string($0.pattern.html), .string($0.text)]) })
      let json = String(decoding: try JSONEncoder().encode(pairs), as: UTF8.self)
      // A broken expression is ignored: so the browser also says whether it can read it. An input drops the ends of lines, and
      // an empty value never mismatches; then the expression itself is asked, as the standard says that an input does.
      let answers = try await browser.evaluate(
        """
        \(json).map(([source, text]) => {
          let whole;
          try { whole = new RegExp('^(?:' + source + ')$', 'v') } catch { return 'unreadable' }
          const field = document.getElementById('field');
          field.pattern = source; field.value = text;
          const asked = whole.test(text);
          if (text && field.value === text && field.validity.patternMismatch === asked) return 'divided';
          return asked ? 'yes' : 'no'
        })
        """
      ).array?.compactMap(\.string)
      let answered = try #require(answers)
      try #require(answered.count == some.count)
      for (one, answer) in zip(some, answered) {
        let isMatch = one.pattern.matches(one.text)
        matches += isMatch ? 1 : 0
        #expect(answer == (isMatch ? "yes" : "no"), "\(one.pattern.source) as \(one.pattern.html) on \(one.text)")
      }
    }
    #expect(matches > 300)
    await browser.close()
  }
}

import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Terminal: text in columns", .timeLimit(.minutes(20)))
struct TerminalTextTests {
  @Test(
    "Wide characters take two columns; marks, joiners and controls of direction none; a picture of several code points two",
    arguments: [
      ("", 0), ("Ada", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("日本語", 6), ("ﾊﾛｰ", 3), ("ＡＢ", 4), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("か\u{3099}", 2), ("♥", 1), ("❤\u{FE0F}", 2), ("👩‍👩‍👧‍👦", 2), ("👍🏽", 2),
      ("🇩🇪", 2), ("1\u{FE0F}\u{20E3}", 2), ("\u{2068}a\u{2069}\u{200B}", 1), ("שָׁלוֹם", 4), ("مُحَمَّد", 4),
      ("हिन्दी", 5), ("…", 1), ("、", 2),
    ])
  func columns(text: String, columns: Int) {
    #expect(TerminalColumns.of(text) == columns)
  }

  /// What is left of texts when lines and spaces don't count.
  private static func letters(_ text: String) -> [Character] {
    text.filter { !$0.isWhitespace && $0 != TerminalLines.isolate && $0 != TerminalLines.end }.map { $0 }
  }

  @Test(
    "No line is wider than the terminal, and no character is lost or broken", arguments: [12, 13, 20, 40])
  func breaking(columns: Int) {
    let texts = [
      "A line of plain words that is longer than any terminal here is wide, and a-word-that-is-longer-than-a-line-by-itself.",
      "これは端末の幅より長い、日本語の文です。「引用」もあります。", "这是一个比终端更宽的句子，有标点。", "이것은 터미널보다 긴 문장입니다. 그렇습니다.",
      String(repeating: "👩‍👩‍👧‍👦", count: 30), String(repeating: "🇩🇪", count: 30), String(repeating: "e\u{301}", count: 90),
      String(repeating: "क्षि", count: 40), "  indented, and   with   gaps   that   stay", "ends with a space ",
      "\u{2068}ada.lovelace.with.a.long.name@example.com\u{2069} و\u{2068}another@example.com\u{2069} هنا",
    ]
    for text in texts {
      let lines = TerminalLines.of(text, columns: columns, indent: 2)
      #expect(lines.allSatisfy { TerminalColumns.of($0) <= columns }, "\(lines)")
      #expect(Self.letters(lines.joined(separator: "\n")) == Self.letters(text), "\(lines)")
      for line in lines {
        #expect(line.count { $0 == TerminalLines.isolate } == line.count { $0 == TerminalLines.end }, "\(line)")
      }
    }
  }

  @Test("Lines end at spaces, or between characters of scripts that have none, not before what closes")
  func places() {
    #expect(TerminalLines.of("one two three four", columns: 13) == ["one two three", "four"])
    #expect(TerminalLines.of("one two three four", columns: 13, indent: 3) == ["one two three", "   four"])
    #expect(TerminalLines.of("あいうえおか、きく", columns: 12) == ["あいうえお", "か、きく"])
    #expect(TerminalLines.of("あいうえお「かきく」", columns: 12) == ["あいうえお", "「かきく」"])
    #expect(TerminalLines.of("한국어 문장입니다 하나", columns: 12) == ["한국어", "문장입니다", "하나"])
    #expect(TerminalLines.of("fits", columns: nil) == ["fits"])
  }

  @Test("Texts of a list stand below each other, wide ones too, and so do their further lines")
  func list() {
    let writer = TerminalWriter(TerminalLayout(columns: 20), isRightToLeft: false)
    #expect(
      writer.list([("[9]", "日本"), ("[10]", "one two three four"), ("[戻る]", "x")]) == """
        [9]    日本
        [10]   one two three
               four
        [戻る] x

        """)
    #expect(writer.row([("[:1]", "A"), ("[:2]", "B")]) == "[:1] A  [:2] B\n")
    #expect(writer.row([("[:1]", "Something"), ("[:2]", "Another")]) == "[:1] Something\n[:2] Another\n")
  }

  @Test("What is written in the other direction stands apart, where the terminal can tell")
  func directions() {
    func line(_ text: String, _ isRightToLeft: Bool, isolates: Bool = true) -> String {
      TerminalWriter(TerminalLayout(isolatesDirections: isolates), isRightToLeft: isRightToLeft).line("! ", text)
    }
    #expect(line("ada@example.com", true) == "! \u{2068}ada@example.com\u{2069}\n")
    #expect(line("ada@example.com", false) == "! ada@example.com\n")
    #expect(line("עדה", false) == "! \u{2068}עדה\u{2069}\n")
    #expect(line("עדה", true) == "! עדה\n")
    #expect(line("ada@example.com", true, isolates: false) == "! ada@example.com\n")
    #expect(line("ada\u{200F}", false) == "! \u{2068}ada\u{200F}\u{2069}\n")
    #expect(line("\u{200E}+", true) == "! \u{2068}\u{200E}+\u{2069}\n")
    // A document's own controls count for nothing.
    #expect(line("\u{202E}ada\u{2067}", true) == "! \u{2068}ada\u{2069}\n")
  }

  private static let languages = BuiltInTexts.languages

  @Test("Bug-G21 every text of Ostiary's fits into 40 columns and is complete", arguments: languages)
  func builtIn(language: String) throws {
    let table = try #require(BuiltInTexts.table(language))
    let isRightToLeft = LanguageTag(language).isRightToLeft
    let writer = TerminalWriter(
      TerminalLayout(columns: 40, isolatesDirections: true), isRightToLeft: isRightToLeft)
    for (name, forms) in table {
      let texts: [String] =
        switch forms {
        case .one(let text): [text]
        case .plural(let forms): Array(forms.values)
        }
      for text in texts.map({ $0.replacing("{{limit}}", with: "1000000").replacing("{{provider}}", with: "Facebook") })
      {
        let question = writer.question(text + " [ada.lovelace@example.com]:")
        let drawn = [
          (writer.text(text), text), (writer.line("! ", text), "! " + text), (writer.line("  ", text), text),
          (writer.list([("[10]", text), ("[:1]", text)]), "[10]\(text)[:1]\(text)"),
          (writer.row([("[:1]", text), ("[:2]", text)]), "[:1]\(text)[:2]\(text)"),
          (question.before + question.last, text + "[ada.lovelace@example.com]:"),
        ]
        for (lines, whole) in drawn {
          #expect(Self.letters(lines) == Self.letters(whole), "\(name)")
          for line in lines.split(separator: "\n") {
            #expect(TerminalColumns.of(String(line)) <= 40, "\(name): \(line)")
          }
        }
      }
    }
  }

  @Test("Bug-G21 whole conversations fit into 40 columns in every language", arguments: languages)
  func conversations(language: String) async throws {
    let experience = try Fixtures.starter()
    let about = ["", "twelve", "2026", "12", "9", "1", "", ":", "", ":0"]
    let scripts: [(flow: String, lines: [String])] = [
      (
        "sign-up", ["ada", "short", "perhaps", "no", "ada@example.com", Fixtures.password, "yes"] + about + ["36", ""]
      ),
      ("log-in", ["ada", "x", "ada@example.com", ":", "", "y"]), ("feedback", ["Fine", ":", "4"]),
    ]
    for (flow, lines) in scripts {
      let app = RecordingApp { $0.logIn = { _ in .refused(.invalid(field: "password")) } }
      let terminal = ScriptedTerminal(lines, layout: TerminalLayout(columns: 40, isolatesDirections: true))
      let runner = ExperienceRunner(
        experience, flow: flow, languages: [language], properties: ["first_name": "عدة", "invites": 3], delegate: app)
      _ = try await TerminalRenderer(terminal).run(runner)
      #expect(terminal.prompts.count > 2)
      for line in terminal.prompts + terminal.blocks.flatMap({ $0.split(separator: "\n").map(String.init) }) {
        #expect(TerminalColumns.of(line) <= 40, "\(line)")
        #expect(line.count { $0 == TerminalLines.isolate } == line.count { $0 == TerminalLines.end }, "\(line)")
      }
    }
  }
}

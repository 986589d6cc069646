import Testing

@testable import OstiaryClientCommand

@Suite("Lines for the terminal")
struct LineTests {
  @Test(
    "Interpolated text cannot command the terminal",
    arguments: ["\u{1B}[2J", "\u{9B}31m", "a\u{07}b", "\u{202E}evil", "\u{2066}x", "\u{7F}", "\u{1B}]0;title\u{07}"])
  func harmless(text: String) {
    let line: Line = "before \(text) after"
    #expect(!line.rendered(colored: true).unicodeScalars.contains { $0.isUnprintable })
    #expect(line.plain.hasPrefix("before ") && line.plain.hasSuffix(" after"))
  }

  @Test("Line ends within a value become spaces, so that it can't forge a second line")
  func oneLine() {
    let line: Line = "\("a\r\nerror: forged")"
    #expect(line.plain == "a error: forged" || line.plain == "a  error: forged")
    #expect(!line.plain.contains("\n"))
  }

  @Test("Styles appear only when colours are wanted")
  func styles() {
    let line: Line = "\("ok", .green) plain"
    #expect(line.rendered(colored: true) == "\u{1B}[32mok\u{1B}[0m plain")
    #expect(line.plain == "ok plain")
  }

  @Test("Ordinary text of any script stays as it is", arguments: ["é日本", "naïve – “quotes”", "🔑", ""])
  func untouched(text: String) {
    #expect(text.printable == text)
  }

  @Test("Columns are as wide as their widest cell, and nothing trails")
  func table() {
    var table = Table(["NAME", "STATE"])
    table.add(["a", "enabled"])
    table.add(["longer name", ""])
    table.add(["b"])
    #expect(table.lines.map(\.plain) == ["NAME         STATE", "a            enabled", "longer name", "b"])
  }
}

import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("The console in other locales and widths")
struct LocaleCharsetTests {
  @Test(
    "The locale decides by the first of its variables; where none is set it is UTF-8",
    arguments: [
      ([:], .utf8), (["LANG": "de_DE.ISO-8859-1"], .ascii), (["LC_ALL": "C"], .ascii), (["LANG": "C.utf8"], .utf8),
      (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], .utf8),
      (["LC_ALL": "POSIX", "LANG": "en_US.UTF-8"], .ascii),
      (["LC_CTYPE": "UTF-8"], .utf8), (["LANG": "de_DE"], .ascii),
    ] as [([String: String], LocaleCharset)])
  func locale(variables: [String: String], charset: LocaleCharset) {
    #expect(LocaleCharset(variables) == charset)
  }

  @Test("Without UTF-8 every line is ASCII, with the nearest signs, and JSON and bodies are as they were")
  func ascii() throws {
    let (output, error) = (BufferSink(isTerminal: true), BufferSink(isTerminal: true))
    let console = Console(output: output, error: error, variables: ["LC_ALL": "C", "COLUMNS": "80"])
    try console.print(["\("✓", .green) “é日” – ‹user› … \("\u{9B}")"])
    try console.print(text: "BROWSER … “x”\n")
    console.note(["\("✗", .red) ‘no’"])
    try console.textError.write(console.progressLine(TestMessage(line: "Asking…"), frame: "⠙"))
    #expect(output.text == "+ \"??\" - <user> ... ?\nBROWSER ... \"x\"\n")
    #expect(error.text == "x 'no'\n\r/ Asking...\u{1B}[K")
    try console.print(json: ["é"])
    try console.output.write(Data("é\n".utf8))
    #expect(output.text.hasSuffix("\"é\"\n]\né\n"))
  }

  @Test("A terminal gets whole words, below the text of the first line, at any width", arguments: [12, 20, 40, 80])
  func wrapped(width: Int) throws {
    let lines: [Line] = [
      "\("error:", .failure) The server can't be reached because its name was not found, 日本語のサーバー by this machine.",
      "  \("Server", .dim)   https://a-server.example.org/with/a/long/path/that/stays/whole (pega) and more words after it",
      "2026-11-21 04:43:28  alice: signed out because the server refused the session", "✓ short", "",
    ]
    for line in lines {
      let wrapped = line.wrapped(to: width)
      let words = line.plain.split(separator: " ")
      #expect(wrapped.flatMap { $0.plain.split(separator: " ") } == words)
      for part in wrapped.dropFirst(1) where part.plain.displayWidth > width {
        #expect(part.plain.trimmingCharacters(in: .whitespaces).split(separator: " ").count == 1, "\(part.plain)")
      }
    }
    let styled: Line = "\("a", .green) b"
    #expect(styled.wrapped(to: 1) == [styled])
    #expect(lines[1].wrapped(to: 40).dropFirst().allSatisfy { $0.plain.hasPrefix("           ") })
    #expect(lines[1].unbroken.wrapped(to: width).count == 1)
  }

  @Test("Lines are wrapped for a terminal of known width only, never in a pipe")
  func onlyTerminals() throws {
    let text = String(repeating: "word ", count: 30)
    func shown(isTerminal: Bool, _ variables: [String: String]) throws -> Int {
      let sink = BufferSink(isTerminal: isTerminal)
      try Console(output: sink, error: sink, variables: variables).print([Line(text)])
      return sink.text.split(separator: "\n").count
    }
    #expect(try shown(isTerminal: true, ["COLUMNS": "40"]) > 1)
    #expect(try shown(isTerminal: true, [:]) == 1)
    #expect(try shown(isTerminal: false, ["COLUMNS": "40"]) == 1)
  }

  @Test("A table that is wider than the terminal becomes a list, which loses nothing")
  func table() throws {
    var table = Table([" ", "NAME", "SERVER"])
    table.add(["*", "alice@host", "https://a-server.example.org/prweb"])
    table.add([" ", "b", ""])
    #expect(table.lines(fitting: 80) == table.lines && table.lines(fitting: nil) == table.lines)
    #expect(
      table.lines(fitting: 40).map(\.plain) == [
        "* NAME    alice@host", "  SERVER  https://a-server.example.org/prweb", "", "  NAME    b",
      ])
  }
}

import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("The console")
struct ConsoleTests {
  private func escapes(isTerminal: Bool, _ variables: [String: String]) throws -> Bool {
    let sink = BufferSink(isTerminal: isTerminal)
    try Console(output: sink, error: sink, variables: variables).print(["\("text", .red)"])
    return sink.text.contains("\u{1B}")
  }

  @Test("Colours need a terminal that can show them and no NO_COLOR")
  func colors() throws {
    #expect(try escapes(isTerminal: true, ["TERM": "xterm"]))
    #expect(try escapes(isTerminal: true, ["TERM": "xterm", "NO_COLOR": ""]))
    #expect(try !escapes(isTerminal: false, ["TERM": "xterm"]))
    #expect(try !escapes(isTerminal: true, ["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(try !escapes(isTerminal: true, ["TERM": "dumb"]))
  }

  @Test(
    "Bug-B12: a terminal of an unknown kind gets no colours and no line that changes", arguments: [[:], ["TERM": ""]])
  func unknownTerminal(variables: [String: String]) throws {
    #expect(try !escapes(isTerminal: true, variables))
    let sink = BufferSink(isTerminal: true)
    #expect(!Console(output: sink, error: sink, variables: variables).showsProgress)
  }

  @Test(
    "Bug-B12: a line of progress fits into the terminal, whose last column stays free",
    arguments: ["Signing in to https://a-server-with-a-long-name.example.com", "日本語のサーバーにサインインする", "short"],
    [10, 20, 41])
  func narrowTerminal(what: String, width: Int) {
    let sink = BufferSink(isTerminal: true)
    let console = Console(
      output: sink, error: sink, variables: ["TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "\(width)"])
    let line = String(decoding: console.progressLine(TestMessage(line: Line("\(what)…")), frame: "⠋"), as: UTF8.self)
    #expect(line.hasPrefix("\r⠋ ") && line.hasSuffix("…\u{1B}[K"))
    #expect(line.dropFirst().dropLast(3).reduce(0) { $0 + $1.displayWidth } < width)
  }

  @Test("Bug-B12: JSON on the console escapes what would turn the direction of the terminal's text")
  func escapedJSON() throws {
    let sink = BufferSink(isTerminal: true)
    let text = "a\u{202E}b\u{9B}c\u{2066}d\n\u{7F}é日本"
    try Console(output: sink, error: sink, variables: [:]).print(json: [text])
    #expect(!sink.text.unicodeScalars.contains { $0.isUnprintable && $0 != "\n" })
    #expect(try JSONDecoder().decode([String].self, from: Data(sink.text.utf8)) == [text])
  }

  @Test("Progress is shown to nobody who is not at a terminal")
  func progress() async throws {
    let sink = BufferSink()
    let console = Console(output: sink, error: sink, variables: [:])
    let value = try await console.progress(TestMessage(line: "Working…")) { 7 }
    #expect(value == 7)
    #expect(sink.text.isEmpty)
  }

  @Test("Progress is not shown on a terminal that can't rewrite a line")
  func dumbTerminal() {
    let sink = BufferSink(isTerminal: true)
    #expect(!Console(output: sink, error: sink, variables: ["TERM": "dumb"]).showsProgress)
    #expect(Console(output: sink, error: sink, variables: ["TERM": "xterm", "NO_COLOR": "1"]).showsProgress)
  }

  @Test("Progress passes the error of the work on")
  func progressFails() async {
    let sink = BufferSink(isTerminal: true)
    let console = Console(output: sink, error: sink, variables: ["TERM": "xterm"])
    await #expect(throws: OstiaryError(.timedOut, "")) {
      try await console.progress(TestMessage(line: "Working…")) { throw OstiaryError(.timedOut, "Too late.") }
    }
  }

  @Test("Durations and ages are short and never overflow")
  func times() {
    let now = Date(timeIntervalSince1970: 1_000_000)
    #expect(Timestamp.text(.milliseconds(4)) == "4 ms")
    #expect(Timestamp.text(.milliseconds(1249)) == "1.2 s")
    #expect(Timestamp.words(.milliseconds(1)) == "1 second")
    #expect(Timestamp.words(.seconds(30)) == "30 seconds")
    #expect(Timestamp.words(.seconds(121)) == "3 minutes")
    #expect(Timestamp.words(.seconds(3600)) == "60 minutes")
    #expect(Timestamp.words(.seconds(7200)) == "2 hours")
    #expect(Timestamp.words(.seconds(Int64.max)) == "1000000 hours")
    #expect(Timestamp.words(.seconds(-1)) == "0 seconds")
    #expect(Timestamp.age(of: now.addingTimeInterval(-1), at: now) == "just now")
    #expect(Timestamp.age(of: now.addingTimeInterval(-60), at: now) == "1 minute ago")
    #expect(Timestamp.age(of: now.addingTimeInterval(-7200), at: now) == "2 hours ago")
    #expect(Timestamp.age(of: now.addingTimeInterval(3600), at: now) == "in the future")
    #expect(Timestamp.age(of: Date(timeIntervalSince1970: -1e300), at: now) == "1000000 days ago")
  }

  @Test("A time is written the same in every locale")
  func timestamp() throws {
    let zone = try #require(TimeZone(identifier: "UTC"))
    #expect(Timestamp.text(Date(timeIntervalSince1970: 0), in: zone) == "1970-01-01 00:00:00")
  }
}

import Foundation
import OstiaryCore
import OstiaryOAuth

extension FuzzTarget {
  /// The file of a trace, which may come from anywhere.
  static let traceFile = FuzzTarget(name: "trace-file") { bytes in
    let trace: SessionTrace
    do { trace = try SessionTrace(json: Data(bytes)) } catch let error as OstiaryError {
      try require(error.code == .invalidInput, "what is no trace is bad input")
      return
    }
    let again = try SessionTrace(json: trace.json)
    try require(again.entries == trace.entries && again.leftOut == trace.leftOut, "what is written is read again")
    try require(abs(again.began.timeIntervalSince(trace.began)) < 0.01, "what is written is read again")
    for shown in [trace.text, trace.page, String(decoding: trace.json, as: UTF8.self)] {
      for scalar in shown.unicodeScalars where scalar != "\n" {
        try require(scalar.properties.generalCategory != .control, "nothing moves a cursor")
        try require(!TraceFuzzing.turning.contains(scalar.value), "nothing turns a line around")
      }
    }
    let tags = trace.page.matches(of: #/<([a-z0-9]+)/#).map { String($0.output.1) }
    try require(Set(tags).isSubset(of: TraceFuzzing.tags), "what a trace says is text on the page")
  }
}

private enum TraceFuzzing {
  /// Line and paragraph separators, and what overrides, embeds or isolates a direction.
  static let turning: Set<UInt32> = Set([0x2028, 0x2029] + Array(0x202A...0x202E) + Array(0x2066...0x2069))
  /// What the page itself is made of.
  static let tags: Set = [
    "html", "head", "meta", "title", "style", "body", "h1", "p", "ol", "li", "i", "b", "time", "div", "span", "strong",
    "small", "details", "summary", "dl", "dt", "dd",
  ]
}

import HTTPTypes

/// The kind of client: a person's browser, which can show a login page, or a program, which can't.
enum GatewayClient: Sendable {
  case browser, program

  /// A browser identifies itself: it wants HTML, and it wants it for a window. Every other client is a program: no program ever
  /// gets a page.
  init(_ headers: HTTPFields) {
    let requestedWith = headers["X-Requested-With"]
    let mode = headers["Sec-Fetch-Mode"]
    guard requestedWith == nil, mode == nil || mode == "navigate",
      Self.prefersHTML(headers[values: .accept].flatMap(\.listElements))
    else {
      self = .program
      return
    }
    self = .browser
  }

  /// Whether an `Accept` field asks for HTML, by name and no less than for JSON (RFC 9110 §12.5.1).
  private static func prefersHTML(_ ranges: [Substring]) -> Bool {
    var html = 0.0
    var json = 0.0
    for range in ranges {
      let parts = range.byteParts(at: ";").map { $0.trimmingBlanks.lowercasedASCII }
      guard let type = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasBytePrefix("q=") }.flatMap { Double($0.droppingBytes(2)) } ?? 1
      if type == "text/html" || type == "application/xhtml+xml" { html = max(html, quality) }
      if type == "application/json" || type.hasByteSuffix("+json") { json = max(json, quality) }
    }
    return html > 0 && html >= json
  }
}

internal import OstiaryCore

extension SessionTrace {
  /// The trace as lines of text.
  public var text: String {
    var lines: [String] = []
    for entry in entries {
      lines.append("\(Self.time(entry.seconds))  \(entry.sign) \(entry.heading)")
      lines += entry.details.map { "             \($0.name): \($0.value)" }
    }
    if leftOut > 0 { lines.append("\(leftOut) more entries were left out.") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Seconds with three places, at the right of nine characters.
  static func time(_ seconds: Double) -> String {
    let thousandths = Int64((max(0, min(seconds, 1e9)) * 1000).rounded())
    let places = String(thousandths % 1000)
    let text = "\(thousandths / 1000)." + String(repeating: "0", count: 3 - places.utf8.count) + places
    return String(repeating: " ", count: max(0, 9 - text.utf8.count)) + text
  }
}

extension SessionTrace.Entry {
  /// The direction, as a sign.
  var sign: String {
    switch kind {
    case .request: "→"
    case .answer: "←"
    case .failure: "✗"
    case .decision: "•"
    }
  }

  /// What it is, with the server's name where one is asked.
  var heading: String {
    switch kind {
    case .request: "\(title) at \(server ?? "?")"
    case .answer, .failure: "\(title) from \(server ?? "?")"
    case .decision: title
    }
  }
}

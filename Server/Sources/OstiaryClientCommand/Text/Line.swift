/// Text for a terminal: literal parts unchanged, interpolated values made harmless, styles if wanted.
///
/// A server, a user name or a file can contain any text, terminal commands included. An interpolated value loses its
/// control characters: this program alone controls the terminal.
package struct Line: Sendable, Equatable, ExpressibleByStringInterpolation {
  struct Span: Sendable, Equatable {
    var text: String
    var style: Style?
  }

  var spans: [Span]
  /// Whether it is a command to paste, or another text that a terminal must not get in several lines.
  private(set) var isUnbroken = false

  package init(stringLiteral value: String) {
    spans = [Span(text: value, style: nil)]
  }

  package init(stringInterpolation interpolation: StringInterpolation) {
    spans = interpolation.spans
  }

  /// A text from another source, made harmless.
  package init(_ text: String, _ style: Style? = nil) {
    spans = [Span(text: text.printable, style: style)]
  }

  /// The same line, which is never wrapped.
  package var unbroken: Line {
    var line = self
    line.isUnbroken = true
    return line
  }

  package static func + (left: Line, right: Line) -> Line {
    var sum = left
    sum.spans += right.spans
    return sum
  }

  /// The text, with terminal sequences for styles if `colored`.
  func rendered(colored: Bool) -> String {
    spans.map { span in
      guard colored, let style = span.style, !span.text.isEmpty else { return span.text }
      return "\u{1B}[\(style.rawValue)m\(span.text)\u{1B}[0m"
    }.joined()
  }

  /// The text without styles.
  package var plain: String { rendered(colored: false) }

  /// The style of a piece of text; the raw value is its SGR parameter (ECMA-48 §8.3.117).
  package enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case failure = "1;31"
    /// Black on white, on a terminal of any colours.
    case picture = "30;107"
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var spans: [Span] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { spans.append(Span(text: literal, style: nil)) }
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible, _ style: Style? = nil) {
      spans.append(Span(text: value.description.printable, style: style))
    }

    package mutating func appendInterpolation(_ line: Line) {
      spans += line.spans
    }
  }
}

extension String {
  /// The string without characters that could control a terminal or change the direction of text: control characters
  /// become `�`, tabs and line ends a space.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r": result.append(" ")
      default: result.append(scalar.isUnprintable ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// A JSON text in which every character that could control a terminal, besides line ends, is written as its escape.
  var escapedForJSON: String {
    guard unicodeScalars.contains(where: { $0.isUnprintable && $0 != "\n" }) else { return self }
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard scalar.isUnprintable, scalar != "\n" else {
        result.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
    }
    return String(result)
  }

  /// The string with spaces added up to `width` characters.
  package func padded(to width: Int) -> String {
    let missing = width - count
    return missing > 0 ? self + String(repeating: " ", count: missing) : self
  }
}

extension Unicode.Scalar {
  /// Control characters (C0, DEL, C1), line and paragraph separators, and overrides of the text's direction.
  var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

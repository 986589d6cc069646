internal import OstiaryExperiences

/// Markup that is safe to send.
///
/// It is written as a string literal, whose text is trusted because it is part of the source. Every interpolated string
/// is escaped, for text and for attribute values in double quotes. A value must not stand in other places, escaped or
/// not: unquoted attributes, names of elements and attributes, scripts, styles.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The finished markup.
  let source: String

  private init(trusted source: String) {
    self.source = source
  }

  init(stringLiteral value: StaticString) {
    self.init(trusted: value.description)
  }

  init(stringInterpolation: StringInterpolation) {
    self.init(trusted: stringInterpolation.source)
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      source.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      source += literal.description
    }

    /// A text, escaped.
    mutating func appendInterpolation(_ text: String) {
      source += ExperiencePage.escape(text)
    }

    /// Markup, unchanged.
    mutating func appendInterpolation(_ markup: HTML) {
      source += markup.source
    }
  }

  /// Several pieces, one after the other.
  static func joined(_ pieces: [HTML]) -> HTML {
    HTML(trusted: pieces.map(\.source).joined(separator: "\n"))
  }

  /// One field, as pages of experiences show it; see ``OstiaryExperiences/ExperiencePage/field(_:words:hasFocus:codes:)``.
  static func field(_ field: FieldSnapshot, words: ScreenSnapshot.Words, hasFocus: Bool, codes: [String]) -> HTML {
    HTML(trusted: ExperiencePage.field(field, words: words, hasFocus: hasFocus, codes: codes))
  }

  /// The problems, at the top of a page.
  static func problems(
    _ problems: [ExperiencePage.Problem], fields: [FieldSnapshot], words: ScreenSnapshot.Words
  ) -> HTML {
    HTML(trusted: ExperiencePage.problems(problems, fields: fields, words: words))
  }

  /// A data block (`<script type="application/json">`), which no browser runs.
  /// - Parameter json: A JSON text. `<`, `>`, `&` and the line separators of JavaScript are escaped within its strings:
  ///   it can't end the element (they can't stand elsewhere in JSON).
  static func data(id: StaticString, json: String) -> HTML {
    var escaped = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<", ">", "&", "\u{2028}", "\u{2029}":
        let code = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return HTML(trusted: "<script type=\"application/json\" id=\"\(id)\">\(escaped)</script>")
  }
}

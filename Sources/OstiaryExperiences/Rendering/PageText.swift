/// Markup under construction: literals are trusted because they stand in the source, texts are escaped.
struct PageText {
  private(set) var source = ""

  /// Adds markup as it is.
  mutating func add(_ markup: String) { source += markup }

  mutating func add(_ other: PageText) { source += other.source }

  /// Adds a text, escaped for content and for attributes in double quotes.
  mutating func add(text: String) {
    source.reserveCapacity(source.utf8.count + text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": source += "&amp;"
      case "<": source += "&lt;"
      case ">": source += "&gt;"
      case "\"": source += "&quot;"
      case "'": source += "&#39;"
      // A parser would drop or replace it anyway; better here, where it is seen.
      case "\0": source.unicodeScalars.append("\u{FFFD}")
      default: source.unicodeScalars.append(scalar)
      }
    }
  }

  /// Adds the attributes of a text that is in another language than the page.
  mutating func add(language: String?) {
    guard let language else { return }
    open(" lang=\"", language, LanguageTag(language).isRightToLeft ? "\" dir=\"rtl\"" : "\" dir=\"ltr\"")
  }

  /// Adds markup, a text and markup.
  mutating func open(_ before: String, _ text: String, _ after: String) {
    add(before)
    add(text: text)
    add(after)
  }
}

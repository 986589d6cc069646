package import Foundation
internal import HTTPTypes
public import OstiaryCore

/// What a program without a browser needs to know of an HTML page: its forms, where it refreshes to, and the text of
/// an element.
///
/// A scanner, not a parser: it knows tags, attributes, comments and scripts, and builds no tree. It executes nothing, takes
/// any bytes in time proportional to their number, looks at no more than 2 MiB of them, and never fails.
public struct HTMLPage: Sendable {
  /// The most bytes that are looked at; a page's rest is ignored.
  package static let maximumSize = 2 << 20
  /// The most forms that are kept.
  package static let maximumForms = 32
  /// The most fields a form that are kept.
  package static let maximumFields = 256
  /// The most bytes of text that ``text(ofElement:)`` gives.
  package static let maximumText = 65_536
  /// The most bytes of an option's text that are kept.
  static let maximumOption = 1_024

  /// The page's forms.
  public let forms: [HTMLForm]
  /// Where `<meta http-equiv="refresh">` leads, as written.
  package let refreshTarget: String?
  /// The title, blanks run together.
  package let title: String?
  /// What relative addresses are relative to, as written in the first `<base href>`.
  package let base: String?
  /// The page's own address, where it is known.
  package let url: URL?
  /// What its text is written in.
  package let charset: TextCharset

  let bytes: [UInt8]

  /// Scans a page in UTF-8, or in what it says itself. Bytes that are no text are replaced.
  package init(_ data: Data) {
    self.init(data, contentType: nil, url: nil)
  }

  /// Scans a page.
  package init(_ text: String) {
    self.init(bytes: Array(text.utf8.prefix(Self.maximumSize)), charset: .utf8, url: nil)
  }

  /// Scans the page that a response is.
  public init(_ response: TransportResponse) {
    self.init(response.body, contentType: response.head.headerFields[.contentType], url: response.url)
  }

  private init(_ data: Data, contentType: String?, url: URL?) {
    let bytes = Array(data.prefix(Self.maximumSize))
    let (charset, text) = HTMLCharset.read(bytes, contentType: contentType)
    self.init(bytes: text, charset: charset, url: url)
  }

  private init(bytes: [UInt8], charset: TextCharset, url: URL?) {
    self.bytes = bytes
    self.charset = charset
    self.url = url
    var collector = HTMLFormCollector()
    var refresh: String?
    var base: String?
    var title: String?
    var isTitle = false
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      switch token {
      case .start(.meta, _):
        if refresh == nil, tokens["http-equiv"]?.lowercased() == "refresh" {
          refresh = tokens["content"].flatMap(Self.refreshTarget)
        }
      case .start(.base, _):
        if base == nil { base = tokens["href"] }
      case .start(.title, _):
        isTitle = title == nil
      case .text(let range, _) where isTitle:
        isTitle = false
        title = Self.joined(HTMLEntities.decode(bytes[range].prefix(Self.maximumOption)))
      case .start(let name, let hasContent):
        if name.isOfForms { collector.start(name, hasContent, tokens) }
      case .end(let name):
        if name.isOfForms { collector.end(name) }
      case .text(let range, let isScript):
        if !isScript, collector.wantsText { collector.text(bytes[range]) }
      }
    }
    forms = collector.finish()
    refreshTarget = refresh
    self.base = base
    self.title = title
  }

  /// The text within the first element with this `id`, without tags and scripts, blanks run together; `nil` when there
  /// is no such element.
  package func text(ofElement id: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      guard case .start(let name, let hasContent) = token, tokens["id"] == id else { continue }
      return hasContent ? text(of: name, in: &tokens) : ""
    }
    return nil
  }

  private func text(of element: HTMLName, in tokens: inout HTMLTokens) -> String {
    var depth = 1
    var text = ""
    while depth > 0, text.utf8.count < Self.maximumText, let token = tokens.next() {
      switch token {
      case .text(let range, let isScript):
        if !isScript {
          text += HTMLEntities.decode(bytes[range].prefix(Self.maximumText - text.utf8.count))
        }
      case .start(let name, let hasContent):
        if name == element, hasContent { depth += 1 }
        if name == .br || name == .p || name == .div || name == .li { text += " " }
      case .end(let name):
        if name == element { depth -= 1 }
      }
    }
    return Self.joined(text)
  }

  /// The whole page's text, without tags and scripts, blanks run together, at most 64 KiB of it.
  public var text: String {
    var tokens = HTMLTokens(bytes)
    // No element has an empty name, so that nothing ends it before the page does.
    return text(of: HTMLName([]), in: &tokens)
  }

  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The address in `0; url=…` (HTML standard, "shared declarative refresh steps").
  private static func refreshTarget(_ content: String) -> String? {
    let bytes = Array(content.utf8)
    var rest = bytes[...].drop { isSpace($0) }
    rest = rest.drop { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    let afterTime = rest.drop { isSpace($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    guard afterTime.count < rest.count else { return nil }
    rest = afterTime
    if ASCII.begins(rest, with: "url") {
      let equals = rest.dropFirst(3).drop { isSpace($0) }
      if equals.first == UInt8(ascii: "=") { rest = equals.dropFirst().drop { isSpace($0) } }
    }
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { HTMLTokens.isSpace(byte) }
}

extension HTMLPage: Redacted {
  /// How many forms there are; a page may hold secrets, so it does not print.
  public var description: String { "HTMLPage(\(forms.count) \(forms.count == 1 ? "form" : "forms"))" }
}

extension HTMLPage {
  /// An attribute of the first element with this `id`; `nil` when there is no such element or attribute.
  package func attribute(_ name: String, ofElement id: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      if case .start = token, tokens["id"] == id { return tokens[name] }
    }
    return nil
  }
}

extension HTMLPage {
  /// Whether an element has one of these classes.
  package func hasElement(ofClass names: [String]) -> Bool {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      guard case .start = token, let classes = tokens["class"] else { continue }
      if classes.split(whereSeparator: \.isWhitespace).contains(where: { names.contains(String($0)) }) { return true }
    }
    return false
  }
}

public import Foundation
internal import HTTPTypes

/// What a program without a browser needs to know of an HTML page: its forms, where it refreshes to, and the text of
/// an element.
///
/// A scanner, not a parser: it knows tags, attributes, comments and scripts, and builds no tree. It takes any bytes in
/// time proportional to their number, looks at no more than ``maximumSize`` of them, and never fails.
public struct HTMLPage: Sendable {
  /// The most bytes that are looked at; a page's rest is ignored.
  public static let maximumSize = 2 << 20
  /// The most forms that are kept.
  public static let maximumForms = 32
  /// The most fields a form that are kept.
  public static let maximumFields = 256
  /// The most bytes of text that ``text(ofElement:)`` gives.
  public static let maximumText = 65_536

  /// The page's forms.
  public let forms: [HTMLForm]
  /// Where `<meta http-equiv="refresh">` leads, as written.
  public let refreshTarget: String?

  let bytes: [UInt8]

  /// Scans a page. Bytes that are not UTF-8 are replaced.
  public init(_ data: Data) {
    self.init(bytes: Array(data.prefix(Self.maximumSize)))
  }

  /// Scans a page.
  public init(_ text: String) {
    self.init(bytes: Array(text.utf8.prefix(Self.maximumSize)))
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    var forms: [HTMLForm] = []
    var current: HTMLForm?
    var refresh: String?
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      switch token {
      case .start(let tag) where tag.name == "form":
        // A form within a form is not one.
        if current == nil, forms.count < Self.maximumForms { current = HTMLForm(tag) }
      case .end(let name) where name == "form":
        if let form = current { forms.append(form) }
        current = nil
      case .start(let tag) where tag.name == "meta":
        if refresh == nil, tag["http-equiv"]?.lowercased() == "refresh" {
          refresh = tag["content"].flatMap(Self.refreshTarget)
        }
      case .start(let tag):
        if let count = current?.fields.count, count < Self.maximumFields, let field = HTMLForm.Field(tag) {
          current?.fields.append(field)
        }
      case .text, .end:
        break
      }
    }
    if let form = current { forms.append(form) }
    self.forms = forms
    refreshTarget = refresh
  }

  /// The text within the first element with this `id`, without tags and scripts, blanks run together; `nil` when there
  /// is no such element.
  public func text(ofElement id: String) -> String? {
    var tokens = HTMLTokens(bytes)
    while let token = tokens.next() {
      guard case .start(let tag) = token, tag["id"] == id else { continue }
      return tag.hasContent ? text(of: tag.name, in: &tokens) : ""
    }
    return nil
  }

  private func text(of element: String, in tokens: inout HTMLTokens) -> String {
    var depth = 1
    var text = ""
    while depth > 0, text.utf8.count < Self.maximumText, let token = tokens.next() {
      switch token {
      case .text(let range, let isScript):
        if !isScript {
          text += HTMLEntities.decode(bytes[range].prefix(Self.maximumText - text.utf8.count))
        }
      case .start(let tag):
        if tag.name == element, tag.hasContent { depth += 1 }
        if tag.name == "br" || tag.name == "p" || tag.name == "div" || tag.name == "li" { text += " " }
      case .end(let name):
        if name == element { depth -= 1 }
      }
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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

extension HTMLPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How many forms there are; a page may hold secrets, so it does not print.
  public var description: String { "HTMLPage(\(forms.count) \(forms.count == 1 ? "form" : "forms"))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["forms": forms], displayStyle: .struct) }
}

extension HTMLForm {
  fileprivate init(_ tag: HTMLTokens.Tag) {
    self.init(
      id: tag["id"], name: tag["name"], action: tag["action"],
      method: tag["method"]?.lowercased() == "post" ? .post : .get, fields: [])
  }
}

extension HTMLForm.Field {
  /// The field that a tag makes, if it makes one.
  fileprivate init?(_ tag: HTMLTokens.Tag) {
    let usualType: String
    switch tag.name {
    case "input": usualType = "text"
    case "button": usualType = "submit"
    case "select", "textarea": usualType = tag.name
    default: return nil
    }
    self.init(
      element: tag.name, type: tag["type"]?.lowercased() ?? usualType, id: tag["id"], name: tag["name"],
      value: tag["value"].map { Secret($0) })
  }
}

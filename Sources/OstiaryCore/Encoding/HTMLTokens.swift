/// The tags and texts of an HTML page, one after the other (HTML standard §13.2.5, much simplified).
///
/// Every step consumes what it looked at, so that the whole takes time proportional to the page: what is opened and
/// never closed (a comment, a quote, a script) reaches to the end.
struct HTMLTokens {
  enum Token {
    case start(Tag)
    case end(String)
    /// Text as written; `isScript` when it is not for readers.
    case text(Range<Int>, isScript: Bool)
  }

  struct Tag {
    /// In lower case.
    let name: String
    fileprivate(set) var attributes: [(name: String, value: String)] = []
    fileprivate(set) var isSelfClosing = false

    /// An attribute's value; the first one counts where there are several.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Whether an end tag is to be expected.
    var hasContent: Bool { !isSelfClosing && !HTMLTokens.voidElements.contains(name) }
  }

  /// More attributes than this are skipped, so that looking one up stays cheap.
  private static let maximumAttributes = 64
  /// Longer names are of no element that matters.
  private static let maximumName = 64
  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]
  /// Elements whose content is text up to their own end tag.
  private static let rawElements: Set<String> = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
  ]

  private let bytes: [UInt8]
  private var position = 0
  /// The element whose raw text comes next.
  private var rawElement: String?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> Token? {
    if let element = rawElement {
      rawElement = nil
      let start = position
      skipRawText(of: element)
      if position > start {
        return .text(start..<position, isScript: element != "textarea" && element != "title")
      }
    }
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return text() }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch next {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        skipDeclaration()
      case UInt8(ascii: "/"):
        position += 2
        guard position < bytes.count, ASCII.isAlpha(bytes[position]) else {
          skip(past: UInt8(ascii: ">"))
          continue
        }
        let name = tagName()
        skip(past: UInt8(ascii: ">"))
        return .end(name)
      case _ where ASCII.isAlpha(next):
        position += 1
        return startTag()
      default:
        return text()
      }
    }
    return nil
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }

  /// Everything up to the next `<`; a `<` that begins no tag is text, too.
  private mutating func text() -> Token {
    let start = position
    position += 1
    skip { $0 != UInt8(ascii: "<") }
    return .text(start..<position, isScript: false)
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  private mutating func skip(past byte: UInt8) {
    skip { $0 != byte }
    position = min(position + 1, bytes.count)
  }

  /// Comments and what else begins with `<!` or `<?`.
  private mutating func skipDeclaration() {
    guard bytes[position...].starts(with: "<!--".utf8) else { return skip(past: UInt8(ascii: ">")) }
    position += 4
    // `<!-->` and `<!--->` are whole comments.
    if bytes[position...].starts(with: ">".utf8) || bytes[position...].starts(with: "->".utf8) {
      return skip(past: UInt8(ascii: ">"))
    }
    while position < bytes.count {
      skip { $0 != UInt8(ascii: "-") }
      if bytes[position...].starts(with: "-->".utf8) || bytes[position...].starts(with: "--!>".utf8) {
        return skip(past: UInt8(ascii: ">"))
      }
      position = min(position + 1, bytes.count)
    }
  }

  private mutating func skipRawText(of element: String) {
    while position < bytes.count {
      skip { $0 != UInt8(ascii: "<") }
      let rest = bytes[position...]
      if rest.starts(with: "</".utf8) {
        let name = rest.dropFirst(2).prefix(element.utf8.count)
        let after = rest.dropFirst(2 + element.utf8.count).first
        let isWhole = after.map { Self.isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") } ?? false
        if isWhole, name.elementsEqual(element.utf8, by: { ASCII.lowercased($0) == $1 }) { return }
      }
      position = min(position + 1, bytes.count)
    }
  }

  private mutating func tagName() -> String {
    let start = position
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    return ASCII.lowercased(bytes[start..<position].prefix(Self.maximumName))
  }

  /// A tag that the page's end cuts off is none.
  private mutating func startTag() -> Token? {
    var tag = Tag(name: tagName())
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      if Self.isSpace(bytes[position]) {
        position += 1
      } else if bytes[position] == UInt8(ascii: "/") {
        position += 1
        tag.isSelfClosing = position < bytes.count && bytes[position] == UInt8(ascii: ">")
      } else {
        let attribute = attribute()
        if tag.attributes.count < Self.maximumAttributes { tag.attributes.append(attribute) }
      }
    }
    guard position < bytes.count else { return nil }
    position += 1
    if Self.rawElements.contains(tag.name), !tag.isSelfClosing { rawElement = tag.name }
    return .start(tag)
  }

  private mutating func attribute() -> (name: String, value: String) {
    let start = position
    // An attribute's name may begin with "=", and is at least that long.
    position += 1
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    let name = ASCII.lowercased(bytes[start..<position].prefix(Self.maximumName))
    skip(while: Self.isSpace)
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return (name, "") }
    position += 1
    skip(while: Self.isSpace)
    guard position < bytes.count else { return (name, "") }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      let first = position
      skip { $0 != quote }
      defer { position = min(position + 1, bytes.count) }
      return (name, HTMLEntities.decode(bytes[first..<position]))
    }
    let first = position
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    return (name, HTMLEntities.decode(bytes[first..<position]))
  }
}

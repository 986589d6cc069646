internal import Foundation
internal import OstiaryCore

/// The tags and texts of an HTML page, one after the other (HTML standard §13.2.5, much simplified).
///
/// Every step consumes what it looked at, so that the whole takes time proportional to the page: what is opened and
/// never closed (a comment, a quote, a script) reaches to the end. A tag that no caller asks about costs no memory.
struct HTMLTokens {
  enum Token {
    /// A start tag. Its attributes are the tokens' own, until the next token.
    case start(HTMLName, hasContent: Bool)
    case end(HTMLName)
    /// Text as written; `isScript` when it is not for readers.
    case text(Range<Int>, isScript: Bool)
  }

  private struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// More attributes than this are skipped, so that looking one up stays cheap.
  private static let maximumAttributes = 64

  private let bytes: [UInt8]
  private var position = 0
  /// The element whose raw text comes next.
  private var rawElement: HTMLName?
  private var attributes: [Attribute] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    attributes.reserveCapacity(Self.maximumAttributes)
  }

  /// The value of an attribute of the start tag that came last; the first one counts where there are several. `name` is
  /// in lower case.
  subscript(name: String) -> String? {
    range(of: name).map { HTMLEntities.decode(bytes[$0]) }
  }

  /// Whether the start tag that came last has an attribute.
  func has(_ name: String) -> Bool { range(of: name) != nil }

  private func range(of name: String) -> Range<Int>? {
    attributes.first { attribute in
      attribute.name.count == name.utf8.count
        && bytes[attribute.name].elementsEqual(name.utf8, by: { ASCII.lowercased($0) == $1 })
    }?.value
  }

  mutating func next() -> Token? {
    if let element = rawElement {
      rawElement = nil
      let start = position
      skipRawText(of: element)
      if position > start {
        return .text(start..<position, isScript: element != .textarea && element != .title)
      }
    }
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return text() }
      let next = byte(at: position + 1)
      switch next {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        skipDeclaration()
      case UInt8(ascii: "/"):
        position += 2
        guard ASCII.isAlpha(byte(at: position)) else {
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

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C
  }

  /// A byte of the page; 0 past its end.
  @inline(__always)
  private func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// Everything up to the next `<` that begins a tag; one that does not is text, too.
  private mutating func text() -> Token {
    let start = position
    repeat {
      position += 1
      skip(to: UInt8(ascii: "<"))
    } while position < bytes.count && !Self.beginsTag(byte(at: position + 1))
    return .text(start..<position, isScript: false)
  }

  private static func beginsTag(_ next: UInt8) -> Bool {
    ASCII.isAlpha(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
  }

  @inline(__always)
  private mutating func skip(while condition: (UInt8) -> Bool) {
    while position < bytes.count, condition(bytes[position]) { position += 1 }
  }

  /// Goes to the next such byte, or to the end.
  private mutating func skip(to byte: UInt8) {
    guard position < bytes.count, bytes[position] != byte else { return }
    let start = position
    position = bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let found = memchr(base + start, CInt(byte), buffer.count - start)
      else { return buffer.count }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  private mutating func skip(past byte: UInt8) {
    skip(to: byte)
    position = min(position + 1, bytes.count)
  }

  /// Comments and what else begins with `<!` or `<?`.
  private mutating func skipDeclaration() {
    let dash = UInt8(ascii: "-")
    let end = UInt8(ascii: ">")
    guard byte(at: position + 1) == UInt8(ascii: "!"), byte(at: position + 2) == dash, byte(at: position + 3) == dash
    else { return skip(past: end) }
    position += 4
    // `<!-->` and `<!--->` are whole comments.
    if byte(at: position) == end || (byte(at: position) == dash && byte(at: position + 1) == end) {
      return skip(past: end)
    }
    while position < bytes.count {
      skip(to: dash)
      if byte(at: position + 1) == dash {
        let third = byte(at: position + 2)
        if third == end || (third == UInt8(ascii: "!") && byte(at: position + 3) == end) { return skip(past: end) }
      }
      position = min(position + 1, bytes.count)
    }
  }

  private mutating func skipRawText(of element: HTMLName) {
    let name = element.bytes
    while position < bytes.count {
      skip(to: UInt8(ascii: "<"))
      if byte(at: position + 1) == UInt8(ascii: "/") {
        let first = position + 2
        let after = byte(at: first + name.count)
        let isWhole = Self.isSpace(after) || after == UInt8(ascii: ">") || after == UInt8(ascii: "/")
        if isWhole, bytes[first..<(first + name.count)].elementsEqual(name, by: { ASCII.lowercased($0) == $1 }) {
          return
        }
      }
      position = min(position + 1, bytes.count)
    }
  }

  private mutating func tagName() -> HTMLName {
    let start = position
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    return HTMLName(bytes[start..<position])
  }

  /// A tag that the page's end cuts off is none.
  private mutating func startTag() -> Token? {
    let name = tagName()
    var isSelfClosing = false
    attributes.removeAll(keepingCapacity: true)
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      if Self.isSpace(bytes[position]) {
        position += 1
      } else if bytes[position] == UInt8(ascii: "/") {
        position += 1
        isSelfClosing = byte(at: position) == UInt8(ascii: ">")
      } else {
        let attribute = attribute()
        if attributes.count < Self.maximumAttributes { attributes.append(attribute) }
      }
    }
    guard position < bytes.count else { return nil }
    position += 1
    if !isSelfClosing, name.isRaw { rawElement = name }
    return .start(name, hasContent: !isSelfClosing && !name.isVoid)
  }

  private mutating func attribute() -> Attribute {
    let start = position
    // An attribute's name may begin with "=", and is at least that long.
    position += 1
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    let name = start..<position
    skip(while: Self.isSpace)
    guard byte(at: position) == UInt8(ascii: "=") else { return Attribute(name: name, value: position..<position) }
    position += 1
    skip(while: Self.isSpace)
    guard position < bytes.count else { return Attribute(name: name, value: position..<position) }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      let first = position
      skip(to: quote)
      defer { position = min(position + 1, bytes.count) }
      return Attribute(name: name, value: first..<position)
    }
    let first = position
    skip { !Self.isSpace($0) && $0 != UInt8(ascii: ">") }
    return Attribute(name: name, value: first..<position)
  }
}

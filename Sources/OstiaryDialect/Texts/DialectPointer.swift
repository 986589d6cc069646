/// A place in a JSON value (RFC 6901): `/data/0/token`. The empty pointer is the whole value.
///
/// Reading a pointer never fails: ``fault`` says what is wrong with it, and a dialect with such a pointer is refused.
public struct DialectPointer: Sendable, Hashable {
  /// The pointer as it is written.
  public let text: String
  /// The names and numbers on the way, unescaped; none where it has a ``fault``.
  public let parts: [String]
  /// What is wrong with it, as the end of a sentence.
  public let fault: String?

  /// The most parts of a pointer.
  static let maximumParts = 16
  /// The most bytes of a name that a problem shows as it is.
  static let maximumShownName = 256
  /// The most bytes of a pointer.
  static let maximumLength = 4096

  /// Reads a pointer.
  public init(_ text: String) {
    self.text = text
    do {
      parts = try Self.parse(text)
      fault = nil
    } catch {
      parts = []
      fault = error.text
    }
  }

  /// Makes a pointer of its parts.
  public init(parts: [String]) {
    self.init(parts.map { "/" + Self.escape($0) }.joined())
  }

  /// One part as it is written: `~` is `~0` and `/` is `~1`.
  static func escape(_ part: String) -> String {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return part }
    var bytes: [UInt8] = []
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "~"): bytes += Array("~0".utf8)
      case UInt8(ascii: "/"): bytes += Array("~1".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether two pointers are the same text.
  public static func == (lhs: DialectPointer, rhs: DialectPointer) -> Bool { lhs.text == rhs.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  private struct Fault: Error {
    let text: String
  }

  private static func parse(_ text: String) throws(Fault) -> [String] {
    guard text.utf8.count <= maximumLength else { throw Fault(text: "is longer than 4 KiB") }
    let bytes = Array(text.utf8)
    guard let first = bytes.first else { return [] }
    guard first == UInt8(ascii: "/") else { throw Fault(text: "does not begin with /") }
    var parts: [String] = []
    for part in bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard parts.count < maximumParts else { throw Fault(text: "has more than \(maximumParts) parts") }
      guard let unescaped = unescape(part) else { throw Fault(text: "has a ~ that is neither ~0 nor ~1") }
      parts.append(unescaped)
    }
    return parts
  }

  private static func unescape(_ part: ArraySlice<UInt8>) -> String? {
    guard part.contains(UInt8(ascii: "~")) else { return String(decoding: part, as: UTF8.self) }
    var output: [UInt8] = []
    var bytes = part.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "~") else {
        output.append(byte)
        continue
      }
      switch bytes.next() {
      case UInt8(ascii: "0"): output.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): output.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension DialectPointer: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(value) }

  public var description: String { text }
}

import HTTPTypes

/// The name of a request in logs, in the audit trail and on error pages. Each answer has it in `X-Request-Id`.
enum RequestID {
  static let field = HTTPField.Name("X-Request-Id")
  private static let longest = 64

  /// The name that a trusted proxy has given the request; nil for none, or for a text that is no name.
  static func given(in headers: HTTPFields) -> String? {
    guard let field, let text = headers[field], (1...longest).contains(text.utf8.count),
      text.utf8.allSatisfy({ Self.isAllowed($0) })
    else { return nil }
    return text
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

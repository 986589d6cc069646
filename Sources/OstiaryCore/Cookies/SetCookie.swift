internal import Foundation

/// A `Set-Cookie` field taken apart (RFC 6265bis §5.6). Where an attribute is repeated, the last one counts.
struct SetCookie {
  var name: String
  var value: String
  /// `nil` without a `Domain` attribute, empty for one that names none; lower case, without the leading dot.
  var domain: String?
  var path: Path = .absent
  var maxAge: Int?
  var expires: Date?
  var isSecure = false
  var isHTTPOnly = false
  var sameSite: Cookie.SameSite = .default

  enum Path {
    case absent
    /// Present, but empty or not beginning with `/`.
    case fallback
    case explicit(String)
  }

  static func parse(_ text: String) -> Result<SetCookie, ParseFailure> {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  /// A reason as an error, for `Result`.
  struct ParseFailure: Error {
    let reason: SetCookieOutcome.Reason
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<SetCookie, ParseFailure> {
    guard !bytes.contains(where: ASCII.isControl) else { return .failure(ParseFailure(reason: .controlCharacter)) }
    guard !hasReplacement(bytes) else { return .failure(ParseFailure(reason: .notUTF8)) }
    var rest = bytes[...]
    let pair = nextPart(&rest)
    let name: Bytes
    let value: Bytes
    if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
      name = ASCII.trimmed(pair[..<equals])
      value = ASCII.trimmed(pair[(equals + 1)...])
    } else {
      name = pair[pair.endIndex...]
      value = ASCII.trimmed(pair)
    }
    guard !name.isEmpty || !value.isEmpty else { return .failure(ParseFailure(reason: .empty)) }
    guard name.count + value.count <= Cookie.maximumSize else { return .failure(ParseFailure(reason: .tooLarge)) }
    var cookie = SetCookie(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    while !rest.isEmpty {
      cookie.apply(nextPart(&rest))
    }
    return .success(cookie)
  }

  /// Whether the text has a U+FFFD. Transports that give fields as text put one where the bytes were none; no server
  /// sends one of its own accord.
  private static func hasReplacement(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.indices.dropLast(2).contains { bytes[$0] == 0xEF && bytes[$0 + 1] == 0xBF && bytes[$0 + 2] == 0xBD }
  }

  /// Cuts the bytes before the next semicolon from `rest`.
  private static func nextPart(_ rest: inout Bytes) -> Bytes {
    guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) else {
      defer { rest = rest[rest.endIndex...] }
      return rest
    }
    defer { rest = rest[(semicolon + 1)...] }
    return rest[..<semicolon]
  }

  private mutating func apply(_ attribute: Bytes) {
    let equals = attribute.firstIndex(of: UInt8(ascii: "=")) ?? attribute.endIndex
    let key = ASCII.trimmed(attribute[..<equals])
    let value = ASCII.trimmed(equals < attribute.endIndex ? attribute[(equals + 1)...] : attribute[equals...])
    guard value.count <= Cookie.maximumAttributeSize else { return }

    if ASCII.matches(key, "expires") {
      expires = CookieDate.parse(value) ?? expires
    } else if ASCII.matches(key, "max-age") {
      maxAge = Self.seconds(value) ?? maxAge
    } else if ASCII.matches(key, "domain") {
      domain = ASCII.lowercased(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)
    } else if ASCII.matches(key, "path") {
      path = value.first == UInt8(ascii: "/") ? .explicit(String(decoding: value, as: UTF8.self)) : .fallback
    } else if ASCII.matches(key, "secure") {
      isSecure = true
    } else if ASCII.matches(key, "httponly") {
      isHTTPOnly = true
    } else if ASCII.matches(key, "samesite") {
      if ASCII.matches(value, "strict") {
        sameSite = .strict
      } else if ASCII.matches(value, "lax") {
        sameSite = .lax
      } else {
        sameSite = ASCII.matches(value, "none") ? .none : .default
      }
    }
  }

  /// `Max-Age` (§5.6.2): an optional minus and digits; a number too large for us is as good as the largest.
  private static func seconds(_ value: Bytes) -> Int? {
    let isNegative = value.first == UInt8(ascii: "-")
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
    if isNegative { return 0 }
    return digits.reduce(0) { min($0 * 10 + Int($1 &- 48), 1_000_000_000_000) }
  }
}

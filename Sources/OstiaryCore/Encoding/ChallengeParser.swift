/// Reads `1#challenge` (RFC 9110 §11.6.1) byte by byte, never going back further than one word.
struct ChallengeParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ field: String) {
    bytes = Array(field.utf8)
  }

  /// All challenges, or `nil` when the field is malformed or has none.
  mutating func parse() -> [AuthenticationChallenge]? {
    var challenges: [AuthenticationChallenge] = []
    skip { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
    while !isAtEnd {
      guard let challenge = parseChallenge() else { return nil }
      challenges.append(challenge)
    }
    return challenges.isEmpty ? nil : challenges
  }

  /// The challenges that can be read among other text. What is malformed is left out up to the next place where a
  /// challenge begins beyond doubt: a comma outside quotes, a scheme and a parameter.
  mutating func salvage() -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    skip { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
    while !isAtEnd {
      let start = position
      if let challenge = parseChallenge() {
        challenges.append(challenge)
        continue
      }
      position = start
      // "Basic, realm=x": it is unknown whether the parameter was meant for the scheme before it.
      if isAtParameter, challenges.last?.parameters.isEmpty == true, challenges.last?.token68 == nil {
        challenges.removeLast()
      }
      skipToNextChallenge()
    }
    return challenges
  }

  private var isAtEnd: Bool { position >= bytes.count }
  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }
  private var isAtDelimiter: Bool { isAtEnd || current == UInt8(ascii: ",") }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = current, condition(byte) { position += 1 }
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> String? {
    let first = position
    skip(while: condition)
    return position > first ? String(decoding: bytes[first..<position], as: UTF8.self) : nil
  }

  /// Moves on to the next element of the list; `false` when something else than a comma is in the way.
  private mutating func finishElement() -> Bool {
    skip(while: ASCII.isBlank)
    guard isAtDelimiter else { return false }
    skip { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
    return true
  }

  private var isAtParameter: Bool {
    var ahead = self
    guard ahead.take(while: Self.isToken) != nil else { return false }
    ahead.skip(while: ASCII.isBlank)
    return ahead.current == UInt8(ascii: "=")
  }

  private mutating func skipToNextChallenge() {
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") {
        skipQuoted()
      } else if byte == UInt8(ascii: ",") {
        skip { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
        let start = position
        skip(while: Self.isToken)
        if position > start, let blank = current, ASCII.isBlank(blank) {
          skip(while: ASCII.isBlank)
          if isAtParameter {
            position = start
            return
          }
        }
      }
    }
  }

  /// Moves on behind the end of a quoted string that has begun.
  private mutating func skipQuoted() {
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), !isAtEnd { position += 1 }
    }
  }

  private mutating func parseChallenge() -> AuthenticationChallenge? {
    guard let scheme = take(while: Self.isToken)?.lowercased() else { return nil }
    // Without a blank there are no parameters: "Basic, realm=…" is a parameter without a scheme.
    if isAtDelimiter { return finishElement() ? AuthenticationChallenge(scheme: scheme) : nil }
    guard let blank = current, ASCII.isBlank(blank) else { return nil }
    skip(while: ASCII.isBlank)
    if let token68 = parseToken68() {
      return finishElement() ? AuthenticationChallenge(scheme: scheme, token68: token68) : nil
    }
    let first = position
    skip { ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }
    // "SSO http://…": what follows the scheme in its own element is its token or its first parameter, nothing else.
    if position == first, !isAtEnd, !isAtParameter { return nil }
    var parameters: [String: String] = [:]
    while !isAtEnd {
      let start = position
      guard let name = take(while: Self.isToken)?.lowercased() else { return nil }
      skip(while: ASCII.isBlank)
      guard current == UInt8(ascii: "=") else {
        // No parameter, so the next scheme. The list must have had a comma before it, which it had.
        position = start
        break
      }
      position += 1
      skip(while: ASCII.isBlank)
      guard let value = parseValue(), parameters.updateValue(value, forKey: name) == nil, finishElement() else {
        return nil
      }
    }
    return AuthenticationChallenge(scheme: scheme, parameters: parameters)
  }

  /// `token68` when a whole element is one; otherwise nothing is consumed.
  private mutating func parseToken68() -> String? {
    let start = position
    skip(while: Self.isToken68)
    let hasText = position > start
    skip { $0 == UInt8(ascii: "=") }
    let end = position
    skip(while: ASCII.isBlank)
    guard hasText, isAtDelimiter else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func parseValue() -> String? {
    guard current == UInt8(ascii: "\"") else { return take(while: Self.isToken) }
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = current, !ASCII.isControl(escaped) else { return nil }
        position += 1
        text.append(escaped)
      default:
        guard !ASCII.isControl(byte) else { return nil }
        text.append(byte)
      }
    }
    return nil
  }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    ASCII.isAlpha(byte) || ASCII.isDigit(byte) || tokenMarks.contains(byte)
  }

  /// RFC 9110 §11.2, without the padding.
  private static func isToken68(_ byte: UInt8) -> Bool {
    ASCII.isAlpha(byte) || ASCII.isDigit(byte) || token68Marks.contains(byte)
  }

  private static let tokenMarks: [UInt8] = Array("!#$%&'*+-.^_`|~".utf8)
  private static let token68Marks: [UInt8] = Array("-._~+/".utf8)
}

/// The users who are admitted: all, or those whose proven e-mail address, or its domain, is on a list.
struct GatewayAdmission: Sendable {
  /// One line of the list.
  enum Rule: Hashable, Sendable {
    case address(String)
    case domain(String)

    /// Reads `ann@example.org` or `@example.org`.
    init?(_ text: String) {
      if text.utf8.first == UInt8(ascii: "@") {
        guard let domain = EmailAddress.domain(text.dropFirst()) else { return nil }
        self = .domain(domain)
      } else {
        guard let address = EmailAddress(text) else { return nil }
        self = .address(address.description)
      }
    }
  }

  private let rules: Set<Rule>
  private let admitsSelfMade: Bool

  /// - Parameter admitsSelfMade: Whether self-made accounts are admitted if there is no list.
  init(_ texts: [String], admitsSelfMade: Bool) {
    rules = Set(texts.compactMap(Rule.init))
    self.admitsSelfMade = admitsSelfMade
  }

  /// What a self-made account gives access to, in words.
  var summary: String {
    guard rules.isEmpty else { return "passes with a proven address that --gateway-allow names" }
    return admitsSelfMade ? "passes with a proven address" : "passes when an administrator admits it"
  }

  /// Whether the user is admitted. An invalid or unproven address is on no list.
  func admits(_ user: User) -> Bool {
    guard !rules.isEmpty else { return user.isAdmitted || (admitsSelfMade && user.isEmailVerified) }
    guard user.isEmailVerified else { return false }
    guard let address = user.email.flatMap(EmailAddress.init) else { return false }
    return rules.contains(.address(address.description)) || rules.contains(.domain(address.domain))
  }
}

/// An e-mail address in the one form that all parsers read alike: a dot-atom, one `@`, a host name (RFC 5321 §4.1.2
/// without quoted strings, comments, literals and characters beyond ASCII).
struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The part before the `@`, in lower case.
  let local: String
  /// The part after it, in lower case.
  let domain: String

  var description: String { "\(local)@\(domain)" }

  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].count),
      Self.isDotAtom(Substring(parts[0])), let domain = Self.domain(Substring(parts[1]))
    else { return nil }
    local = Substring(parts[0]).lowercasedASCII
    self.domain = domain
  }

  /// A host name of two labels or more, in lower case, or nil.
  static func domain(_ text: Substring) -> String? {
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, text.utf8.count <= 253 else { return nil }
    let hyphen = UInt8(ascii: "-")
    for label in labels {
      guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen,
        label.allSatisfy({ isAlphanumeric($0) || $0 == hyphen })
      else { return nil }
    }
    return text.lowercasedASCII
  }

  private static func isDotAtom(_ text: Substring) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

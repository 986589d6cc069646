package import Foundation

/// The names under which any person can register a domain, such as `com` and `co.uk`: no cookie may span one
/// (publicsuffix.org, RFC 6265bis §5.7).
///
/// Every single label is a public suffix, list or no list. With a list its rules hold, too; a few hundred kilobytes.
package struct PublicSuffixes: Sendable {
  /// The list that the system keeps (Debian: package `publicsuffix`), read when it is first needed; without one, single
  /// labels only.
  package static let system: PublicSuffixes = {
    for path in [
      "/usr/share/publicsuffix/public_suffix_list.dat", "/usr/local/share/publicsuffix/public_suffix_list.dat",
    ] {
      if let file = FileHandle(forReadingAtPath: path), let list = try? file.read(upToCount: maximumListSize) {
        return PublicSuffixes(list: list)
      }
    }
    return PublicSuffixes(list: Data())
  }()

  /// No list has been near this size; more is not read.
  private static let maximumListSize = 4 << 20

  /// The rules without their marks, one after the other.
  private let text: [UInt8]
  /// Sorted by the rule's bytes.
  private let rules: [Rule]

  private struct Rule {
    let offset: UInt32
    let length: UInt8
    let kind: Kind

    var range: Range<Int> { Int(offset)..<(Int(offset) + Int(length)) }
  }

  private enum Kind: UInt8 {
    case plain
    /// `*.ck`
    case wildcard
    /// `!www.ck`
    case exception
  }

  /// Reads a list in the form of publicsuffix.org: a rule a line, comments begin with `//`.
  package init(list: Data) {
    var text: [UInt8] = []
    var rules: [Rule] = []
    for line in list.prefix(Self.maximumListSize).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      // A rule ends at the first blank; what follows is a remark.
      var rule = line.prefix { !ASCII.isBlank($0) }
      if rule.isEmpty || rule.starts(with: "//".utf8) { continue }
      var kind = Kind.plain
      if rule.starts(with: "*.".utf8) {
        kind = .wildcard
        rule = rule.dropFirst(2)
      } else if rule.first == UInt8(ascii: "!") {
        kind = .exception
        rule = rule.dropFirst()
      }
      guard let name = Self.canonical(rule), let length = UInt8(exactly: name.utf8.count), length > 0 else { continue }
      rules.append(Rule(offset: UInt32(text.count), length: length, kind: kind))
      text.append(contentsOf: name.utf8)
    }
    rules.sort { text[$0.range].lexicographicallyPrecedes(text[$1.range]) }
    self.text = text
    self.rules = rules
  }

  /// How many rules there are.
  package var count: Int { rules.count }

  /// Whether `domain` is a public suffix, in any case of letters, in Unicode or in its ASCII form (`xn--…`), with or
  /// without the dot that ends a full name.
  ///
  /// The parent of a wildcard rule counts as one as well: a cookie for it would span the suffixes below.
  package func isPublicSuffix(_ domain: String) -> Bool {
    guard let name = Self.canonical(Array(domain.utf8)), !domain.isEmpty else { return false }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if labels.count == 1 { return true }
    let kinds = kinds(of: name.utf8[...])
    return kinds.contains(.wildcard) || suffixLength(of: name) == labels.count
  }

  /// The part of `domain` that its owner registered: the public suffix and one label more (`example.co.uk`). `nil` for
  /// a public suffix, and for what is no domain.
  package func registrableDomain(of domain: String) -> String? {
    let domain = domain.lowercased()
    guard let name = Self.canonical(Array(domain.utf8)), !name.isEmpty else { return nil }
    let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains("") else { return nil }
    let length = suffixLength(of: name) + 1
    return labels.count < length ? nil : labels.suffix(length).joined(separator: ".")
  }

  /// How many labels the public suffix of a name in ASCII form has (the list's algorithm).
  private func suffixLength(of name: String) -> Int {
    var rest = name.utf8[...]
    var remaining = rest.reduce(1) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 }
    // From the whole name down, so that the first rule met is the longest.
    while remaining > 1 {
      let kinds = kinds(of: rest)
      if kinds.contains(.exception) { return remaining - 1 }
      if kinds.contains(.plain) { return remaining }
      guard let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { break }
      rest = rest[rest.index(after: dot)...]
      if self.kinds(of: rest).contains(.wildcard) { return remaining }
      remaining -= 1
    }
    return 1
  }

  /// The kinds of rule that there are for exactly this name.
  private func kinds(of name: Substring.UTF8View) -> [Kind] {
    var low = 0
    var high = rules.count
    while low < high {
      let middle = low + (high - low) / 2
      if text[rules[middle].range].lexicographicallyPrecedes(name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return rules[low...].prefix { text[$0.range].elementsEqual(name) }.map(\.kind)
  }

  /// The name in lower case and ASCII, without a dot at the end; `nil` when it has no such form.
  private static func canonical(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    guard bytes.count <= 4 * CookieHost.maximumLength else { return nil }
    let bytes = bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes[...]
    if bytes.allSatisfy({ $0 < 0x80 }) { return ASCII.lowercased(bytes) }
    let labels = String(decoding: bytes, as: UTF8.self).lowercased()
      .split(separator: ".", omittingEmptySubsequences: false).map { Punycode.encode($0) }
    let known = labels.compactMap { $0 }
    return known.count == labels.count ? known.joined(separator: ".") : nil
  }
}

/// Questions about a host's name, asked of its bytes.
enum CookieHost {
  /// The longest name that DNS allows, with the dot at the end.
  static let maximumLength = 254

  /// Whether the bytes can be a host: not empty, not endless, visible ASCII without the delimiters of an authority.
  static func isHost(_ bytes: some Collection<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.count <= maximumLength else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case 0x21...0x7E:
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "["),
          UInt8(ascii: "]"), UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","):
          false
        default: true
        }
      default: false
      }
    }
  }

  /// Whether the host is an IP address: IPv6, or a name whose last label is a number, which is how the URL standard
  /// tells IPv4. Addresses have no subdomains.
  static func isAddress(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    var label = bytes[...]
    if label.last == UInt8(ascii: ".") { label = label.dropLast() }
    if let dot = label.lastIndex(of: UInt8(ascii: ".")) { label = label[label.index(after: dot)...] }
    if label.isEmpty { return false }
    if label.allSatisfy(ASCII.isDigit) || bytes.contains(UInt8(ascii: ":")) { return true }
    return ASCII.begins(label, with: "0x") && label.dropFirst(2).allSatisfy { ASCII.hexValue($0) != nil }
  }

  /// Whether `host` is `domain` or lies below it (RFC 6265bis §5.1.3). Both in lower case.
  static func domainMatches(_ host: String, _ domain: String) -> Bool {
    if host.hasSameBytes(as: domain) { return true }
    let below = host.utf8.count - domain.utf8.count
    guard !domain.isEmpty, below > 1, !isAddress(host.utf8) else { return false }
    return host.utf8.dropFirst(below).elementsEqual(domain.utf8) && host.utf8.dropFirst(below - 1).first == 0x2E
  }

  /// Whether the host is this machine: `localhost`, `*.localhost`, `127.0.0.0/8` or `::1`.
  static func isLoopback(_ host: String) -> Bool {
    Origin(scheme: "http", host: host, port: nil)?.isLoopback ?? false
  }
}

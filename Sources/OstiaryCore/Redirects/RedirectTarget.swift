package import HTTPTypes

/// An address of http or https in the parts that a request has, and how a `Location` changes it.
///
/// Resolved by hand as RFC 3986 §5.2 writes, because the server's bytes must arrive at the server as they are, and
/// because a location is hostile input: what two programs could read differently is refused.
package struct RedirectTarget: Equatable {
  package var scheme: String
  package var authority: String
  /// Path and query, as the request target of HTTP/1.1.
  package var path: String

  package init(scheme: String, authority: String, path: String) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
  }

  /// What is wrong with a location, in words for a person.
  package enum Problem: String, Error {
    case tooLong = "The server redirects to an address that is too long."
    case unreadable = "The server redirects to an address that can't be read."
    case userInformation = "The server redirects to an address with a user name in it."
    case noHost = "The server redirects to an address without a usable host."
    case otherScheme = "The server redirects to something that is neither http nor https."
  }

  /// The longest location that is read, in bytes: what RFC 9110 §4.1 recommends for a URI.
  static let maximumLength = 8000

  /// The address that `location`, absolute or relative, names from here. A fragment is left out.
  package func resolving(_ location: String) -> Result<RedirectTarget, Problem> {
    let bytes = Array(ASCII.trimmed(Array(location.utf8)[...]))
    guard bytes.count <= Self.maximumLength else { return .failure(.tooLong) }
    guard !bytes.contains(where: { ASCII.isControl($0) || $0 == 0x09 }) else { return .failure(.unreadable) }
    var rest = bytes.prefix { $0 != UInt8(ascii: "#") }
    // Browsers read a backslash as a slash, RFC 3986 does not know it: an address that is two.
    guard !rest.prefix(while: { $0 != UInt8(ascii: "?") }).contains(UInt8(ascii: "\\")) else {
      return .failure(.unreadable)
    }

    var target = self
    if let end = rest.firstIndex(where: { Self.endsScheme($0) }), rest[end] == UInt8(ascii: ":") {
      guard Self.isScheme(rest[..<end]) else { return .failure(.unreadable) }
      target.scheme = ASCII.lowercased(rest[..<end])
      guard target.scheme == "http" || target.scheme == "https" else { return .failure(.otherScheme) }
      rest = rest[(end + 1)...]
      // `https:/path` and `https:path` name no host, and readers disagree about which they mean.
      guard rest.starts(with: "//".utf8) else { return .failure(.noHost) }
    }
    if rest.starts(with: "//".utf8) {
      let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      rest = rest.dropFirst(2 + authority.count)
      guard !authority.contains(UInt8(ascii: "@")) else { return .failure(.userInformation) }
      guard let name = Self.authority(authority, scheme: target.scheme) else { return .failure(.noHost) }
      target.authority = name
      target.path = Self.target(path: rest)
    } else if !rest.isEmpty {
      target.path = merged(with: rest)
    }
    return .success(target)
  }

  /// A relative path or query, seen from here.
  private func merged(with reference: ArraySlice<UInt8>) -> String {
    if reference.first == UInt8(ascii: "/") { return Self.target(path: reference) }
    let base = Array(path.utf8).prefix { $0 != UInt8(ascii: "?") }
    if reference.first == UInt8(ascii: "?") { return String(decoding: base, as: UTF8.self) + Self.encoded(reference) }
    let folder = base.lastIndex(of: UInt8(ascii: "/")).map { Array(base[...$0]) } ?? [UInt8(ascii: "/")]
    return Self.target(path: folder + reference)
  }

  /// Removes the dot segments of a path, leaves its query alone, and percent-encodes what HTTP can't send.
  private static func target(path: some Collection<UInt8>) -> String {
    let text = Array(path)
    let pathEnd = text.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
    return encoded(removingDotSegments(text[..<pathEnd])) + encoded(text[pathEnd...])
  }

  /// RFC 3986 §5.2.4, segment by segment. The result begins with a slash.
  private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (index, segment) in segments.dropFirst().enumerated() {
      let isLast = index == segments.count - 2
      switch dots(segment) {
      case 1:
        if isLast { kept.append([]) }
      case 2:
        _ = kept.popLast()
        if isLast { kept.append([]) }
      default:
        kept.append(segment)
      }
    }
    if kept.isEmpty { return [UInt8(ascii: "/")] }
    return kept.flatMap { [UInt8(ascii: "/")] + $0 }
  }

  /// 1 for `.`, 2 for `..`, 0 for a name.
  private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
    segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") } ? segment.count : 0
  }

  /// Percent-encodes spaces and what is not ASCII, as servers that forgot to expect (WHATWG URL).
  private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if (0x21...0x7E).contains(byte) {
        result.append(byte)
      } else {
        result += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func endsScheme(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, ASCII.isAlpha(first) else { return false }
    return bytes.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// A host and a port as requests spell them: in lower case, without an empty or a default port. `nil` when there is no
  /// host, or one with other characters than names and addresses have.
  private static func authority(_ bytes: ArraySlice<UInt8>, scheme: String) -> String? {
    var text = ASCII.lowercased(bytes)
    if text.hasSuffix(":") { text.removeLast() }
    guard let origin = Origin(scheme: scheme, authority: text) else { return nil }
    let isAddress = text.utf8.first == UInt8(ascii: "[")
    let isUsable = origin.host.utf8.allSatisfy { byte in
      isAddress
        ? ASCII.hexValue(byte) != nil || ":.".utf8.contains(byte)
        : ASCII.isAlpha(byte) || ASCII.isDigit(byte) || "-._".utf8.contains(byte)
    }
    return isUsable ? origin.authority : nil
  }
}

extension HTTPResponse {
  /// Where a redirect leads, as a GET; `nil` for a response that redirects nowhere that HTTP can go.
  package func redirectTarget(from request: HTTPRequest) -> HTTPRequest? {
    guard status.kind == .redirection, let location = headerFields[values: .location].first,
      let scheme = request.scheme, let authority = request.authority
    else { return nil }
    let base = RedirectTarget(scheme: scheme, authority: authority, path: request.path ?? "/")
    guard case .success(let target) = base.resolving(location) else { return nil }
    return HTTPRequest(method: .get, scheme: target.scheme, authority: target.authority, path: target.path)
  }
}

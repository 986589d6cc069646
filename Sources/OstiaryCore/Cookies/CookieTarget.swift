internal import HTTPTypes

/// Where a request goes, as cookies see it, read in place from the request's own bytes.
///
/// Valid only within the closure that ``with(_:trustsLoopback:_:)`` runs.
struct CookieTarget {
  /// As written: letters may be upper case. IPv6 without brackets.
  let host: UnsafeBufferPointer<UInt8>
  /// Whether the host is an address, which has no parent domains.
  let isAddress: Bool
  /// Without the query.
  let path: UnsafeBufferPointer<UInt8>
  /// Whether cookies marked `Secure` may travel.
  let isSecure: Bool

  /// Runs `body` with the target of `request`, or returns `nil` for a request that cannot carry cookies.
  @inline(__always)
  static func with<Result>(
    _ request: HTTPRequest, trustsLoopback: Bool, _ body: (CookieTarget) -> Result?
  ) -> Result? {
    guard let scheme = request.scheme, var authority = request.authority else { return nil }
    let isSecure: Bool
    if ASCII.matches(scheme.utf8, "https") {
      isSecure = true
    } else if ASCII.matches(scheme.utf8, "http") {
      isSecure = false
    } else {
      return nil
    }
    var path = request.path ?? "/"
    return authority.withUTF8 { authority -> Result? in
      guard let host = Self.host(of: authority) else { return nil }
      let trusted =
        isSecure || (trustsLoopback && CookieHost.isLoopback(ASCII.lowercased(host)))
      return path.withUTF8 { path in
        body(
          CookieTarget(
            host: host, isAddress: CookieHost.isAddress(host), path: Self.withoutQuery(path), isSecure: trusted))
      }
    }
  }

  /// The host in an authority such as `example.org:8443` or `[::1]:80`; `nil` for one that ``Origin`` refuses, too.
  private static func host(of authority: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8>? {
    let host: Slice<UnsafeBufferPointer<UInt8>>
    let rest: Slice<UnsafeBufferPointer<UInt8>>
    if authority.first == UInt8(ascii: "[") {
      guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = authority[1..<end]
      // Brackets are for IPv6 addresses; a name in brackets must not pass for the name.
      guard host.contains(UInt8(ascii: ":")) else { return nil }
      rest = authority[(end + 1)...]
    } else {
      let colon = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
      host = authority[..<colon]
      rest = authority[colon...]
    }
    if !rest.isEmpty {
      let port = rest.dropFirst()
      guard rest.first == UInt8(ascii: ":"), !port.isEmpty, port.allSatisfy(ASCII.isDigit),
        (1...65_535).contains(port.reduce(0) { min($0 * 10 + Int($1 &- 48), 65_536) })
      else { return nil }
    }
    guard CookieHost.isHost(host) else { return nil }
    return UnsafeBufferPointer(rebasing: host)
  }

  private static func withoutQuery(_ path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let end = path.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? path.endIndex
    return UnsafeBufferPointer(rebasing: path[..<end])
  }

  /// Whether the request's path lies under a cookie's (RFC 6265bis §5.1.4).
  @inline(__always)
  func pathMatches(_ cookiePath: String) -> Bool {
    let count = cookiePath.utf8.count
    if count <= 1 { return true }
    guard count <= path.count else { return false }
    let isPrefix =
      cookiePath.utf8.withContiguousStorageIfAvailable { cookiePath in
        path[..<count].elementsEqual(cookiePath)
      } ?? path[..<count].elementsEqual(cookiePath.utf8)
    guard isPrefix else { return false }
    return count == path.count || path[count - 1] == UInt8(ascii: "/") || path[count] == UInt8(ascii: "/")
  }

  /// The path that a cookie gets which names none (RFC 6265bis §5.1.4).
  var defaultPath: String {
    guard path.first == UInt8(ascii: "/"), let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else {
      return "/"
    }
    return String(decoding: path[..<slash], as: UTF8.self)
  }
}

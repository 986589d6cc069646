public import Foundation
public import HTTPTypes

/// A scheme, a host and a port: the unit that proof never leaves (RFC 6454).
public struct Origin: Hashable, Sendable, Codable {
  /// `http` or `https`, in lower case.
  public let scheme: String
  /// The host in lower case, an IPv6 address without its brackets.
  public let host: String
  /// The port, the scheme's default where none was written.
  public let port: Int

  /// The origin of an absolute URL, or `nil` when it has none that HTTP knows.
  public init?(_ url: URL) {
    guard let scheme = url.scheme, let host = url.host(percentEncoded: false) else { return nil }
    self.init(scheme: scheme, host: host, port: url.port)
  }

  /// The origin that a request goes to, or `nil` when its scheme or authority is missing or unusable.
  public init?(_ request: HTTPRequest) {
    guard let scheme = request.scheme, let authority = request.authority else { return nil }
    self.init(scheme: scheme, authority: authority)
  }

  /// The origin of `scheme` and an authority such as `example.org:8443` or `[::1]:80`.
  ///
  /// An authority with user information (`user@host`) has no origin here: it is the oldest trick for making one host
  /// look like another.
  public init?(scheme: String, authority: String) {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
    var host = Substring(authority)
    var port: Int?
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      // Brackets are for IPv6 addresses; a name in brackets must not pass for the name.
      guard host.utf8.contains(UInt8(ascii: ":")) else { return nil }
      if !rest.isEmpty {
        guard rest.first == ":", let number = Self.port(rest.dropFirst()) else { return nil }
        port = number
      }
    } else if let colon = host.lastIndex(of: ":") {
      guard let number = Self.port(host[host.index(after: colon)...]) else { return nil }
      port = number
      host = host[..<colon]
      guard !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    }
    self.init(scheme: scheme, host: String(host), port: port)
  }

  /// An origin from its parts; `nil` for an unusable host, a scheme other than http and https, or an impossible port.
  public init?(scheme: String, host: String, port: Int?) {
    let scheme = scheme.lowercased()
    guard scheme == "http" || scheme == "https", Self.isHost(host) else { return nil }
    let port = port ?? (scheme == "https" ? 443 : 80)
    guard (1...65535).contains(port) else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port
  }

  /// Whether the connection is encrypted.
  public var isSecure: Bool { scheme == "https" }

  /// Whether the host is this machine: `localhost`, `*.localhost`, `127.0.0.0/8` or `::1`.
  public var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether `host` can stand in an authority without changing what the rest of it means.
  private static func isHost(_ host: String) -> Bool {
    if host.utf8.contains(UInt8(ascii: ":")) {
      return host.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ":.%-_0123456789".unicodeScalars.contains($0))
      }
    }
    return !host.isEmpty && !host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/?#@[]\\".utf8.contains($0) }
  }

  private static func port(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(text) else { return nil }
    return port
  }
}

extension Origin: CustomStringConvertible {
  /// Host and port as a URL writes them, without a default port.
  public var authority: String {
    let bracketed = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? bracketed : "\(bracketed):\(port)"
  }

  /// The origin as RFC 6454 writes it, without a default port.
  public var description: String { "\(scheme)://\(authority)" }
}

public import Foundation
public import HTTPTypes

extension HTTPRequest {
  /// The absolute address as text, for transports: what RFC 3986 does not allow in a path or query is percent-encoded,
  /// and nothing else is touched.
  ///
  /// Made here because Foundation, given one character that does not belong, also encodes the percent signs of what is
  /// encoded already.
  /// - Throws: ``OstiaryError`` `invalidRequest` when there is no http or https origin or the path has no leading slash.
  package func absoluteAddress() throws -> String {
    let path = path ?? "/"
    guard let scheme, let authority, Origin(self) != nil, authority.utf8.allSatisfy(Self.isAllowedInAuthority) else {
      throw unsendable("The request has no http or https address.")
    }
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 })
    else {
      throw unsendable("The request's path must begin with a slash and be percent-encoded.")
    }
    return "\(scheme)://\(authority)\(Self.percentEncodedWhereNeeded(path))"
  }

  /// The request target as transports send it: path and query, encoded where ``absoluteAddress()`` encodes.
  package var targetAsSent: String { Self.percentEncodedWhereNeeded(path ?? "/") }

  /// Makes the error for a request that can't be sent as it is.
  package func unsendable(_ message: String) -> OstiaryError {
    OstiaryError(.invalidRequest, message, request: self, requestMayHaveExecuted: false)
  }

  /// Visible ASCII without what separates an authority from the rest of a URL.
  private static func isAllowedInAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "\\"),
      UInt8(ascii: "%"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }

  private static func percentEncodedWhereNeeded(_ path: String) -> String {
    let bytes = Array(path.utf8)
    func isHex(_ index: Int) -> Bool { index < bytes.count && ASCII.hexValue(bytes[index]) != nil }
    func isFine(_ index: Int) -> Bool {
      switch bytes[index] {
      case UInt8(ascii: "%"): isHex(index + 1) && isHex(index + 2)
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["), UInt8(ascii: "\\"),
        UInt8(ascii: "]"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        false
      default: true
      }
    }
    guard !bytes.indices.allSatisfy(isFine) else { return path }
    var encoded: [UInt8] = []
    for index in bytes.indices {
      if isFine(index) {
        encoded.append(bytes[index])
      } else {
        encoded += "%\(String(bytes[index], radix: 16, uppercase: true))".utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

extension HTTPRequest {
  /// A request for an absolute `http` or `https` URL. The fragment is left out, as it never travels.
  /// - Throws: ``OstiaryError`` `invalidRequest` when the URL has no host, carries user information, or is of another
  ///   scheme.
  public init(_ method: Method = .get, to url: URL, headerFields: HTTPFields = [:]) throws {
    guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true), !host.isEmpty,
      url.user() == nil, Origin(scheme: scheme, host: host, port: url.port) != nil
    else {
      throw OstiaryError(
        .invalidRequest, "The address is not an http or https URL with a host and without a user name.",
        requestMayHaveExecuted: false)
    }
    let authority = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    var path = url.path(percentEncoded: true)
    if path.isEmpty { path = "/" }
    if let query = url.query(percentEncoded: true) { path += "?" + query }
    self.init(
      method: method, scheme: scheme, authority: url.port.map { "\(authority):\($0)" } ?? authority, path: path,
      headerFields: headerFields)
  }

  /// The absolute URL that this request goes to, or `nil` when its parts make none.
  package var targetURL: URL? {
    guard let scheme, let authority else { return nil }
    return URL(string: "\(scheme)://\(authority)\(path ?? "/")")
  }
}

internal import Foundation
internal import OstiaryCore

/// An issuer identifier and where its server's metadata are: an `https` URL without a query and a fragment (RFC 8414 §2).
struct IssuerAddress: Sendable, Hashable {
  /// The identifier, byte for byte as it was given.
  let issuer: String
  let url: URL
  let origin: Origin

  /// - Throws: ``OstiaryError`` `invalidInput`.
  init(_ issuer: String, allowsPlainHTTP: Bool) throws {
    let rule = EndpointRule(allowsPlainHTTP: allowsPlainHTTP)
    guard let url = EndpointRule.address(issuer), let origin = Origin(url), !issuer.utf8.contains(UInt8(ascii: "?")),
      !issuer.utf8.contains(UInt8(ascii: "#"))
    else {
      throw OstiaryError.invalidOAuthInput(
        "The issuer is not an https URL without a query and a fragment (RFC 8414 §2).",
        "Give the issuer as the server's documentation has it.")
    }
    switch rule.problem(of: url) {
    case nil: break
    case .notAbsolute:
      throw OstiaryError.invalidOAuthInput(
        "The issuer is not an https URL without a user name (RFC 8414 §2).",
        "Give the issuer as the server's documentation has it.")
    case .notEncrypted(let origin):
      throw OstiaryError.invalidOAuthInput(
        "The issuer at \(origin) is not encrypted.",
        "Use https, or allow plain http if no other host can listen on the way.")
    }
    self.issuer = issuer
    self.url = url
    self.origin = origin
  }

  /// Where OpenID Connect Discovery §4 has the document: behind the issuer's path.
  var openIDDocument: URL? { URL(string: base + path + "/.well-known/openid-configuration") }

  /// Where RFC 8414 §3.1 has the document: before the issuer's path.
  var oauthDocument: URL? { URL(string: base + "/.well-known/oauth-authorization-server" + path) }

  /// Scheme and authority as they were written.
  private var base: String { String(decoding: issuer.utf8.prefix(pathStart), as: UTF8.self) }

  /// The path without a slash at its end, which both specifications take away.
  private var path: String {
    let path = issuer.utf8.dropFirst(pathStart)
    return String(decoding: path.last == UInt8(ascii: "/") ? path.dropLast() : path, as: UTF8.self)
  }

  /// Where the path begins, in bytes: at the third slash.
  private var pathStart: Int {
    var slashes = 0
    for (offset, byte) in issuer.utf8.enumerated() where byte == UInt8(ascii: "/") {
      slashes += 1
      if slashes == 3 { return offset }
    }
    return issuer.utf8.count
  }
}

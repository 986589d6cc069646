import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import Testing

@testable import OstiaryOAuth

@Suite("DPoP: the address in a proof")
struct DPoPAddressTests {
  struct Case: Sendable {
    let scheme: String
    let authority: String
    let path: String?
    let address: String

    init(_ scheme: String, _ authority: String, _ path: String?, _ address: String) {
      self.scheme = scheme
      self.authority = authority
      self.path = path
      self.address = address
    }

    var request: HTTPRequest { HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path) }
  }

  /// RFC 9449 §4.2 and §4.3: without query and fragment; what transports do to an address is done to it as well.
  static let cases: [Case] = [
    Case("https", "api.test", "/things?access=secret", "https://api.test/things"),
    Case("https", "api.test", "/things?a=b#part", "https://api.test/things"),
    Case("https", "api.test", nil, "https://api.test/"),
    Case("HTTPS", "API.Test", "/Things", "https://api.test/Things"),
    Case("https", "api.test:443", "/x", "https://api.test/x"),
    Case("https", "api.test:8443", "/x", "https://api.test:8443/x"),
    Case("http", "127.0.0.1:80", "/x", "http://127.0.0.1/x"),
    Case("http", "127.0.0.1:443", "/x", "http://127.0.0.1:443/x"),
    Case("https", "[2001:DB8::1]:443", "/x", "https://[2001:db8::1]/x"),
    Case("https", "[::1]:8443", "/x?y", "https://[::1]:8443/x"),
    Case("https", "api.test", "/a[b]|c%2fd%zz", "https://api.test/a%5Bb%5D%7Cc%2fd%25zz"),
    Case("https", "api.test", "//a//b/", "https://api.test//a//b/"),
  ]

  @Test("DPoP-3: a proof is for the address that the server sees, whichever way the program wrote it", arguments: cases)
  func address(_ one: Case) throws {
    let key = try SoftwareDPoPKeys().makeKey()
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    let field = try key.field(for: one.request, nonce: nil, at: time)
    #expect(try PresentedToken(field.value).unverifiedClaims["htu"] == .string(one.address))
    let request = DPoPProofVerifier.Request(method: "GET", address: one.address + "?other=query")
    #expect(try DPoPProofVerifier().verify(field.value, for: request, at: time).thumbprint == key.thumbprint)
  }
}

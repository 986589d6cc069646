import Foundation
import OstiaryCore
import Testing

@Suite("Origin")
struct OriginTests {
  @Test(
    "An authority is host and port, with the scheme's port where none is written",
    arguments: [
      ("example.org", "example.org", 443), ("EXAMPLE.org:8443", "example.org", 8443), ("[::1]", "::1", 443),
      ("[2001:db8::1]:80", "2001:db8::1", 80), ("127.0.0.1:1", "127.0.0.1", 1), ("日本.example", "日本.example", 443),
    ])
  func authority(text: String, host: String, port: Int) throws {
    let origin = try #require(Origin(scheme: "HTTPS", authority: text))
    #expect(origin.host == host)
    #expect(origin.port == port)
    #expect(Origin(scheme: "https", authority: origin.authority) == origin)
  }

  @Test(
    "What is no host has no origin",
    arguments: [
      "", ":80", "trusted.example@evil.example", "a:b:80", "::1", "::1]:80", "[::1", "[::1]x", "[::1]:", "[name]",
      "a]b", "a b",
      "a/b", "a\\b", "a?b", "a#b", "a\nb", "example.org:0", "example.org:65536", "example.org:+80", "[::1@evil]",
    ])
  func refused(text: String) {
    #expect(Origin(scheme: "https", authority: text) == nil)
  }

  @Test("Other schemes have no origin", arguments: ["ftp", "file", "javascript", ""])
  func schemes(scheme: String) {
    #expect(Origin(scheme: scheme, authority: "example.org") == nil)
  }
}

import Testing

@testable import OstiaryGateway

@Suite("Protection spaces: paths")
struct PathPrefixesTests {
  @Test(
    "A part of a server is what is below its path, at a slash",
    arguments: [
      ("/docs/", "/docs/", true), ("/docs/", "/docs/a/b?c=/d", true), ("/docs/", "/docs", false),
      ("/docs/", "/Docs/", false), ("/docs", "/docs", true), ("/docs", "/docs?x", true), ("/docs", "/docs/x", true),
      ("/docs", "/docs2", false), ("/", "/anything", true), ("/", nil, true), ("/docs/", "/docs/../private", false),
      ("/docs/", "/docs/%2e%2E/private", false), ("/docs/", "/docs/.%2e/x", false), ("/docs/", "/docs/.../x", true),
      ("/docs/", "/docs/.hidden", true), ("/docs/", "/docs/%20", true), ("/", "/docs/../x", true),
    ] as [(String, String?, Bool)])
  func contains(prefix: String, target: String?, expected: Bool) {
    #expect(PathPrefixes([prefix]).contains(target) == expected)
  }

  @Test(
    "The folder of a target (RFC 7617 §2.2)",
    arguments: [
      ("/docs/index.html", "/docs/"), ("/docs/", "/docs/"), ("/docs", "/"), ("/", "/"), (nil, "/"),
      ("/a/b/c?d=/e/f", "/a/b/"), ("?x", "/"), ("/a/../b", nil),
    ] as [(String?, String?)])
  func folder(target: String?, expected: String?) {
    #expect(PathPrefixes.folder(of: target) == expected)
  }

  @Test("Parts within parts are one, and too many are all")
  func growing() {
    var parts = PathPrefixes(["/a/b/", "/c/", "no path"])
    #expect(parts.prefixes == ["/a/b/", "/c/"])
    parts.add("/a/b/d/")
    parts.add("/a/")
    #expect(parts.prefixes == ["/c/", "/a/"])
    for number in 0..<100 { parts.add("/p\(number)/") }
    #expect(parts.prefixes == ["/"])
  }
}

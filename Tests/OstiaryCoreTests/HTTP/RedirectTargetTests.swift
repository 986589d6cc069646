import Testing

@testable import OstiaryCore

@Suite("Redirect target")
struct RedirectTargetTests {
  private let base = RedirectTarget(scheme: "http", authority: "a", path: "/b/c/d;p?q")

  private func resolve(_ location: String, from base: RedirectTarget? = nil) -> String {
    switch (base ?? self.base).resolving(location) {
    case .success(let target): "\(target.scheme)://\(target.authority)\(target.path)"
    case .failure(let problem): "\(problem)"
    }
  }

  @Test(
    "References are resolved as RFC 3986 §5.4.1 lists",
    arguments: [
      ("g:h", "otherScheme"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
      ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
      (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ])
  func normal(location: String, expected: String) {
    #expect(resolve(location) == expected)
  }

  @Test(
    "Abnormal references are resolved as RFC 3986 §5.4.2 lists, strictly",
    arguments: [
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g"),
      ("http:g", "noHost"),
    ])
  func abnormal(location: String, expected: String) {
    #expect(resolve(location) == expected)
  }

  @Test(
    "Absolute locations keep their bytes; hosts are lower case, default ports go, spaces are encoded",
    arguments: [
      ("https://B.Example:443/P%2fq/?X=%20&y=1+2", "https://b.example/P%2fq/?X=%20&y=1+2"),
      ("HTTP://b:80", "http://b/"), ("http://b:8080?q", "http://b:8080/?q"), ("https://b:80/", "https://b:80/"),
      ("http://b:/x", "http://b/x"), ("//b/x", "http://b/x"), ("http://[::1]:8080/", "http://[::1]:8080/"),
      ("  /x y/\u{e9}?z z ", "http://a/x%20y/%C3%A9?z%20z"), ("/a//b///", "http://a/a//b///"),
      ("/x?a=b\\c", "http://a/x?a=b\\c"), ("?", "http://a/b/c/d;p?"), ("/x:y", "http://a/x:y"),
      ("./x:y", "http://a/b/c/x:y"), ("http://a_b.c/", "http://a_b.c/"), ("http://b/..", "http://b/"),
    ])
  func absolute(location: String, expected: String) {
    #expect(resolve(location) == expected)
  }

  @Test(
    "Invariant 14: a hostile location is refused with a reason",
    arguments: [
      ("http://user@b/", "userInformation"), ("http://a@b:80/", "userInformation"), ("//a:b@c/", "userInformation"),
      ("http:///x", "noHost"), ("http://", "noHost"), ("http://?q", "noHost"), ("https:/x", "noHost"),
      ("http://b:99999/", "noHost"), ("http://b:0/", "noHost"), ("http://b:x/", "noHost"), ("http://a:b:80/", "noHost"),
      ("http://[::1/", "noHost"), ("http://[a%25b]/", "noHost"), ("http://a[b]/", "noHost"),
      ("http://b%2ec/", "noHost"),
      ("http://b c/", "noHost"), ("http://\u{fc}/", "noHost"), ("http://b\u{200b}/", "noHost"),
      ("http://b|c/", "noHost"),
      ("http:\\\\b", "unreadable"), ("/\\b", "unreadable"), ("\\\\b\\c", "unreadable"), ("http://a\\@b/", "unreadable"),
      ("/a\u{0}b", "unreadable"), ("/a\r\nSet-Cookie: x", "unreadable"), ("/a\tb", "unreadable"),
      ("\u{7f}", "unreadable"),
      (":x", "unreadable"), ("1a:b", "unreadable"), ("a b:c", "unreadable"), ("javascript:alert(1)", "otherScheme"),
      ("file:///etc/passwd", "otherScheme"), ("app.scheme:/callback?code=1", "otherScheme"), ("data:,x", "otherScheme"),
    ])
  func hostile(location: String, expected: String) {
    #expect(resolve(location) == expected)
  }

  @Test("Invariant 14: a location has a greatest length, and reading it takes linear time")
  func long() {
    let most = "/" + String(repeating: "a", count: RedirectTarget.maximumLength - 1)
    #expect(resolve(most) == "http://a" + most)
    #expect(resolve(most + "a") == "tooLong")
    #expect(resolve(String(repeating: "../", count: 2000)) == "http://a/")
    #expect(resolve(String(repeating: "/", count: 8000)) == "noHost")
  }

  @Test("A base that is no path is the root")
  func odd() {
    #expect(resolve("x", from: RedirectTarget(scheme: "http", authority: "a", path: "*")) == "http://a/x")
    #expect(resolve("?y", from: RedirectTarget(scheme: "http", authority: "a", path: "/?x")) == "http://a/?y")
  }

  @Test("Whatever the bytes, there is an answer, and it is an address with an origin")
  func random() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    let alphabet = Array("ab/.:?#@[]\\%2 \u{e9}\u{0}~httpS".unicodeScalars)
    for _ in 0..<20_000 {
      var text = next() % 4 == 0 ? "http://" : ""
      for _ in 0..<(next() % 24) { text.unicodeScalars.append(alphabet[Int(next()) % alphabet.count]) }
      guard case .success(let target) = base.resolving(text) else { continue }
      #expect(Origin(scheme: target.scheme, authority: target.authority) != nil)
      #expect(target.path.hasPrefix("/"))
      #expect(target.path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    }
  }
}

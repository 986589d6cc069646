import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@Suite("What a jar accepts can be read back")
struct StorableCookieTests {
  @Test("Bug-A02: whatever the jar accepts decodes again (100,000 random cookies and addresses)", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var random = SplitMixGenerator(state: seed &+ 4_711)
    let pieces = [
      "/", "/app", ";jsessionid=1", "/%2F", "/é", " ", "\t", "\"", "\\", "\u{2028}", "\u{7}", "..", "*", "/a/b", "=",
      String(repeating: "x", count: 300), String(repeating: "/y", count: 900), String(repeating: "z", count: 9000),
    ]
    let hosts = [
      "example.org", "a.example.org", "EXAMPLE.org", "localhost", "10.0.0.1", "[2001:db8::1]", "single", "a.b.c.test",
      "example.org.", "xn--bcher-kva.example", "_odd!host", "1e3", "0x7f",
    ]
    let attributes = [
      "Path=/", "Path=", "Path=relative", "Domain=example.org", "Domain=.a.example.org", "Domain=", "Secure",
      "HttpOnly",
      "Max-Age=1", "Max-Age=99999999999999999999", "Expires=Fri, 31 Dec 9999 23:59:59 GMT", "Expires=1 Jan 1601 0:0:0",
      "SameSite=None", "nonsense",
    ]
    func text(_ list: [String], _ range: Range<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in list.randomElement(using: &random) ?? "" }.joined()
    }
    var stored = 0
    for _ in 0..<50 {
      var jar = CookieJar()
      for number in 0..<100 {
        let request = HTTPRequest(
          method: .get, scheme: Bool.random(using: &random) ? "https" : "http",
          authority: hosts.randomElement(using: &random), path: "/" + text(pieces, 0..<4))
        let name = text(["a", "__Host-", "__Secure-", "é", "n\(number)", " "], 1..<4)
        let value = text(["v", "\"", "日", "%", " ", String(repeating: "w", count: 2000)], 0..<4)
        let rest = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          "; " + (attributes.randomElement(using: &random) ?? "")
        }
        let now = Date(timeIntervalSinceReferenceDate: .random(in: -1e9..<1e10, using: &random))
        if case .stored = jar.store(name + "=" + value + rest.joined(), from: request, now: now) { stored += 1 }
      }
      let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
      #expect(copy.count == jar.count)
      #expect(copy == jar)
    }
    #expect(stored > 1000)
  }

  @Test(
    "Bug-A02: a cookie without a path of its own survives a store, whatever the address was",
    arguments: ["/app;jsessionid=0123/page", "/" + String(repeating: "long/", count: 500) + "page"])
  func defaultPath(path: String) throws {
    let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: path)
    var jar = CookieJar()
    #expect(jar.store("x=y", from: request, now: cookieEpoch) == .stored)
    let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
    #expect(copy.header(for: request, now: cookieEpoch) == "x=y")
  }
}

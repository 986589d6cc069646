import Foundation
import HTTPTypes
import Testing

@testable import OstiaryCore

@Suite("Cookie jar")
struct CookieJarTests {
  @Test("An empty jar sends nothing")
  func empty() throws {
    let jar = CookieJar()
    #expect(jar.isEmpty)
    #expect(jar.count == 0)
    #expect(try jar.header("https://example.org/") == nil)
  }

  @Test(
    "A value comes back byte for byte",
    arguments: [
      "%09%7Bpd%7DAAAAAxyz+/w%3D%3DA%7Bapp%7D", "\"quoted value\"", "a=b==", "日本", "e\u{301}", "{\"json\":1}", "a,b",
      "",
    ])
  func exactBytes(value: String) throws {
    let jar = try CookieJar.with("Pega-RULES=\(value); Path=/prweb; HttpOnly", from: "http://pega.example/prweb/")
    let header = try #require(try jar.header("http://pega.example/prweb/PRServlet?pyActivity=x"))
    #expect(Array(header.utf8) == Array("Pega-RULES=\(value)".utf8))
  }

  @Test("Longest path first, then the older cookie, across domains")
  func order() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://a.example.org/one/two/three")
    for (index, field) in [
      "k=root; Path=/", "k=dir", "k=domain; Domain=example.org; Path=/", "k=deep; Path=/one/two/three",
      "k=deepdomain; Domain=example.org; Path=/one/two/three",
    ].enumerated() {
      #expect(jar.store(field, from: request, now: cookieEpoch + Double(index)) == .stored)
    }
    let header = jar.header(for: request, now: cookieEpoch + 10)
    #expect(header == "k=deep; k=deepdomain; k=dir; k=root; k=domain")
    #expect(jar.cookies.map { $0.value.reveal() } == ["root", "dir", "domain", "deep", "deepdomain"])
    #expect(jar.cookie(named: "k", for: request, now: cookieEpoch)?.value.reveal() == "deep")
    #expect(jar.cookies(for: request, now: cookieEpoch + 10).count == 5)
  }

  @Test("Replacing a value keeps the cookie's place in the order")
  func replacingKeepsOrder() throws {
    var jar = try CookieJar.with("a=1", "b=1", from: "https://example.org/")
    let outcome = jar.store("a=2", from: try cookieRequest("https://example.org/"), now: cookieEpoch + 60)
    #expect(outcome == .replaced(.values))
    #expect(try jar.header("https://example.org/") == "a=2; b=1")
    #expect(jar.cookies.first?.createdAt == cookieEpoch)
  }

  @Test(
    "Path match (RFC 6265bis §5.1.4)",
    arguments: [
      ("/", "/anything", true), ("/a", "/a", true), ("/a", "/a/", true), ("/a", "/a/b", true), ("/a", "/ab", false),
      ("/a/", "/a", false), ("/a/", "/a/b", true), ("/a", "/A", false), ("/a", "/a?b/c", true), ("/a", "/", false),
      ("/a%62", "/ab", false), ("/a", "", false),
    ])
  func pathMatch(cookiePath: String, requestPath: String, matches: Bool) throws {
    let jar = try CookieJar.with("c=1; Path=\(cookiePath)", from: "https://example.org/")
    let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: requestPath)
    #expect((jar.header(for: request, now: cookieEpoch) != nil) == matches)
  }

  @Test(
    "Default path (RFC 6265bis §5.1.4)",
    arguments: [
      ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b?c=/d/", "/a"), ("/a//", "/a/"), ("", "/"),
      ("*", "/"),
    ])
  func defaultPath(requestPath: String, path: String) {
    var jar = CookieJar()
    let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: requestPath)
    for field in ["c=1", "c=1; Path=", "c=1; Path=relative"] { jar.store(field, from: request, now: cookieEpoch) }
    #expect(jar.cookies.map(\.path) == [path])
  }

  @Test(
    "Expiry: Max-Age wins, 400 days at most, nonsense is ignored",
    arguments: [
      ("Max-Age=60", 60), ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60),
      ("Expires=Mon, 01 Jan 2024 00:01:00 GMT", 60), ("Expires=01 jan 24 0:1:0", 60),
      ("Max-Age=99999999999999999999999999", 34_560_000), ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 34_560_000),
      ("Max-Age=34560001", 34_560_000), ("Max-Age=5; Max-Age=7", 7), ("Max-Age=5; Max-Age=x", 5),
      ("Max-Age=1e3", nil), ("Max-Age=", nil), ("Max-Age=-", nil), ("Max-Age=+5", nil), ("Expires=tomorrow", nil),
      ("Expires=Thu, 30 Feb 2025 00:00:00 GMT", nil),
    ] as [(String, Double?)])
  func expiry(attributes: String, seconds: Double?) throws {
    let jar = try CookieJar.with("c=1; \(attributes)", from: "https://example.org/")
    let cookie = try #require(jar.cookies.first)
    #expect(cookie.expiresAt == seconds.map { cookieEpoch + $0 })
    #expect(cookie.isPersistent == (seconds != nil))
    if let seconds {
      #expect(try jar.header("https://example.org/", now: cookieEpoch + seconds - 1) == "c=1")
      #expect(try jar.header("https://example.org/", now: cookieEpoch + seconds) == nil)
    }
  }

  @Test(
    "A server deletes a cookie with a date that has passed",
    arguments: ["Max-Age=0", "Max-Age=-1", "Max-Age=-99999999999999999999", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
  func deletion(attributes: String) throws {
    var jar = try CookieJar.with("c=1", "d=1", from: "https://example.org/")
    let request = try cookieRequest("https://example.org/")
    #expect(jar.store("c=; \(attributes)", from: request, now: cookieEpoch) == .removed)
    #expect(jar.store("c=; \(attributes)", from: request, now: cookieEpoch) == .ignored(.expired))
    #expect(jar.count == 1)
    #expect(try jar.header("https://example.org/") == "d=1")
  }

  @Test(
    "What is ignored, and why",
    arguments: [
      ("", "https://example.org/", .empty), ("=", "https://example.org/", .empty),
      (";", "https://example.org/", .empty),
      (" = ; Path=/", "https://example.org/", .empty), ("a=\u{0}b", "https://example.org/", .controlCharacter),
      ("a=b\r\nSet-Cookie: c=d", "https://example.org/", .controlCharacter),
      ("a=b; Path=/\u{7F}", "https://example.org/", .controlCharacter),
      ("a=" + String(repeating: "x", count: 4096), "https://example.org/", .tooLarge),
      ("a=b; Domain=example.com", "https://example.org/", .domainMismatch),
      ("a=b; Domain=sub.example.org", "https://example.org/", .domainMismatch),
      ("a=b; Domain=ample.org", "https://example.org/", .domainMismatch),
      ("a=b; Domain=org", "https://example.org/", .publicSuffix),
      ("a=b; Domain=bücher.example", "https://x.xn--bcher-kva.example/", .domainNotASCII),
      ("a=b; Domain=0.0.1", "http://127.0.0.1/", .domainMismatch),
      ("a=b; Secure", "http://example.org/", .secureFromInsecure),
      ("__Secure-a=b", "https://example.org/", .brokenPrefix),
      ("__secure-a=b", "https://example.org/", .brokenPrefix),
      ("__Host-a=b; Secure", "https://example.org/", .brokenPrefix),
      ("__Host-a=b; Secure; Path=/x", "https://example.org/", .brokenPrefix),
      ("__HOST-a=b; Secure; Path=/; Domain=example.org", "https://example.org/", .brokenPrefix),
      ("=__Host-a=b; Secure; Path=/", "https://example.org/", .brokenPrefix),
      ("__SECURE-a; Secure; Path=/", "https://example.org/", .brokenPrefix),
      ("a=b; Max-Age=0", "https://example.org/", .expired),
    ] as [(String, String, SetCookieOutcome.Reason)])
  func ignored(field: String, address: String, reason: SetCookieOutcome.Reason) throws {
    var jar = CookieJar()
    #expect(jar.store(field, from: try cookieRequest(address), now: cookieEpoch) == .ignored(reason))
    #expect(jar.isEmpty)
    #expect(!reason.description.isEmpty)
  }

  @Test(
    "The name-value pair, taken apart at the first '=' and trimmed; without one there is no name",
    arguments: [
      ("a=b", "a=b"), (" a\t= b \t", "a=b"), ("a==b=", "a==b="), ("a=", "a="), ("a", "a"), ("=a", "a"), ("==a", "=a"),
      ("a b=c d", "a b=c d"), ("a=\"b;c\"", "a=\"b"), ("a=b, c=d; x=y", "a=b, c=d"), ("a=b;;;Secure ;=;", "a=b"),
      ("a=b; unknown=1; Path=/; HTTPONLY", "a=b"),
    ])
  func pair(field: String, sent: String) throws {
    let jar = try CookieJar.with(field, from: "https://example.org/")
    #expect(try jar.header("https://example.org/") == sent)
  }

  @Test(
    "Cookie dates (RFC 6265bis §5.1.1)",
    arguments: [
      ("Mon, 01 Jan 2024 00:00:01 GMT", 1), ("Monday, 01-Jan-24 00:00:01 GMT", 1), ("Mon Jan  1 00:00:01 2024", 1),
      ("1 january 2024 0:0:1", 1), ("0:0:1x 01th Janfoo 2024y", 1), ("2024 1 Jan 00:00:01", 1),
      ("Jan/1/2024/00:00:01 +0500", 1), ("31 Dec 69 0:0:0", 1_451_606_400), ("1 Jan 70 0:0:0", -1_704_067_200),
      ("1 00:00:01 00:00:02 Jan 2024", -757_382_399), ("1 Jan 2024 00:00:01 00:00:02", 1),
      ("1 Jan 1601 0:0:0", -13_348_540_800),
      ("1 Jan 1600 0:0:0", nil),
      ("1 Jan 2024", nil), ("00:00:01 Jan 2024", nil), ("1 Jan 00:00:01", nil), ("00:00:01 1 2024", nil),
      ("1 Jan 2024 24:00:00", nil), ("1 Jan 2024 00:60:00", nil), ("1 Jan 2024 00:00:60", nil),
      ("0 Jan 2024 0:0:0", nil),
      ("29 Feb 2023 0:0:0", nil), ("1 Jan 2024 000:00:01", nil), ("1 Jan 20245 00:00:01", nil), ("", nil),
    ] as [(String, Double?)])
  func dates(text: String, seconds: Double?) {
    #expect(CookieDate.parse(Array(text.utf8)) == seconds.map { cookieEpoch + $0 })
  }

  @Test("Prefixed names are kept when their promise is")
  func prefixes() throws {
    let jar = try CookieJar.with(
      "__Secure-a=1; Secure; Domain=example.org", "__Host-b=1; Secure; Path=/", "__host-c=1; Secure; Path=/",
      from: "https://www.example.org/")
    #expect(try jar.header("https://www.example.org/") == "__Secure-a=1; __Host-b=1; __host-c=1")
  }

  @Test("Size limits: 4096 bytes for name and value, longer attributes are ignored one by one")
  func sizes() throws {
    let largest = "a=" + String(repeating: "x", count: 4095)
    let long = String(repeating: "p", count: 1024)
    let jar = try CookieJar.with("\(largest); Path=/\(long); Max-Age=60", from: "https://example.org/")
    #expect(try jar.header("https://example.org/") == largest)
    #expect(jar.cookies.first?.path == "/")
    #expect(jar.cookies.first?.isPersistent == true)
  }

  @Test("The jar tells what there is to save")
  func changes() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    func receive(_ fields: String..., after: Double = 0) -> JarChange {
      var response = HTTPResponse(status: .ok)
      for field in fields { response.headerFields.append(HTTPField(name: .setCookie, value: field)) }
      return jar.storeAll(from: response, to: request, now: cookieEpoch + after)
    }
    #expect(receive() == .none)
    #expect(receive("a=1; Max-Age=60", "b=1") == .values)
    #expect(receive("a=1; Max-Age=60", "b=1") == .none)
    #expect(receive("a=1; Max-Age=60", after: 1) == .attributes)
    #expect(receive("b=1; HttpOnly") == .attributes)
    #expect(receive("b=1; SameSite=Lax; HttpOnly") == .attributes)
    #expect(receive("b=e\u{301}; SameSite=Lax; HttpOnly") == .values)
    #expect(receive("b=\u{E9}; SameSite=Lax; HttpOnly") == .values, "Looks the same, but other bytes.")
    #expect(receive("b=x; Max-Age=0") == .values)
    #expect(receive("b=x; Max-Age=0", "nonsense=1; Domain=example.com") == .none)
    #expect(JarChange.none < .attributes && JarChange.attributes < .values)
  }

  @Test("A field that is not UTF-8 is left out, as it could not be sent back as it came")
  func notUTF8() throws {
    var response = HTTPResponse(status: .ok)
    response.headerFields.append(HTTPField(name: .setCookie, value: Array("a=caf".utf8) + [0xE9]))
    response.headerFields.append(HTTPField(name: .setCookie, value: "b=1"))
    // What a transport made of such bytes when it read them.
    response.headerFields.append(HTTPField(name: .setCookie, value: "c=caf\u{FFFD}"))
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    #expect(jar.store("c=caf\u{FFFD}", from: request, now: cookieEpoch) == .ignored(.notUTF8))
    #expect(jar.storeAll(from: response, to: request, now: cookieEpoch) == .values)
    #expect(jar.header(for: request, now: cookieEpoch) == "b=1")
  }

  @Test("At most 180 cookies a domain; those without Secure go first, the least recently set before others")
  func domainLimit() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    for index in 0..<180 {
      jar.store("c\(index)=1\(index < 10 ? "; Secure" : "")", from: request, now: cookieEpoch + Double(index))
    }
    jar.store("c10=2", from: request, now: cookieEpoch + 200)
    #expect(jar.store("new=1", from: request, now: cookieEpoch + 201) == .stored)
    let names = Set(jar.cookies.map(\.name))
    #expect(jar.count == 180)
    #expect(names.isSuperset(of: (0..<11).map { "c\($0)" }), "Secure ones, and the one set again, stay.")
    #expect(!names.contains("c11"))
    jar.removeAll()
    for index in 0..<180 { jar.store("s\(index)=1; Secure", from: request, now: cookieEpoch) }
    #expect(jar.store("plain=1", from: request, now: cookieEpoch) == .ignored(.noRoom))
    #expect(jar.store("other=1", from: try cookieRequest("https://example.com/"), now: cookieEpoch) == .stored)
    #expect(jar.count == 181)
  }

  @Test("At most 3000 cookies in all; the least recently set goes")
  func totalLimit() throws {
    var jar = CookieJar()
    for index in 0..<3000 {
      jar.store(
        "c=\(index)", from: try cookieRequest("https://h\(index / 40).example/\(index % 40)/x"), now: cookieEpoch)
    }
    #expect(jar.count == 3000)
    #expect(jar.store("new=1", from: try cookieRequest("https://new.example/"), now: cookieEpoch) == .stored)
    #expect(jar.count == 3000)
    #expect(try jar.header("https://h0.example/0/x") == nil)
    #expect(try jar.header("https://h0.example/1/x") == "c=1")
    #expect(try jar.header("https://new.example/") == "new=1")
  }

  @Test("Expired cookies make room")
  func expiredMakeRoom() throws {
    var jar = CookieJar()
    let request = try cookieRequest("https://example.org/")
    for index in 0..<180 { jar.store("c\(index)=1; Max-Age=\(60 + index)", from: request, now: cookieEpoch) }
    jar.store("new=1", from: request, now: cookieEpoch + 61)
    #expect(jar.count == 179)
    #expect(jar.removeExpired(now: cookieEpoch + 61) == 0)
    #expect(jar.removeExpired(now: cookieEpoch + 1000) == 178)
    #expect(jar.cookies.map(\.name) == ["new"])
  }

  @Test("Deleting by name goes over every path and both domains of a host, and leaves the rest (Pega's two spellings)")
  func removeByName() throws {
    var jar = try CookieJar.with(
      "Pega-RULES=1; Path=/prweb", "Pega-RULES=2; Path=/", "Pega-RULES=3; Path=/; Domain=example.org", "PegaRULES=4",
      "JSESSIONID=5; Path=/prweb/", "keep=6", from: "https://a.example.org/prweb/PRServlet")
    jar.store("Pega-RULES=7", from: try cookieRequest("https://b.example.org/"), now: cookieEpoch)
    #expect(jar.removeAll(named: ["Pega-RULES", "PegaRULES"], host: "A.example.org") == 4)
    #expect(Set(jar.cookies.map { $0.value.reveal() }) == ["5", "6", "7"])
    #expect(jar.removeAll(named: ["Pega-RULES"], host: "a.example.org") == 0)
    #expect(jar.removeAll(host: "a.example.org") == 2)
    #expect(jar.cookies.map(\.domain) == ["b.example.org"])
    #expect(jar.removeAll { _ in true } == 1)
    #expect(jar.isEmpty && jar.count == 0)
  }

  @Test("Ready-made cookies and whole jars can be put in")
  func insertAndMerge() throws {
    var jar = CookieJar()
    let cookie = try Cookie(
      name: "a", value: "1", domain: ".Example.ORG", isHostOnly: false, path: "/x", isSecure: true,
      createdAt: cookieEpoch)
    #expect(cookie.domain == "example.org")
    #expect(jar.insert(cookie, now: cookieEpoch) == .values)
    #expect(jar.insert(cookie, now: cookieEpoch) == .none)
    #expect(try jar.header("https://www.example.org/x") == "a=1")
    let gone = try Cookie(
      name: "a", value: "1", domain: "example.org", isHostOnly: false, path: "/x", expiresAt: cookieEpoch,
      createdAt: cookieEpoch)
    var other = try CookieJar.with("a=2; Domain=example.org; Path=/x", "b=2", from: "https://example.org/")
    #expect(jar.merge(other, now: cookieEpoch) == .values)
    #expect(jar.count == 2)
    #expect(jar.merge(other, now: cookieEpoch) == .none)
    #expect(jar.insert(gone, now: cookieEpoch) == .values)
    #expect(jar.count == 1)
    #expect(other.insert(gone, now: cookieEpoch) == .values)
    #expect(other == jar)
  }

  @Test("The loud option for development sends Secure cookies to this machine, and only there")
  func loopbackOption() throws {
    var jar = CookieJar()
    let local = try cookieRequest("http://localhost:8080/")
    #expect(jar.store("a=1; Secure", from: local, now: cookieEpoch) == .ignored(.secureFromInsecure))
    jar.insecurelySendsSecureCookiesToLoopback = true
    #expect(jar.store("a=1; Secure", from: local, now: cookieEpoch) == .stored)
    #expect(jar.store("b=1; Secure", from: try cookieRequest("http://127.0.0.1/"), now: cookieEpoch) == .stored)
    #expect(jar.store("c=1; Secure", from: try cookieRequest("http://[::1]:1/"), now: cookieEpoch) == .stored)
    #expect(
      jar.store("d=1; Secure", from: try cookieRequest("http://example.org/"), now: cookieEpoch)
        == .ignored(.secureFromInsecure))
    #expect(jar.header(for: local, now: cookieEpoch) == "a=1")
    #expect(try jar.header("http://[::1]:1/") == "c=1")
    jar.insecurelySendsSecureCookiesToLoopback = false
    #expect(jar.header(for: local, now: cookieEpoch) == nil)
  }

  @Test(
    "SameSite is kept",
    arguments: [("Strict", .strict), ("LAX", .lax), ("none", .none), ("odd", .default)] as [(String, Cookie.SameSite)])
  func sameSite(text: String, value: Cookie.SameSite) throws {
    let jar = try CookieJar.with("a=1; SameSite=\(text); HttpOnly", from: "https://example.org/")
    #expect(jar.cookies.first?.sameSite == value)
    #expect(jar.cookies.first?.isHTTPOnly == true)
  }
}

extension CookieJar {
  fileprivate mutating func removeAll() {
    removeAll { _ in true }
  }
}

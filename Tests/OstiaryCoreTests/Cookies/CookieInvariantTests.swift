import Foundation
import HTTPTypes
import Testing

@testable import OstiaryCore

@Suite("Cookies keep the invariants")
struct CookieInvariantTests {
  @Test("Invariant 11: a cookie without a domain goes to its host alone")
  func hostOnly() throws {
    let jar = try CookieJar.with("a=1", from: "https://example.org/")
    for address in [
      "https://sub.example.org/", "https://org/", "https://xexample.org/", "https://example.org.evil.test/",
    ] {
      #expect(try jar.header(address) == nil, "\(address)")
    }
    #expect(try jar.header("https://EXAMPLE.org:8443/") == "a=1", "Cookies do not know ports.")
  }

  @Test("Invariant 11: a domain cookie goes to its domain and below, to no sibling of the domain")
  func domain() throws {
    let jar = try CookieJar.with("a=1; Domain=.Example.Org", from: "https://www.example.org/")
    for address in ["https://example.org/", "https://www.example.org/", "https://a.b.example.org/"] {
      #expect(try jar.header(address) == "a=1", "\(address)")
    }
    for address in ["https://badexample.org/", "https://example.com/", "https://example.org.com/", "https://org/"] {
      #expect(try jar.header(address) == nil, "\(address)")
    }
  }

  @Test("Invariant 11: addresses share nothing, whatever Domain says")
  func addresses() throws {
    let jar = try CookieJar.with("a=1; Domain=10.0.0.1", "b=1", from: "http://10.0.0.1/")
    #expect(jar.cookies.allSatisfy { $0.isHostOnly })
    #expect(try jar.header("http://10.0.0.1/") == "a=1; b=1")
    #expect(try jar.header("http://1.10.0.0.1/") == nil)
    let six = try CookieJar.with("a=1", from: "http://[2001:db8::1]:8080/")
    #expect(try six.header("http://[2001:DB8::1]/") == "a=1")
    #expect(try six.header("http://[2001:db8::2]/") == nil)
  }

  @Test("Invariant 11: a Secure cookie never travels over http, nor to a loopback host")
  func secure() throws {
    for host in ["example.org", "localhost", "127.0.0.1"] {
      let jar = try CookieJar.with("a=1; Secure", "b=1", from: "https://\(host)/")
      #expect(try jar.header("https://\(host)/") == "a=1; b=1")
      #expect(try jar.header("http://\(host)/") == "b=1")
    }
  }

  @Test("Invariant 11: an insecure response leaves Secure cookies alone, above and below its domain")
  func leaveSecureAlone() throws {
    var jar = try CookieJar.with(
      "a=1; Secure; Path=/login", "b=1; Secure; Domain=example.org", from: "https://www.example.org/")
    let insecure = try cookieRequest("http://www.example.org/login/en")
    #expect(jar.store("a=evil; Path=/login", from: insecure, now: cookieEpoch) == .ignored(.wouldReplaceSecure))
    #expect(jar.store("a=evil; Path=/login/en", from: insecure, now: cookieEpoch) == .ignored(.wouldReplaceSecure))
    #expect(jar.store("a=; Path=/login; Max-Age=0", from: insecure, now: cookieEpoch) == .ignored(.wouldReplaceSecure))
    #expect(jar.store("b=evil", from: insecure, now: cookieEpoch) == .ignored(.wouldReplaceSecure))
    #expect(
      jar.store("a=evil; Domain=example.org; Path=/login", from: insecure, now: cookieEpoch)
        == .ignored(.wouldReplaceSecure))
    #expect(jar.store("a=fine; Path=/", from: insecure, now: cookieEpoch) == .stored, "Its path overlays nothing.")
    #expect(jar.store("c=fine", from: insecure, now: cookieEpoch) == .stored)
    #expect(jar.cookies.filter(\.isSecure).map { $0.value.reveal() } == ["1", "1"])
  }

  @Test("Invariant 11: requests that hide their host carry nothing")
  func hiddenHosts() throws {
    let jar = try CookieJar.with("a=1", from: "https://example.org/")
    for authority in [
      "example.org@evil.test", "evil.test@example.org", "example.org:", "example.org:1:2", "example.org:99999999",
      "example.org:65536", "example.org:0", "",
      "[example.org", "[example.org]", "example.org/", "example.org?", "exam ple.org", "example.org.",
    ] {
      let request = HTTPRequest(method: .get, scheme: "https", authority: authority, path: "/")
      #expect(jar.header(for: request, now: cookieEpoch) == nil, "\(authority)")
    }
    for scheme in ["ftp", "ws", "file", ""] {
      let request = HTTPRequest(method: .get, scheme: scheme, authority: "example.org", path: "/")
      #expect(jar.header(for: request, now: cookieEpoch) == nil)
    }
    #expect(jar.header(for: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil), now: cookieEpoch) == nil)
    var unchanged = jar
    let odd = HTTPRequest(method: .get, scheme: "https", authority: "a@b", path: "/")
    #expect(unchanged.store("x=1", from: odd, now: cookieEpoch) == .ignored(.unusableRequest))
  }

  @Test("Invariant 11: random jars send what a naive reading of the RFC sends, and nothing else", arguments: 0..<40)
  func property(seed: UInt64) throws {
    var random = SplitMixGenerator(state: seed)
    let hosts = [
      "example.org", "a.example.org", "b.a.example.org", "xexample.org", "example.com", "10.0.0.1", "1.10.0.0.1",
    ]
    let domains = ["", "", "example.org", ".example.org", "a.example.org", "example.com", "org", "0.0.1", "10.0.0.1"]
    let paths = ["", "/", "/a", "/a/", "/a/b", "/ab", "/a/b/c"]
    func pick(_ list: [String]) -> String { list.randomElement(using: &random) ?? "" }
    func address(_ random: inout SplitMixGenerator) throws -> HTTPRequest {
      HTTPRequest(
        method: .get, scheme: Bool.random(using: &random) ? "https" : "http",
        authority: hosts.randomElement(using: &random), path: (paths.randomElement(using: &random) ?? "") + "?q")
    }
    var jar = CookieJar()
    var clock = cookieEpoch
    for _ in 0..<120 {
      var field = "n\(Int.random(in: 0..<6, using: &random))=\(Int.random(in: 0..<1000, using: &random))"
      let domain = pick(domains)
      if !domain.isEmpty { field += "; Domain=\(domain)" }
      let path = pick(paths)
      if !path.isEmpty { field += "; Path=\(path)" }
      if Int.random(in: 0..<3, using: &random) == 0 { field += "; Secure" }
      if Int.random(in: 0..<3, using: &random) == 0 { field += "; Max-Age=\(Int.random(in: -5..<200, using: &random))" }
      clock += Double(Int.random(in: 0..<3, using: &random))
      jar.store(field, from: try address(&random), now: clock)
      #expect(jar.count == jar.cookies.count)
      let request = try address(&random)
      #expect(jar.header(for: request, now: clock) == NaiveJar.header(jar.cookies, request, clock))
    }
    let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
    #expect(copy == jar)
    let request = try address(&random)
    #expect(copy.header(for: request, now: clock) == jar.header(for: request, now: clock))
  }

  /// The rules of sending, written down once more in the plainest way.
  private enum NaiveJar {
    static func header(_ cookies: [Cookie], _ request: HTTPRequest, _ now: Date) -> String? {
      let host = request.authority ?? ""
      let path = String((request.path ?? "").prefix { $0 != "?" })
      let isAddress = host.allSatisfy { $0.isNumber || $0 == "." }
      let sent = cookies.filter { cookie in
        let sameHost = host == cookie.domain
        let below = !cookie.isHostOnly && !isAddress && host.hasSuffix("." + cookie.domain)
        let inPath =
          cookie.path == "/" || path == cookie.path
          || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
        let alive = cookie.expiresAt.map { $0 > now } ?? true
        return (sameHost || below) && inPath && alive && (!cookie.isSecure || request.scheme == "https")
      }
      // `cookies` are in the order of their creation, and sorting is stable.
      let sorted = sent.enumerated().sorted {
        ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset)
      }
      let pairs = sorted.map { "\($0.element.name)=\($0.element.value.reveal())" }
      return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }
  }

  @Test("Invariant 12: a cookie's value is in no description, dump or mirror")
  func secrecy() throws {
    let planted = "planted-4711"
    var jar = CookieJar()
    let outcome = jar.store("session=\(planted)", from: try cookieRequest("https://example.org/"), now: cookieEpoch)
    let cookie = try #require(jar.cookies.first)
    let proof = Proof(cookies: jar)
    var text = "\(jar) \(cookie) \(outcome) \(proof) \(jar.cookies) \(Optional(cookie) as Any)"
    text += String(reflecting: jar) + String(reflecting: cookie) + String(reflecting: outcome)
    for value in [jar, cookie, outcome, proof, [cookie], ["k": jar]] as [Any] {
      dump(value, to: &text)
      text += "\(Mirror(reflecting: value).children.map { "\($0)" })"
    }
    #expect(!text.contains(planted))
    #expect(text.contains("session"))
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try Cookie(name: "a", value: Secret(planted + ";"), domain: "example.org", createdAt: cookieEpoch)
    }
    do {
      _ = try Cookie(name: "a", value: Secret(planted + "\n"), domain: "example.org", createdAt: cookieEpoch)
    } catch {
      #expect(!"\(error)\(String(reflecting: error))".contains(planted))
    }
    do {
      let json = #"{"v":2,"c":[{"n":"a","v":"\#(planted);","d":"example.org","c":0}]}"#
      _ = try JSONDecoder().decode(CookieJar.self, from: Data(json.utf8))
      Issue.record("A jar of another version was accepted.")
    } catch {
      #expect(!"\(error)\(String(reflecting: error))".contains(planted))
    }
  }

  @Test(
    "Invariant 14: any bytes as Set-Cookie give an outcome, and what is stored can be stored at rest", arguments: 0..<20
  )
  func hostileFields(seed: UInt64) throws {
    var random = SplitMixGenerator(state: seed &+ 1000)
    let pieces = [
      "=", ";", " ", "\t", "a", "\u{0}", "\r\n", "Domain=", "Path=", "/", "Secure", "Max-Age=", "-",
      "999999999999999999999",
      "Expires=", "99 Jan 9999 99:99:99", "1:1:1 1 jan 1601", "__Host-", "example.org", ".", "日本", "\u{301}", "\"", "%",
      "SameSite=", "xn--", String(repeating: "x", count: 1025), String(repeating: "y", count: 4096),
    ]
    var jar = CookieJar()
    let request = try cookieRequest("https://www.example.org/a/b")
    for _ in 0..<400 {
      let field = (0..<Int.random(in: 0..<12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      jar.store(field, from: request, now: cookieEpoch)
    }
    #expect(jar.count <= CookieJar.maximumCountPerDomain * 2)
    let copy = try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar))
    #expect(copy == jar)
    if let header = jar.header(for: request, now: cookieEpoch) { #expect(HTTPField.isValidValue(header)) }
  }

  @Test(
    "Invariant 14: what is no jar is a typed error",
    arguments: [#"{}"#, #"[]"#, #"{"v":2,"c":[]}"#, #"{"v":1}"#, #"{"v":1,"c":{}}"#, #"{"v":"1","c":[]}"#])
  func hostileJar(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(CookieJar.self, from: Data(json.utf8)) }
  }

  @Test(
    "Bug-A02: a stored cookie that no server could have set is left out, and the session's stays",
    arguments: [
      "{}", "null", "7", "[]", #"{"n":"a","v":"b","d":"","c":0}"#, #"{"n":"a","v":"b","d":"org","sub":true,"c":0}"#,
      #"{"n":"a","v":"b","d":"1.2.3.4","sub":true,"c":0}"#, #"{"n":"a","v":"b","d":"Example.org","c":0}"#,
      #"{"n":"a","v":"b","d":"example.org","p":"x","c":0}"#, #"{"n":"a=","v":"b","d":"example.org","c":0}"#,
      #"{"n":"a","v":" b","d":"example.org","c":0}"#, #"{"n":"a","v":"b;","d":"example.org","c":0}"#,
      #"{"n":"a","v":"b\r\nx: y","d":"example.org","c":0}"#, #"{"n":"","v":"","d":"example.org","c":0}"#,
      #"{"n":"a","v":"b","d":"example.org","c":1e300}"#, #"{"n":"a","v":"b","d":"example.org","e":-1e12,"c":0}"#,
      #"{"n":"__Host-a","v":"b","d":"example.org","c":0}"#, #"{"n":"sid","v":"other","d":"example.org","c":0}"#,
    ])
  func badCookieAtRest(json: String) throws {
    let sid = #"{"n":"sid","v":"1","d":"example.org","c":0}"#
    let last = #"{"n":"z","v":"2","d":"example.org","c":0}"#
    let text = #"{"v":1,"c":["# + [sid, json, json, last].joined(separator: ",") + "]}"
    let jar = try JSONDecoder().decode(CookieJar.self, from: Data(text.utf8))
    #expect(try jar.header("https://example.org/") == "sid=1; z=2")
    #expect(jar.count == 2)
  }

  @Test("A jar comes back from a store as it was, whatever the clock said", arguments: 0..<50)
  func dates(seed: UInt64) throws {
    var random = SplitMixGenerator(state: seed)
    let request = try cookieRequest("https://example.org/")
    var jar = CookieJar()
    let now = Date(timeIntervalSinceReferenceDate: .random(in: 700_000_000..<1_300_000_000, using: &random))
    for field in ["a=1", "b=1; Max-Age=60", "c=1; Max-Age=99999999", "d=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT"] {
      jar.store(field, from: request, now: now)
    }
    #expect(try JSONDecoder().decode(CookieJar.self, from: JSONEncoder().encode(jar)) == jar)
    #expect(jar.cookies.map { $0.name } == (jar.cookies.count == 4 ? ["a", "b", "c", "d"] : ["a", "b", "c"]))
  }

  @Test("Invariant 14: of a jar at rest with too many or too large cookies, what a jar can hold is read")
  func oversizedJar() throws {
    func jar(_ count: Int, host: (Int) -> String, value: String = "b") throws -> CookieJar {
      let cookies = (0..<count).map { #"{"n":"a\#($0)","v":"\#(value)","d":"\#(host($0))","c":0}"# }
      return try JSONDecoder().decode(
        CookieJar.self, from: Data(#"{"v":1,"c":[\#(cookies.joined(separator: ","))]}"#.utf8))
    }
    #expect(try jar(181) { _ in "e.org" }.count == 181, "A store knows no proof, so nothing is evicted by reading.")
    #expect(try jar(3001) { "h\($0).org" }.count == 3000)
    #expect(try jar(1, host: { _ in "e.org" }, value: String(repeating: "x", count: 4096)).isEmpty)
  }

  @Test("A jar at rest has this form, and reads it for ever")
  func atRest() throws {
    var jar = try CookieJar.with(
      "a=1; Max-Age=60; Path=/x; Secure; HttpOnly; SameSite=Lax; Domain=example.org", "b=%3D",
      from: "https://www.example.org/")
    jar.insecurelySendsSecureCookiesToLoopback = true
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let form = String(decoding: try encoder.encode(jar), as: UTF8.self)
    let known =
      #"{"c":[{"c":1704067200,"d":"example.org","e":1704067260,"h":true,"n":"a","p":"/x","s":true,"ss":"lax","sub":true,"v":"1"},"#
      + #"{"c":1704067200,"d":"www.example.org","n":"b","v":"%3D"}],"loopback":true,"v":1}"#
    #expect(form == known)
    #expect(try JSONDecoder().decode(CookieJar.self, from: Data(known.utf8)) == jar)
  }
}

import Foundation
import HTTPTypes
import Testing

@testable import OstiaryCore

@Suite("Public suffixes")
struct PublicSuffixesTests {
  private let list = PublicSuffixes(
    list: Data(
      """
      // a comment
      com
      uk
      co.uk
      *.ck
      !www.ck
      jp
      *.kobe.jp
      !city.kobe.jp
      公司.cn
      github.io // hosted pages
      """.utf8))

  @Test(
    "Plain, wildcard and exception rules, in both forms of a name",
    arguments: [
      ("com", true), ("COM", true), ("example.com", false), ("co.uk", true), ("example.co.uk", false), ("ck", true),
      ("any.ck", true), ("www.ck", false), ("a.any.ck", false), ("kobe.jp", true), ("x.kobe.jp", true),
      ("city.kobe.jp", false), ("公司.cn", true), ("xn--55qx5d.cn", true), ("a.公司.cn", false), ("unlisted", true),
      ("a.unlisted", false), ("github.io", true), ("me.github.io", false), ("", false),
      ("com.", true), ("co.uk.", true), ("example.com.", false), ("any.ck.", true), (".", true), ("公司.cn.", true),
    ])
  func suffixes(name: String, isSuffix: Bool) {
    #expect(list.isPublicSuffix(name) == isSuffix)
  }

  @Test("Without a list, single labels are public suffixes and nothing else is")
  func withoutList() {
    let none = PublicSuffixes(list: Data())
    #expect(none.isPublicSuffix("com"))
    #expect(!none.isPublicSuffix("co.uk"))
    #expect(none.registrableDomain(of: "a.b.example") == "b.example")
  }

  @Test("A cookie for a public suffix is refused; the suffix's own host gets a host-only one")
  func inJar() throws {
    var jar = CookieJar()
    let shop = try cookieRequest("https://shop.co.uk/")
    #expect(jar.store("a=1; Domain=co.uk", from: shop, now: cookieEpoch, suffixes: list) == .ignored(.publicSuffix))
    #expect(jar.store("a=1; Domain=shop.co.uk", from: shop, now: cookieEpoch, suffixes: list) == .stored)
    #expect(
      jar.store("b=1; Domain=co.uk", from: try cookieRequest("https://co.uk/"), now: cookieEpoch, suffixes: list)
        == .stored)
    #expect(
      jar.store("c=1; Domain=localhost", from: try cookieRequest("http://localhost/"), now: cookieEpoch, suffixes: list)
        == .stored)
    #expect(jar.cookies.map(\.isHostOnly) == [false, true, true])
  }

  @Test("Invariant 11: the dot at the end of a full name makes no cookie for a public suffix possible")
  func trailingDot() throws {
    var jar = CookieJar()
    let evil = try cookieRequest("https://evil.co.uk./")
    for domain in ["uk.", "co.uk.", ".co.uk.", ".."] {
      #expect(
        jar.store("a=1; Domain=\(domain)", from: evil, now: cookieEpoch, suffixes: list).change == .none, "\(domain)")
    }
    #expect(jar.store("a=1; Domain=evil.co.uk.", from: evil, now: cookieEpoch, suffixes: list) == .stored)
  }

  @Test("Lines that are no rules and endless ones do no harm")
  func hostileList() {
    let long = String(repeating: "a", count: 100_000)
    let list = PublicSuffixes(
      list: Data("!\n*.\n\u{FEFF}\n\(long)\n..\n日本\(long)\nco.uk\r\n".utf8) + Data([0xFF, 0x0A]))
    #expect(list.isPublicSuffix("co.uk"))
    #expect(!list.isPublicSuffix(long + ".example"))
  }

  @Test(
    "Labels have their ASCII form (RFC 3492)",
    arguments: [
      ("bücher", "xn--bcher-kva"), ("中国", "xn--fiqs8s"), ("食狮", "xn--85x722f"), ("公司", "xn--55qx5d"),
      ("plain", "plain"),
      ("ελ", "xn--qxam"), ("한국", "xn--3e0b707e"), ("москва", "xn--80adxhks"),
      ("\u{10FFFF}\u{80}", "xn--a97093t"),
    ])
  func punycode(label: String, ascii: String) {
    #expect(Punycode.encode(label) == ascii)
  }

  @Test("Labels too long for DNS have no ASCII form")
  func punycodeLimits() {
    #expect(Punycode.encode(String(repeating: "ü", count: 64)) == nil)
    #expect(Punycode.encode(String(repeating: "\u{10FFFF}", count: 63)) == nil)
  }

  @Test("The list's own checks hold for the system's list")
  func vectors() throws {
    guard PublicSuffixes.system.count > 0 else {
      print("skipped: this system has no public suffix list")
      return
    }
    guard let data = SharedVectors.read("psl/test_psl.txt") else { return }
    var checks = 0
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where line.hasPrefix("checkPublicSuffix(")
    {
      let arguments = line.dropFirst("checkPublicSuffix(".count).prefix { $0 != ")" }.split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces).trimmingCharacters(in: ["'"]) }
      guard arguments.count == 2, arguments[0] != "null" else { continue }
      let expected = arguments[1] == "null" ? nil : arguments[1]
      #expect(PublicSuffixes.system.registrableDomain(of: arguments[0]) == expected, "\(line)")
      checks += 1
    }
    print("public suffix checks: \(checks)")
    #expect(checks > 70)
  }
}

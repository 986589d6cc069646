import Crypto
import Foundation
import Testing

@testable import OstiaryServer

@Suite("Pages")
struct PageTests {
  private let pages = PegaPages(configuration: .init())

  private var all: [Page] {
    let notices: [PegaPages.Notice] = [.none, .notRecognized, .expired, .locked]
    return notices.map { pages.login(action: "/x", notice: $0) } + [
      pages.unauthorized, pages.tooManyAttempts(restart: "/x"), pages.throttled, pages.overloaded,
      pages.portal(operatorName: "J", operatorID: "j", accessGroup: "g", logOff: "/x"),
      pages.snapStart(action: "a", json: "{}"), pages.loggedOff(next: "/x"), pages.sessionEnded(signIn: "/x"),
      pages.unknownActivity, .error(title: "E", message: "m", requestID: "1"),
    ]
  }

  @Test("The policy allows exactly the style that a page carries")
  func styleHash() throws {
    for page in all {
      let styles = page.html.source.matches(of: /<style>([\s\S]*?)<\/style>/)
      #expect(styles.count == 1)
      let style = try #require(styles.first?.1)
      let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
      #expect(Page.contentSecurityPolicy.contains("style-src 'sha256-\(hash)'"))
    }
  }

  @Test("Pages load nothing from elsewhere, run nothing, and have a language, a title and one heading")
  func shape() {
    for page in all {
      let html = page.html.source
      #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
      #expect(html.contains(/<title>[^<]+<\/title>/))
      #expect(html.matches(of: /<h1>[^<]+<\/h1>/).count == 1)
      #expect(!html.contains(/\s(src|style|on\w+)=/))
      #expect(!html.contains(/<script(?! type="application\/json")/))
      #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("url("))
      #expect(!html.contains("\\"))
    }
  }

  @Test("PW-13: the login form's fields help password managers, and have labels")
  func loginForm() {
    let html = pages.login(action: "/go?a=1&b=\"2\"", notice: .none).html.source
    #expect(html.contains("<form id=\"credentialsForm\" method=\"post\" action=\"/go?a=1&amp;b=&quot;2&quot;\">"))
    #expect(html.contains(/<input id="txtUserID" name="UserIdentifier" type="text" autocomplete="username"/))
    #expect(html.contains(/<input id="txtPassword" name="Password" type="password" autocomplete="current-password"/))
    #expect(html.contains("<button id=\"sub\" type=\"submit\" name=\"pyActivity=Code-Security.Login\" value=\"\">"))
    for id in ["txtUserID", "txtPassword"] { #expect(html.contains("<label for=\"\(id)\">")) }
    for name in ["pzAuth", "lockScreenID", "lockScreenPassword", "newPassword", "confirmNewPassword"] {
      #expect(html.contains("<input type=\"hidden\" name=\"\(name)\""))
    }
    #expect(!html.contains("id=\"error\""))
  }

  @Test("CK-10: hostile names don't become markup")
  func hostileNames() {
    let evil = "\"><script>alert(1)</script>"
    let html = pages.portal(operatorName: evil, operatorID: evil, accessGroup: evil, logOff: evil).html.source
    #expect(!html.contains("<script"))
    #expect(!html.contains("\"><"))
  }

  @Test("Contrast of text is at least 4.5:1 in both schemes, and that of borders 3:1")
  func contrast() throws {
    let roots = HouseStyle.sheet.source.components(separatedBy: ":root {").dropFirst()
    #expect(roots.count == 2)
    for root in roots {
      var colours: [String: [Double]] = [:]
      for part in root.prefix(while: { $0 != "}" }).split(separator: ";") {
        let pair = part.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        if pair.count == 2, pair[1].hasPrefix("#") { colours[pair[0]] = Self.channels(pair[1]) }
      }
      for (ink, ground, least) in [
        ("--ink", "--card", 4.5), ("--ink", "--ground", 4.5), ("--quiet", "--card", 4.5), ("--accent", "--card", 4.5),
        ("--on-accent", "--accent", 4.5), ("--bad", "--card", 4.5), ("--bad", "--bad-ground", 4.5),
        ("--line", "--card", 3),
      ] {
        let (first, second) = (try #require(colours[ink]), try #require(colours[ground]))
        let (low, high) = (
          min(Self.luminance(first), Self.luminance(second)), max(Self.luminance(first), Self.luminance(second))
        )
        let ratio = (high + 0.05) / (low + 0.05)
        #expect(ratio >= least, "\(ink) on \(ground): \(ratio)")
      }
    }
  }

  private static func channels(_ colour: String) -> [Double] {
    var digits = colour.dropFirst().map { String($0) }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    return stride(from: 0, to: 6, by: 2).map { Double(Int(digits[$0] + digits[$0 + 1], radix: 16) ?? 0) / 255 }
  }

  /// The relative luminance (WCAG 2.2).
  private static func luminance(_ colour: [Double]) -> Double {
    let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}

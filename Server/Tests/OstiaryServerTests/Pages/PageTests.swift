import Crypto
import Foundation
import Testing

@testable import OstiaryServer

@Suite("Pages")
struct PageTests {
  private let pages = PegaPages(configuration: .init(), texts: .english)

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

  @Test("Right to left: no style names the left or the right")
  func sides() {
    #expect(!HouseStyle.sheet.source.contains(/-(left|right)\b|(left|right):/))
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
}

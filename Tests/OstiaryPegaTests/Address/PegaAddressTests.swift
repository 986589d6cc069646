import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("A Pega server's address")
struct PegaAddressTests {
  @Test(
    "Pega-P10: every spelling of an address names the same servlet",
    arguments: [
      ("http://h/prweb", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb//", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h:8080/prweb", "http://h:8080/prweb/PRServlet", "/prweb"),
      ("HTTP://H:80/prweb", "http://h/prweb/PRServlet", "/prweb"),
      ("https://h:443/prweb/", "https://h/prweb/PRServlet", "/prweb"),
      ("https://h", "https://h/prweb/PRServlet", "/prweb"),
      ("https://h/", "https://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/PRServlet", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/PRServlet/", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/PRServlet?pyActivity=x", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb?a=b#c", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/PRServlet/AbC_-123*/!STANDARD?pzPostData=-1", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb/PRServletCustom", "http://h/prweb/PRServletCustom", "/prweb"),
      ("http://h/prweb/PRAuth/SSO/", "http://h/prweb/PRAuth/SSO", "/prweb"),
      ("http://h/prweb/app/uplus/AbC*/!STANDARD", "http://h/prweb/app/uplus", "/prweb"),
      ("http://h/prweb/PRAuth/app/default", "http://h/prweb/PRAuth/app/default", "/prweb"),
      ("http://h/prweb/PRServlet;jsessionid=0123ABC", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/prweb;jsessionid=0123ABC?a=b", "http://h/prweb/PRServlet", "/prweb"),
      ("http://h/a/b", "http://h/a/b/PRServlet", "/a/b"),
      ("http://h/app", "http://h/app/PRServlet", "/app"),
      ("http://h/my%20web", "http://h/my%20web/PRServlet", "/my%20web"),
      ("http://[::1]:8080/prweb", "http://[::1]:8080/prweb/PRServlet", "/prweb"),
    ])
  func normalises(_ spelling: String, _ servlet: String, _ context: String) throws {
    let address = try PegaAddress(try #require(URL(string: spelling)))
    #expect(address.servlet.absoluteString == servlet)
    #expect(address.contextPath == context)
  }

  @Test(
    "Bug-D02: an address with the settings' own servlet names that servlet, also when it is read again",
    arguments: [
      ("http://h/acme", "Front", "http://h/acme/Front", "/acme"),
      ("http://h/acme/Front", "Front", "http://h/acme/Front", "/acme"),
      ("http://h/acme/Front/AbC*/!STANDARD", "Front", "http://h/acme/Front", "/acme"),
      ("http://h", "Front", "http://h/acme/Front", "/acme"),
      ("http://h/acme", "go/in", "http://h/acme/go/in", "/acme"),
      ("http://h/acme", "acme", "http://h/acme/acme", "/acme"),
      ("http://h/acme/acme", "acme", "http://h/acme/acme", "/acme"),
      ("http://h/acme/PRServletCustom", "Front", "http://h/acme/PRServletCustom", "/acme"),
      ("http://h/acme/PRAuth/Front", "Front", "http://h/acme/PRAuth/Front", "/acme"),
      ("http://h/Front", "Front", "http://h/Front", ""),
    ])
  func ownServlet(_ spelling: String, _ name: String, _ servlet: String, _ context: String) throws {
    var configuration = PegaConfiguration()
    configuration.contextPath = "/acme"
    configuration.servletName = name
    let address = try PegaAddress(try #require(URL(string: spelling)), configuration: configuration)
    #expect(address.servlet.absoluteString == servlet)
    #expect(address.contextPath == context)
    #expect(try PegaAddress(address.servlet, configuration: configuration) == address)
  }

  @Test(
    "Pega-P10: what is no address of a server is refused",
    arguments: [
      "ftp://h/prweb", "/prweb", "prweb", "http:///prweb", "http://user@h/prweb", "file:///prweb", "mailto:a@b",
    ])
  func refuses(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect { try PegaAddress(url) } throws: { ($0 as? OstiaryError)?.code == .invalidInput }
  }

  @Test("Pega-P10: a redirect from https to http carries no password along")
  func downgrade() async throws {
    let transport = ScriptedTransport(handler: { request in
      request.head.scheme == "https"
        ? .status(
          .found, headerFields: [.location: "http://pega.test/prweb/PRServlet?pyActivity=pzMobileAppConfiguration"])
        : .json(["accessGroup": "stolen"])
    })
    let authenticator = try PegaAuthenticator(server: try #require(URL(string: "https://pega.test/prweb")))
    let error = await failure {
      try await authenticator.signIn(
        with: .password(username: "jdoe", password: "secret"), in: AuthenticationContext(transport: transport))
    }
    #expect(error?.code == .redirectRefused)
    #expect(error?.code.rawValue != OstiaryError.Code.invalidCredentials.rawValue)
    #expect(transport.requests.allSatisfy { $0.head.scheme == "https" })
  }

  @Test("Pega-P10: a redirect to another host carries neither password nor cookie")
  func otherHost() async throws {
    let transport = ScriptedTransport(handler: { request in
      guard request.head.authority == "pega.test" else { return PegaStub.unauthorized }
      return .status(
        .found, headerFields: [.location: "https://evil.test/prweb/PRServlet", .setCookie: "Pega-RULES=x; Path=/prweb"])
    })
    let authenticator = try PegaAuthenticator(server: try #require(URL(string: "https://pega.test/prweb")))
    let error = await failure {
      try await authenticator.signIn(
        with: .password(username: "jdoe", password: "secret"), in: AuthenticationContext(transport: transport))
    }
    #expect(error != nil)
    for request in transport.requests where request.head.authority != "pega.test" {
      #expect(request.authorization == nil)
      #expect(request.cookies == nil)
    }
    #expect(transport.requests.first?.authorization != nil)
  }

  @Test("A form that leads to another server never gets the password")
  func formElsewhere() async throws {
    let stub = PegaStub()
    stub.intercept { _ in .html(PegaStub.loginForm(action: "http://evil.test/prweb/PRServlet")) }
    let error = await failure { try await stub.signIn(.form) }
    #expect(error?.code == .redirectRefused)
    #expect(stub.transport.requests.allSatisfy { $0.head.method == .get && $0.head.authority == "pega.test:8080" })
  }
}

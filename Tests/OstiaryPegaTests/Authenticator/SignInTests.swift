import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("Signing in to a Pega server")
struct SignInTests {
  @Test(
    "Pega-P1: a missing user name or password is refused before anything is sent",
    arguments: [("", "secret"), (" ", "secret"), ("\t\n", "secret"), ("jdoe", ""), ("", "")], PegaSignInMethod.allCases)
  func emptyInput(_ input: (String, String), _ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    let error = await failure { try await stub.signIn(method, input.0, Secret(input.1)) }
    #expect(error?.code == .invalidInput)
    #expect(error?.requestMayHaveExecuted == false)
    #expect(stub.transport.count == 0)
  }

  @Test(
    "Pega-P2: the response dictionary is passed on unmodified, whatever the method and activity",
    arguments: PegaSignInMethod.allCases, PegaLoginActivity.allCases)
  func dictionary(_ method: PegaSignInMethod, _ activity: PegaLoginActivity) async throws {
    let extras: [String: JSONValue] = [
      "unknown": .array([.integer(9_007_199_254_740_993), .number(1.5), .null, .bool(true)]),
      "nested": .object(["ü": .object(["日本": "値 \u{1F511}"])]),
      "accessGroups": .array(["Uplus:Users", "Uplus:Managers"]),
    ]
    let stub = PegaStub(extras)
    let grant = try await stub.authenticator(method, activity: activity).signIn(
      with: .password(username: "jdoe", password: "secret"), in: stub.context)
    var expected = extras
    expected["accessGroup"] = "Uplus:Users"
    expected["baseURL"] = "http://pega.test:8080/prweb/PRServlet/HASH*/!STANDARD"
    expected["operator"] = "jdoe"
    if activity == .mobileAppConfiguration {
      expected["minContainerVersion"] = "7.0"
      expected["maxContainerVersion"] = "8.99"
    }
    #expect(grant.attributes == expected)
    #expect(grant.user.id == "jdoe")
    #expect(grant.proof.cookies.count == 2)
    let login = PegaLogin(grant.attributes)
    #expect(login.accessGroup == "Uplus:Users")
    #expect(login.accessGroups == ["Uplus:Users", "Uplus:Managers"])
    #expect(login.baseURL?.absoluteString == "http://pega.test:8080/prweb/PRServlet/HASH*/!STANDARD")
    let name = activity == .mobileAppConfiguration ? "pzMobileAppConfiguration" : "pzAccessGroupDetails"
    #expect(stub.transport.requests.last?.path.contains("pyActivity=\(name)") == true)
  }

  @Test("Pega-P2: members that the vendor's page doesn't document may be missing")
  func sparseDictionary() async throws {
    let stub = PegaStub()
    stub.intercept { _ in .json(["accessGroup": "Uplus:Users", "baseURL": "https://pega.test/prweb"]) }
    let grant = try await stub.signIn()
    #expect(grant.user.id == "jdoe")
    let login = PegaLogin([:])
    #expect(login.accessGroup == nil)
    #expect(login.accessGroups == nil)
    #expect(login.baseURL == nil)
    #expect(login.operatorID == nil)
    #expect(login.operatorName == nil)
    #expect(login.applicationName == nil)
  }

  @Test("The Basic field is UTF-8 in Base64, and travels alone")
  func basic() async throws {
    let stub = PegaStub(users: ["日本": "pässword"])
    _ = try await stub.signIn(.basic, "日本", "pässword")
    let request = try #require(stub.transport.requests.first)
    #expect(request.authorization == "Basic 5pel5pysOnDDpHNzd29yZA==")
    #expect(request.head.headerFields[.accept] == "application/json")
    #expect(request.path == "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration")
    #expect(request.cookies == nil)
  }

  @Test("In the query the password is Base64, then percent-encoded")
  func query() async throws {
    let stub = PegaStub(users: ["a b&c": "~~~???>>>"])
    _ = try await stub.signIn(.query, "a b&c", "~~~???>>>")
    let request = try #require(stub.transport.requests.first)
    #expect(
      request.path
        == "/prweb/PRServlet?pyActivity=pzMobileAppConfiguration&UserIdentifier=a%20b%26c&Password=fn5%2BPz8%2FPj4%2B")
    #expect(request.authorization == nil)
  }

  @Test("The form is opened at the session's own address and sent as a browser sends it")
  func form() async throws {
    let stub = PegaStub()
    let grant = try await stub.signIn(.form)
    let requests = stub.transport.requests
    #expect(
      requests.map { "\($0.head.method.rawValue) \($0.path)" } == [
        "GET /prweb/PRServlet",
        "GET /prweb/PRServlet/GUEST*/!STANDARD?pzPostData=-1",
        "POST /prweb/PRServlet/GUEST*/!STANDARD",
        "GET /prweb/PRServlet/NEW*/!STANDARD",
        "GET /prweb/PRServlet?pyActivity=pzMobileAppConfiguration",
      ])
    #expect(
      String(decoding: try #require(requests[2].body), as: UTF8.self)
        == "pzAuth=guest&UserIdentifier=jdoe&Password=secret&pyActivity%3DCode-Security.Login=&lockScreenID="
        + "&lockScreenPassword=&newPassword=&confirmNewPassword=")
    #expect(requests[2].head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    #expect(
      grant.proof.tokens[PegaAuthenticator.sessionURLToken]?.reveal()
        == "http://pega.test:8080/prweb/PRServlet/NEW*/!STANDARD")
    // The guest's cookie was replaced, not kept beside the session's.
    #expect(grant.proof.cookies.count == 2)
  }

  @Test("Hidden fields that only this server's form has are sent back")
  func hiddenFields() async throws {
    let stub = PegaStub()
    stub.intercept { request in
      guard request.head.method == .get, request.path.contains("GUEST") else { return nil }
      return .html(
        PegaStub.loginForm().replacing("</form>", with: "<input type=hidden name='csrf' value='a&amp;b'></form>"))
    }
    _ = try await stub.signIn(.form)
    let body = stub.transport.requests.compactMap(\.body).first
    #expect(String(decoding: try #require(body), as: UTF8.self).hasSuffix("&csrf=a%26b"))
  }

  @Test("A login form that never comes says nothing about the password, and the password isn't sent")
  func noForm() async throws {
    let stub = PegaStub()
    for answer in [TransportResponse.html("<h1>Hello</h1>"), PegaStub.unauthorized, .json([:]), .status(.notFound)] {
      stub.intercept { _ in answer }
      let error = await failure { try await stub.signIn(.form) }
      #expect(error?.code == .unexpectedResponse)
    }
    #expect(stub.transport.requests.allSatisfy { $0.body == nil })
  }

  @Test("A session that the form began is ended when the login activity then fails")
  func formWithoutDictionary() async throws {
    let stub = PegaStub()
    stub.intercept { $0.path.contains("pzMobileAppConfiguration") ? .status(.internalServerError) : nil }
    #expect(await failure { try await stub.signIn(.form) }?.code == .serverUnavailable)
    #expect(stub.logins == 1)
    #expect(stub.sessionCount == 0)
  }

  @Test("Pega-P15: awkward passwords arrive as they are", arguments: awkwardPasswords, PegaSignInMethod.allCases)
  func passwords(_ password: String, _ method: PegaSignInMethod) async throws {
    let stub = PegaStub(users: ["jdoe": password])
    if method == .basic, password.contains("\n") {
      // RFC 7617 §2: no control characters in a Basic field. The error says so, and nothing is sent.
      let error = await failure { try await stub.signIn(method, "jdoe", Secret(password)) }
      #expect(error?.code == .invalidInput)
      #expect(error?.advice.contains("form") == true)
      #expect(stub.transport.count == 0)
      return
    }
    let grant = try await stub.signIn(method, "jdoe", Secret(password))
    #expect(grant.user.id == "jdoe")
    #expect(stub.logins == 1)
  }

  @Test("Pega-P15: a user name with a colon can't go into a Basic field; elsewhere it can")
  func colon() async throws {
    let stub = PegaStub(users: ["a:b": "secret"])
    let error = await failure { try await stub.signIn(.basic, "a:b") }
    #expect(error?.code == .invalidInput)
    #expect(error?.advice.contains("form mode") == true)
    #expect(stub.transport.count == 0)
    #expect(try await stub.signIn(.form, "a:b").user.id == "a:b")
    #expect(try await stub.signIn(.query, "a:b").user.id == "a:b")
  }

  @Test(
    "Pega-P15: awkward user names arrive as they are", arguments: ["é", "日本", "a+b@c.d", "100%", "a&b=c", "DOM\\u"])
  func usernames(_ username: String) async throws {
    for method in PegaSignInMethod.allCases {
      let stub = PegaStub(users: [username: "secret"])
      #expect(try await stub.signIn(method, username).user.id == username)
    }
  }
}

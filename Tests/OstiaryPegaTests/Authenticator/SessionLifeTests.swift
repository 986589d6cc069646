import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("The life of a Pega session")
struct SessionLifeTests {
  @Test("Pega-P5: a second sign-in without log-off is refused and touches nothing", arguments: ["jdoe", "bob"])
  func secondSignIn(_ user: String) async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    let first = try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    let password: Secret = user == "bob" ? "hunter2" : "secret"
    let error = await failure { try await manager.signIn(with: .password(username: user, password: password)) }
    #expect(error?.code == .alreadySignedIn)
    #expect(stub.transport.count == 1)
    #expect(manager.current == first)
    #expect(await manager.verify().isSignedIn)
  }

  @Test("Pega-P6: log-off ends the server's session; its cookie is worth nothing afterwards")
  func logOff() async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    let session = try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    let report = await manager.signOut()
    #expect(report.isComplete)
    #expect(stub.sessionCount == 0)
    #expect(manager.current == nil)
    let logOff = try #require(stub.transport.requests.last)
    #expect(logOff.path == "/prweb/PRServlet?pyActivity=Code-Security.LogOff")
    #expect(logOff.cookies?.contains("Pega-RULES=") == true)
    guard case .invalid = try await stub.authenticator().verify(session, in: stub.context) else {
      Issue.record("the old cookie still works")
      return
    }
  }

  @Test("Pega-P6: log-off with the server down is over here and says that the server wasn't told")
  func logOffOffline() async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.transport.inject(.refuseConnection)
    let report = await manager.signOut()
    #expect(report.serverError?.code == .cannotConnect)
    #expect(manager.current == nil)
  }

  @Test(
    "Pega-P6: any 2xx or 3xx confirms a log-off, a 401 says it was over, the rest is an error",
    arguments: [
      (TransportResponse.status(.ok), true), (.status(.noContent), true), (.status(.found), true),
      (.status(.seeOther), true), (PegaStub.unauthorized, true), (.status(.unauthorized), true),
      (.status(.forbidden), false), (.status(.internalServerError), false), (.status(.serviceUnavailable), false),
    ])
  func logOffStatus(_ answer: TransportResponse, _ isConfirmed: Bool) async throws {
    let stub = PegaStub()
    let session = try await stub.signIn().session(at: stub.url)
    stub.intercept { _ in answer }
    let error = await failure { try await stub.authenticator().end(session, in: stub.context) }
    #expect((error == nil) == isConfirmed)
    #expect(stub.transport.count == 2)
  }

  @Test("Pega-P6: logging off without a session asks nobody and harms nothing")
  func logOffTwice() async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    #expect(await manager.signOut().isComplete)
    #expect(stub.transport.count == 0)
  }

  @Test("Pega-P7: whether somebody is signed in is asked by cookies alone")
  func verify() async throws {
    let stub = PegaStub()
    let manager = try stub.manager(credentials: .upFront(.password(username: "jdoe", password: "secret")))
    _ = try await manager.session()
    stub.answer(with: ["applicationName": "Changed"])
    guard case .signedIn(let session) = await manager.verify() else {
      Issue.record("not signed in")
      return
    }
    let request = try #require(stub.transport.requests.last)
    #expect(request.authorization == nil)
    #expect(!request.path.contains("Password"))
    #expect(request.cookies?.contains("Pega-RULES=") == true)
    #expect(PegaLogin(session).applicationName == "Changed")
  }

  @Test("Pega-P7: an expired session is no; it takes a login to change that, and none happens")
  func expired() async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.dropSessions()
    guard case .signedOut(let cause) = await manager.verify() else {
      Issue.record("still signed in")
      return
    }
    #expect(cause == .rejectedByServer)
    #expect(stub.logins == 1)
    #expect(stub.transport.requests.filter { $0.authorization != nil }.count == 1)
  }

  @Test(
    "Pega-P7: a server that can't be asked is no answer, and nobody is signed out",
    arguments: [
      Fault.refuseConnection, .dropBeforeServerActs, .status(.serviceUnavailable), .status(.internalServerError),
      .status(.tooManyRequests), .page("<h1>Hotel</h1>"), .garbage, .status(.forbidden),
    ])
  func verifyOffline(_ fault: Fault) async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.transport.inject(fault)
    guard case .unknown = await manager.verify() else {
      Issue.record("it was told")
      return
    }
    #expect(manager.current != nil)
  }

  @Test(
    "Pega-P7: a dead session's answers, of either kind, are a definite no",
    arguments: [PegaStub.unauthorized, .html(PegaStub.loginForm())])
  func verifyDead(_ answer: TransportResponse) async throws {
    let stub = PegaStub()
    let session = try await stub.signIn().session(at: stub.url)
    stub.intercept { _ in answer }
    guard case .invalid = try await stub.authenticator().verify(session, in: stub.context) else {
      Issue.record("it is valid")
      return
    }
  }

  @Test("Bug-F10: an answer that names another operator is a definite no, and puts nothing under the session")
  func verifyAnother() async throws {
    let stub = PegaStub()
    let manager = try stub.manager(credentials: .manual)
    let session = try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.intercept { _ in
      .json([
        "operator": "bob", "applicationName": "Bob's", "accessGroup": "x", "baseURL": "http://pega.test/prweb",
      ])
    }
    guard case .invalid = try await stub.authenticator().verify(session, in: stub.context) else {
      Issue.record("bob's session counts as jdoe's")
      return
    }
    _ = await manager.verify()
    #expect(manager.current.map { PegaLogin($0).applicationName } != "Bob's")
  }

  /// A sign-in's answer, with an operator or without.
  private static func dictionary(_ operatorID: String?) -> TransportResponse {
    var members: [String: JSONValue] = ["accessGroup": "x", "baseURL": "http://pega.test/prweb"]
    members["operator"] = operatorID.map { .string($0) }
    return .json(members)
  }

  @Test(
    "Pega-P7: where the activity of the present names no operator, the other activity says whose session it is",
    arguments: [("jdoe", true), ("bob", false), (nil, nil)] as [(String?, Bool?)])
  func changedActivity(_ other: String?, _ isValid: Bool?) async throws {
    let stub = PegaStub()
    let session = try await stub.signIn().session(at: stub.url)
    stub.intercept { $0.path.contains("pzAccessGroupDetails") ? Self.dictionary(nil) : Self.dictionary(other) }
    let authenticator = try stub.authenticator(activity: .accessGroupDetails)
    let found = Locked<Verification?>(nil)
    let error = await failure {
      let verification = try await authenticator.verify(session, in: stub.context)
      found.withLock { $0 = verification }
    }
    switch (found.withLock { $0 }, isValid) {
    case (.valid(let attributes), true): #expect(attributes?["operator"] == "jdoe")
    case (.invalid, false): break
    case (nil, nil): #expect(error?.code == .unexpectedResponse)
    default: Issue.record("\(String(describing: other)) means something else")
    }
  }

  @Test(
    "Pega-P7: a session whose sign-in named no operator is that of the user who signed in",
    arguments: [("jdoe", true), ("bob", false), (nil, true)] as [(String?, Bool)])
  func unnamedOperator(_ operatorID: String?, _ isValid: Bool) async throws {
    let stub = PegaStub()
    stub.intercept { _ in Self.dictionary(nil) }
    let session = try await stub.signIn().session(at: stub.url)
    #expect(session.user.id == "jdoe")
    stub.intercept { $0.path.contains("pzMobileApp") ? Self.dictionary(operatorID) : Self.dictionary(nil) }
    let error = await failure {
      guard case .valid = try await stub.authenticator().verify(session, in: stub.context) else {
        Issue.record("it is over")
        return
      }
    }
    #expect((error == nil) == isValid)
    #expect(error == nil || error?.code == .unexpectedResponse)
  }

  @Test(
    "Pega-P7: a page that says that something went wrong is no word about the session",
    arguments: [
      "<div id='error'>Down for maintenance</div>", "<div id='error' data-code='Maintenance'></div>",
      "<div id='error' data-code='TooManyAttempts'>Too many attempts.</div>",
    ])
  func verifyErrorPage(_ page: String) async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.intercept { _ in .html(page) }
    guard case .unknown(let error) = await manager.verify() else {
      Issue.record("it was told")
      return
    }
    #expect(error.isTransient)
    #expect(manager.current != nil)
  }

  @Test("Pega-P8: after log-off a Basic challenge is answered by nobody")
  func noCredentialCache() async throws {
    let stub = PegaStub()
    let manager = try stub.manager(credentials: .upFront(.password(username: "jdoe", password: "secret")))
    let transport = AuthenticatedTransport(manager)
    let url = try #require(URL(string: "http://pega.test:8080/prweb/api/v1/cases"))
    #expect(try await transport.get(url).status == .ok)
    await manager.signOut()
    let before = stub.transport.count
    #expect(await failure { try await transport.get(url) }?.code == .interactionRequired)
    #expect(stub.transport.requests.dropFirst(before).allSatisfy { $0.authorization == nil })
    // Sent without a session, the request gets the server's 401 as it is.
    let response = try await stub.transport.get(url)
    #expect(response.status == .unauthorized)
    #expect(stub.logins == 1)
  }

  @Test("A time-out in the middle of work is a challenge: one new sign-in, and the request again")
  func challenge() async throws {
    let stub = PegaStub()
    let manager = try stub.manager(credentials: .upFront(.password(username: "jdoe", password: "secret")))
    let transport = AuthenticatedTransport(manager)
    let url = try #require(URL(string: "http://pega.test:8080/prweb/PRServlet?pyActivity=Data-Portal.ShowDesktop"))
    #expect(try await transport.get(url).text == "<h1>Data-Portal.ShowDesktop</h1>")
    stub.dropSessions()
    #expect(try await transport.get(url).text == "<h1>Data-Portal.ShowDesktop</h1>")
    #expect(stub.logins == 2)
    stub.dropSessions()
    let streamed = try await transport.stream(.get(url))
    #expect(String(decoding: try await streamed.body.collect(upTo: 1000), as: UTF8.self).contains("ShowDesktop"))
    #expect(stub.logins == 3)
  }

  @Test("Pega-P9: the session cookie goes back byte for byte")
  func cookieBytes() async throws {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    _ = await manager.verify()
    #expect(
      stub.transport.requests.last?.cookies
        == "JSESSIONID=NODE1; Pega-RULES=%09%7Bpd%7DSESSION_1%3D%3DA%7Bapp%7D")
    // At rest and back, it is still the same.
    let session = try #require(manager.current)
    let restored = try JSONDecoder().decode(Session.self, from: JSONEncoder().encode(session))
    let request = try TransportRequest.get(try #require(URL(string: "http://pega.test:8080/prweb/PRServlet")))
    #expect(
      restored.proof.cookies.header(for: request.head, now: Date()) == stub.transport.requests.last?.cookies)
  }

  @Test("Pega-P9: two cookies of the same name are both sent, the longest path first")
  func duplicateCookies() async throws {
    let stub = PegaStub()
    stub.intercept { request in
      guard request.cookies == nil else { return nil }
      var response = TransportResponse.json(["accessGroup": "x", "baseURL": "http://pega.test/prweb"])
      for cookie in [
        "Pega-RULES=outer; Path=/", "Pega-RULES=inner; Path=/prweb", "Pega-RULES=exact; Path=/prweb/PRServlet",
      ] {
        response.head.headerFields.append(HTTPField(name: .setCookie, value: cookie))
      }
      return response
    }
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    _ = await manager.verify()
    #expect(stub.transport.requests.last?.cookies == "Pega-RULES=exact; Pega-RULES=inner; Pega-RULES=outer")
  }
}

import Foundation
import HTTPTypes
import Ostiary
import OstiaryTesting
import PMAuthentication
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("PMPegaAuthenticator")
struct PMPegaAuthenticatorTests {
  let world = World()
  var stub: PegaStub { world.stub }

  @Test(
    "Pega-P1: a missing user name or password is invalid input, and nothing is sent",
    arguments: [("", "secret"), ("  ", "secret"), (nil, "secret"), ("jdoe", ""), ("jdoe", nil), (nil, nil)])
  func emptyInput(_ username: String?, _ password: String?) async throws {
    // Not even a question about a session that the cookies might name.
    world.set("Pega-RULES", "old")
    let result = try await world.authenticator().logIn(username, password)
    #expect(result.code == .invalidInputData)
    #expect(result.json == nil)
    #expect(stub.transport.count == 0)
  }

  @Test("Pega-P1: an address that is none is invalid input", arguments: [nil, "ftp://h/prweb", "/prweb"])
  func noAddress(_ text: String?) async throws {
    let authenticator = PMPegaAuthenticator(
      serverURL: text.flatMap { URL(string: $0) }, environment: world.environment)
    #expect(try await authenticator.logIn().code == .invalidInputData)
    #expect(try await authenticator.isLoggedInResult().code == .invalidInputData)
    #expect(try await authenticator.logOffResult().code == .invalidInputData)
  }

  @Test("Pega-P1: the page's own placeholder address, as NSURL, is invalid input and no crash")
  func placeholder() async throws {
    let url = NSURL(string: "http://host:port/path")
    #expect(try await PMPegaAuthenticator(serverURL: url).logIn().code == .invalidInputData)
  }

  @Test("Pega-P2: a login gives the response, unmodified, and no error")
  func logsIn() async throws {
    stub.answer(with: [
      "deep": .object(["list": .array([.integer(1), .number(2.5), .bool(true), .null, "é日本"])]), "ü": .integer(1 << 53),
    ])
    let calls = Calls()
    let kept = Locked<[String: JSONValue]>([:])
    world.authenticator().logIn(withUsername: "jdoe", password: "secret") { json, error in
      let data = try? JSONSerialization.data(withJSONObject: json ?? [:])
      kept.withLock { $0 = (try? JSONDecoder().decode([String: JSONValue].self, from: data ?? Data())) ?? [:] }
      calls.note(Completion(json != nil, json, error))
    }
    let result = try await calls.first()
    #expect(result.code == nil)
    #expect(result.json?["accessGroup"] == "Uplus:Users")
    #expect(result.json?["baseURL"] == "http://pega.test:8080/prweb/PRServlet/HASH*/!STANDARD")
    let json = kept.withLock { $0 }
    #expect(json["deep"] == .object(["list": .array([.integer(1), .number(2.5), .bool(true), .null, "é日本"])]))
    #expect(json["ü"] == .integer(1 << 53))
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb"])
  }

  @Test("Pega-P2: both activities, under both spellings")
  func activities() async throws {
    let authenticator = world.authenticator()
    #expect(authenticator.loginActivity == .mobileAppConfiguration)
    authenticator.loginActivity = .accessGroupDetails
    #expect(try await authenticator.logIn().isSuccess)
    #expect(stub.transport.requests.last?.path.contains("pzAccessGroupDetails") == true)
    // The activity may change while a user is logged in.
    authenticator.loginActivity = .mobileAppConfiguration
    #expect(try await authenticator.isLoggedInResult().isSuccess)
    #expect(stub.transport.requests.last?.path.contains("pzMobileAppConfiguration") == true)
    #expect(stub.logins == 1)
    // One that names no operator is no dead end.
    stub.intercept { request in
      guard request.path.contains("pzAccessGroupDetails") else { return nil }
      return .json(["accessGroup": "Uplus:Users", "baseURL": "http://pega.test:8080/prweb"])
    }
    authenticator.loginActivity = .accessGroupDetails
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "jdoe")
    #expect(try await authenticator.logIn().code == .internal)
  }

  @available(*, deprecated)
  @Test("The vendor's old spellings are still there")
  func oldSpellings() {
    #expect(PMPegaAuthenticationLoginActivity.AccessGroupDetails == .accessGroupDetails)
    #expect(PMPegaAuthenticationLoginActivity.MobileAppConfiguration == .mobileAppConfiguration)
  }

  @Test(
    "Pega-P3: every failure has its code",
    arguments: [
      (PegaStub.unauthorized, PMAuthenticationError.invalidCredentials),
      (.html(PegaStub.loginForm(error: PegaStub.refusal)), .invalidCredentials),
      (.html("<h1>Hotel</h1>"), .unexpectedServerResponse),
      (.status(.noContent), .unexpectedServerResponse),
      (.status(.internalServerError), .unexpectedServerResponse),
      (.status(.serviceUnavailable), .unexpectedServerResponse),
      (.status(.found, headerFields: [.location: "/prweb/PRServlet?pyActivity=x"]), .unexpectedServerResponse),
      (.status(.tooManyRequests), .accountLocked),
      (.status(.unauthorized), .invalidCredentials),
      (.json(["minContainerVersion": "99"]), .wrongClientVersion),
      (
        .json(["minContainerVersion": "99", "accessGroup": "x", "baseURL": "https://pega.test/prweb"]),
        .wrongClientVersion
      ),
    ])
  func failures(_ answer: TransportResponse, _ code: PMAuthenticationError) async throws {
    stub.intercept { _ in answer }
    let result = try await world.authenticator().logIn()
    #expect(result.code == code)
    #expect(result.domain == PMAuthenticationErrorDomain)
    #expect(result.message?.isEmpty == false)
    #expect(result.json == nil)
    #expect(world.cookies.isEmpty)
  }

  @Test("Pega-P3: the network's failures are network errors, told at once and not tried again")
  func network() async throws {
    for (count, fault) in [Fault.refuseConnection, .dropBeforeServerActs, .dropAfterServerActed].enumerated() {
      stub.transport.setFaults()
      stub.transport.inject(fault)
      #expect(try await world.authenticator().logIn().code == .network)
      #expect(stub.transport.count == count + 1)
    }
  }

  @Test("Pega-P4: a version that is out of range leaves no session on either side, nor cookies")
  func version() async throws {
    stub.answer(with: ["minContainerVersion": "8.10"])
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().code == .wrongClientVersion)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies.isEmpty)
    #expect(try await authenticator.isLoggedInResult().isSuccess == false)
  }

  @Test(
    "Pega-P5: logging in while logged in fails and touches nothing",
    arguments: [("jdoe", "secret"), ("bob", "hunter2")])
  func secondLogIn(_ username: String, _ password: String) async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let cookies = world.storage.cookies?.map(\.value)
    let second = try await authenticator.logIn(username, password)
    #expect(second.code == .internal)
    #expect(second.json == nil)
    #expect(second.message?.contains("jdoe") == true)
    #expect(stub.logins == 1)
    #expect(world.storage.cookies?.map(\.value) == cookies)
    #expect(try await authenticator.isLoggedInResult().json?["operator"] == "jdoe")
    // After logging off, the other user gets a session of their own.
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(try await authenticator.logIn(username, password).json?["operator"] == username)
  }

  @Test("Pega-P5: a session that the server has ended is no obstacle")
  func logInAfterTimeout() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    stub.dropSessions()
    #expect(try await authenticator.logIn("bob", "hunter2").json?["operator"] == "bob")
    #expect(stub.sessionCount == 1)
  }

  @Test("Pega-P5: any authenticator object for the server knows of the session")
  func anotherObject() async throws {
    #expect(try await world.authenticator().logIn().isSuccess)
    let other = world.authenticator(stub.url.appending(path: "PRServlet/"))
    #expect(try await other.isLoggedInResult().json?["operator"] == "jdoe")
    #expect(try await other.logIn("bob", "hunter2").code == .internal)
    #expect(try await other.logOffResult().isSuccess)
    #expect(stub.sessionCount == 0)
  }

  @Test("Pega-P5: an object that has missed a log-off and another user's login goes by the server's word")
  func anotherObjectsUser() async throws {
    let (one, other) = (world.authenticator(), world.authenticator())
    #expect(try await one.logIn().isSuccess)
    #expect(try await other.logOffResult().isSuccess)
    #expect(try await other.logIn("bob", "hunter2").isSuccess)
    #expect(try await one.isLoggedInResult().json?["operator"] == "bob")
    #expect(try await one.logIn().code == .internal)
    #expect(try await other.isLoggedInResult().json?["operator"] == "bob")
    #expect(try await one.logOffResult().isSuccess)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies.isEmpty)
    #expect(try await other.isLoggedInResult().isSuccess == false)
    #expect(try await other.logIn().json?["operator"] == "jdoe")
  }

  @Test("Pega-P7: a session is asked about by cookies alone; nothing else comes with a yes, nor json with a no")
  func isLoggedIn() async throws {
    let authenticator = world.authenticator()
    let before = try await authenticator.isLoggedInResult()
    #expect(before.isSuccess == false)
    #expect(before.json == nil)
    #expect(before.code == .invalidCredentials)
    #expect(try await authenticator.logIn().isSuccess)
    let count = stub.transport.count
    let yes = try await authenticator.isLoggedInResult()
    #expect(yes.isSuccess)
    #expect(yes.json?["accessGroup"] == "Uplus:Users")
    #expect(yes.code == nil)
    #expect(
      stub.transport.requests.dropFirst(count).allSatisfy { $0.authorization == nil && !$0.path.contains("Password") })
    stub.dropSessions()
    let no = try await authenticator.isLoggedInResult()
    #expect(no.isSuccess == false)
    #expect(no.json == nil)
    #expect(no.code == .invalidCredentials)
    #expect(stub.logins == 1)
  }

  @Test("Pega-P7: without a network it can't be told, and the session survives")
  func isLoggedInOffline() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    stub.transport.inject(.refuseConnection)
    let offline = try await authenticator.isLoggedInResult()
    #expect(offline.isSuccess == false)
    #expect(offline.json == nil)
    #expect(offline.code == .network)
    stub.transport.setFaults()
    #expect(try await authenticator.isLoggedInResult().isSuccess)
  }

  @Test("Pega-P8: after log-off no request carries the old user name and password")
  func noCredentialCache() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    #expect(try await authenticator.logOffResult().isSuccess)
    let before = stub.transport.count
    world.set("Pega-RULES", "stale")
    #expect(try await authenticator.isLoggedInResult().isSuccess == false)
    #expect(stub.transport.count == before + 1)
    #expect(stub.transport.requests.dropFirst(before).allSatisfy { $0.authorization == nil })
  }

  @Test("Pega-P14: errors and what they carry hold no secret")
  func secrets() async throws {
    let stub = PegaStub(users: ["jdoe": "p1anted&Secret"])
    let world = World(stub)
    let authenticator = world.authenticator()
    var texts = [String(describing: authenticator)]
    dump(authenticator, to: &texts[0])
    texts.append(try await authenticator.logIn("jdoe", "p1anted&Secret").dump)
    texts.append(try await authenticator.logIn("jdoe", "p1anted&Secret").dump)
    dump(authenticator, to: &texts[0])
    _ = try await authenticator.logOffResult()
    for answer in [PegaStub.unauthorized, .html("p1anted&Secret"), .status(.internalServerError)] {
      stub.intercept { _ in answer }
      texts.append(try await authenticator.logIn("jdoe", "p1anted&Secret").dump)
    }
    let planted = ["p1anted", "SESSION_", Data("p1anted&Secret".utf8).base64EncodedString(), "cDFhbnRlZ"]
    for secret in planted { #expect(!texts.contains { $0.contains(secret) }) }
    #expect(texts.allSatisfy { !$0.isEmpty })
  }
}

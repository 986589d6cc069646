import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("Signing in with a request of the app's own")
struct OwnRequestTests {
  let stub = PegaStub()

  func post(_ body: String) throws -> Credential {
    .request(
      try .post(
        stub.url.appending(path: "PRServlet"), body: Data(body.utf8), contentType: "application/x-www-form-urlencoded"))
  }

  @Test("Pega-P12: a POST that sets the session's cookies signs in")
  func succeeds() async throws {
    let manager = try stub.manager()
    let session = try await manager.signIn(
      with: post("UserIdentifier=jdoe&Password=secret&pyActivity%3DCode-Security.Login="))
    #expect(session.user.id == "jdoe")
    #expect(PegaLogin(session).accessGroup == "Uplus:Users")
    #expect(stub.transport.requests.allSatisfy { $0.authorization == nil })
    #expect(await manager.verify().isSignedIn)
  }

  @Test("Pega-P12: the body goes out as the app wrote it")
  func body() async throws {
    _ = await failure { try await stub.manager().signIn(with: post("key1=value1&key2=value2")) }
    let request = try #require(stub.transport.requests.first)
    #expect(String(decoding: request.body ?? Data(), as: UTF8.self) == "key1=value1&key2=value2")
    #expect(request.head.method == .post)
  }

  @Test(
    "Pega-P12: the answer is looked at",
    arguments: [
      (PegaStub.unauthorized, OstiaryError.Code.invalidCredentials),
      (.status(.unauthorized), .unexpectedResponse),
      (.html(PegaStub.loginForm()), .invalidCredentials),
      (.html(PegaStub.loginForm(error: PegaStub.refusal)), .invalidCredentials),
      (.status(.internalServerError), .serverUnavailable),
      (.status(.badRequest), .unexpectedResponse),
      (.status(.tooManyRequests), .accountLocked),
      (.status(.serviceUnavailable), .serverUnavailable),
    ])
  func fails(_ answer: TransportResponse, _ code: OstiaryError.Code) async throws {
    stub.intercept { $0.head.method == .post ? answer : nil }
    let manager = try stub.manager()
    #expect(await failure { try await manager.signIn(with: post("a=b")) }?.code == code)
    #expect(manager.current == nil)
    #expect(stub.transport.count == 1)
  }

  @Test("Pega-P12: a success that sets no session is found out")
  func noSession() async throws {
    stub.intercept { $0.head.method == .post ? .json(["ok": true]) : nil }
    let manager = try stub.manager()
    #expect(await failure { try await manager.signIn(with: post("a=b")) }?.code == .invalidCredentials)
    #expect(manager.current == nil)
  }

  @Test("Cookies obtained elsewhere are checked before they are believed")
  func proof() async throws {
    let other = try await stub.signIn()
    let manager = try stub.manager()
    let session = try await manager.signIn(with: .proof(other.proof))
    #expect(session.user.id == "jdoe")
    await manager.signOut()
    #expect(await failure { try await manager.signIn(with: .proof(other.proof)) }?.code == .invalidCredentials)
    #expect(await failure { try await manager.signIn(with: .proof(Proof())) }?.code == .invalidCredentials)
    #expect(manager.current == nil)
  }

  @Test("A page that says that something went wrong is no word about cookies obtained elsewhere")
  func errorPage() async throws {
    let other = try await stub.signIn()
    stub.intercept { _ in .html("<div id='error'>Down for maintenance</div>") }
    let error = await failure { try await stub.manager().signIn(with: .proof(other.proof)) }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.isTransient == true)
  }

  @Test("A session that the request began is ended when the login activity then fails")
  func checkFailsAfterRequest() async throws {
    stub.intercept { $0.path.contains("pzMobileAppConfiguration") ? .status(.internalServerError) : nil }
    let credential = try post("UserIdentifier=jdoe&Password=secret&pyActivity%3DCode-Security.Login=")
    #expect(await failure { try await stub.manager().signIn(with: credential) }?.code == .serverUnavailable)
    #expect(stub.logins == 1)
    #expect(stub.sessionCount == 0)
  }

  @Test("A failed check leaves the app's own session alone")
  func checkFails() async throws {
    let other = try await stub.signIn()
    stub.intercept { _ in .status(.internalServerError) }
    #expect(await failure { try await stub.manager().signIn(with: .proof(other.proof)) }?.code == .serverUnavailable)
    #expect(stub.sessionCount == 1)
  }
}

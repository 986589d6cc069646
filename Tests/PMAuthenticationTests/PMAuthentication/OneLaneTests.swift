import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryTesting
import PMAuthentication
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("One lane for a server, whichever object is called", .timeLimit(.minutes(5)))
struct OneLaneTests {
  let world = World()
  var stub: PegaStub { world.stub }

  @Test(
    "Bug-D13: one object's log-off during another's login leaves no session, here or at the server",
    arguments: [PMPegaAuthenticationLoginActivity.mobileAppConfiguration, .accessGroupDetails])
  func logOffDuringLogIn(_ activity: PMPegaAuthenticationLoginActivity) async throws {
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .get("/prweb/PRServlet"), at: .first(1))
    let (one, other) = (world.authenticator(), world.authenticator())
    other.loginActivity = activity
    let logIn = Calls()
    one.logIn(withUsername: "jdoe", password: "secret") { logIn.note(Completion($0 != nil, $0, $1)) }
    try await gate.waitForWaiting()
    // The server has begun a session; its answer is on the way.
    #expect(stub.sessionCount == 1)
    let logOff = Calls()
    other.logOff { logOff.note(Completion($0 == nil, nil, $0)) }
    #expect(try await logIn.first().code == .internal)
    #expect(try await logOff.first().isSuccess)
    gate.open()
    try await waitUntil { stub.sessionCount == 0 }
    #expect(world.cookies.isEmpty)
    #expect(try await one.isLoggedInResult().isSuccess == false)
    #expect(try await other.isLoggedInResult().isSuccess == false)
    #expect(try await one.logIn("bob", "hunter2").json?["operator"] == "bob")
  }

  @Test("Bug-D13: calls of several objects are carried out in the order in which they are made", arguments: 0..<10)
  func order(_ repetition: Int) async throws {
    let objects = (0..<4).map { _ in world.authenticator() }
    objects[3].loginActivity = .accessGroupDetails
    let (first, logOff, logIn, question) = (Calls(), Calls(), Calls(), Calls())
    objects[0].isLoggedIn { first.note(Completion($0, $1, $2)) }
    objects[1].logOff { logOff.note(Completion($0 == nil, nil, $0)) }
    objects[2].logIn(withUsername: "bob", password: "hunter2") { logIn.note(Completion($0 != nil, $0, $1)) }
    objects[3].isLoggedIn { question.note(Completion($0, $1, $2)) }
    #expect(try await question.first().json?["operator"] == "bob")
    #expect(try await logIn.first().isSuccess)
    #expect(try await logOff.first().isSuccess)
    #expect(try await first.first().isSuccess == false)
  }

  @Test("Bug-D13: another server's calls wait for nothing here")
  func otherServer() async throws {
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: .get("/prweb/PRServlet"), at: .first(1))
    let held = Calls()
    world.authenticator().isLoggedIn { held.note(Completion($0, $1, $2)) }
    world.set("Pega-RULES", "unknown")
    let logIn = Calls()
    world.authenticator().logIn(withUsername: "jdoe", password: "secret") { logIn.note(Completion($0 != nil, $0, $1)) }
    try await gate.waitForWaiting()
    let elsewhere = try #require(URL(string: "http://other.test:8080/prweb"))
    #expect(try await world.authenticator(elsewhere).isLoggedInResult().isSuccess == false)
    #expect(logIn.count == 0)
    gate.open()
    #expect(try await logIn.first().isSuccess)
  }

  @Test("Bug-D13: cookies that come with the answer to a question reach the app's own requests")
  func cookies() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    world.set("theme", "dark")
    stub.intercept { [stub] request in
      var response = stub.respond(to: request)
      response.head.headerFields.append(HTTPField(name: .setCookie, value: "ROUTEID=7; Path=/"))
      response.head.headerFields.append(HTTPField(name: .setCookie, value: "JSESSIONID=NODE2; Path=/prweb/"))
      return response
    }
    #expect(try await authenticator.isLoggedInResult().isSuccess)
    let all = (world.storage.cookies ?? []).filter { !$0.value.isEmpty }
    #expect(world.cookies == ["JSESSIONID /prweb/", "Pega-RULES /prweb", "ROUTEID /", "theme /prweb"])
    #expect(all.first { $0.name == "JSESSIONID" }?.value == "NODE2")
  }

  @Test("Bug-D13: a session cookie that the server rotates with the answer reaches them, too")
  func rotated() async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let old = try #require(world.sessionValues.first)
    stub.intercept { [stub] request in
      var response = stub.respond(to: request)
      response.head.headerFields.append(
        HTTPField(name: .setCookie, value: "Pega-RULES=\(old)rotated; Path=/prweb; HttpOnly"))
      return response
    }
    #expect(try await authenticator.isLoggedInResult().isSuccess)
    #expect(world.sessionValues == [old + "rotated"])
  }
}

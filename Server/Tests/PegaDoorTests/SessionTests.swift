import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("A session at the Pega door")
struct SessionTests {
  @Test(
    "PS4: a time-out is a challenge; one new sign-in follows, and the request is answered",
    arguments: PegaSignInMethod.allCases)
  func timeout(_ method: PegaSignInMethod) async throws {
    try await DoorServer.run { server in
      let manager = try server.manager(method, credentials: .upFront(.jane))
      let transport = AuthenticatedTransport(manager)
      // An interface answers a dead session with 401, a page with the login form.
      for path in ["/api/v1/cases", "/PRServlet?pyActivity=Data-Portal.ShowDesktop"] {
        #expect(try await transport.send(server.request(path)).status == .ok)
        let first = try #require(manager.current)
        server.clock.advance(by: .seconds(25 * 3600))
        let response = try await transport.send(server.request(path))
        #expect(response.status == .ok)
        #expect(!response.text.contains("credentialsForm"))
        let second = try #require(manager.current)
        #expect(second.version.lineage != first.version.lineage)
      }
      #expect(manager.history.filter { $0.kind == .signedIn }.count == 3)
    }
  }

  @Test("A request that must not run twice runs once when it is repeated after a challenge")
  func unsafeReplay() async throws {
    try await DoorServer.run { server in
      let transport = AuthenticatedTransport(try server.manager(credentials: .upFront(.jane)))
      var request = try server.request("/api/v1/cases")
      request.head.method = .post
      request.head.headerFields[.contentType] = "application/json"
      request.body = Data("{\"amount\":12}".utf8)
      #expect(try await transport.send(request).text.contains("\"UPLUS-C-1\""))
      try await server.application.dropSessions(ofUserNamed: "jdoe")
      let response = try await transport.send(request)
      #expect(response.status == .created)
      #expect(response.text.contains("\"UPLUS-C-2\""))
      #expect(response.text.contains("\"amount\":12"))
    }
  }

  @Test("Pega-P6: after log-off the old cookie is refused, everywhere", arguments: PegaSignInMethod.allCases)
  func replay(_ method: PegaSignInMethod) async throws {
    try await DoorServer.run { server in
      let manager = try server.manager(method)
      let session = try await manager.signIn(with: .jane)
      #expect(await manager.signOut().isComplete)
      #expect(manager.current == nil)
      let transport = PlatformTransport()
      for path in ["/PRServlet?pyActivity=pzMobileAppConfiguration", "/api/v1/cases", "/PRServlet?pyActivity=x"] {
        var request = try server.request(path)
        request.head.headerFields[.cookie] = session.proof.cookies.header(for: request.head, now: Date())
        #expect(request.head.headerFields[.cookie]?.contains("Pega-RULES=") == true)
        #expect(try await transport.send(request).status == .unauthorized)
      }
      guard
        case .invalid = try await manager.authenticator.verify(session, in: AuthenticationContext(transport: transport))
      else {
        Issue.record("the old session is still good")
        return
      }
      #expect(try await server.application.dropSessions(ofUserNamed: "jdoe") == 0)
      // PS5: ending it again says nothing new.
      try await manager.authenticator.end(session, in: AuthenticationContext(transport: transport))
    }
  }

  @Test("Pega-P7: asking by cookies alone: yes, then no after a time-out, without signing in")
  func verify() async throws {
    try await DoorServer.run { server in
      let manager = try server.manager(credentials: .upFront(.jane))
      #expect(await manager.verify().isSignedIn == false)
      try await manager.signIn(with: .jane)
      #expect(await manager.verify().isSignedIn)
      server.clock.advance(by: .seconds(25 * 3600))
      guard case .signedOut(let cause) = await manager.verify() else {
        Issue.record("still signed in")
        return
      }
      #expect(cause == .rejectedByServer)
      // The sign-in and the two questions while there was a session. One more would be a sign-in that was not asked for.
      let journal = try #require(server.application.journal)
      #expect(journal.entries.map(\.path) == Array(repeating: "/prweb/PRServlet", count: 3))
      #expect(journal.entries.map(\.status) == [200, 200, 401])
    }
  }

  @Test("Pega-P7: a server that has gone is no answer; the session is kept")
  func offline() async throws {
    let manager = try await DoorServer.run { server in
      let manager = try server.manager()
      try await manager.signIn(with: .jane)
      return manager
    }
    guard case .unknown(let error) = await manager.verify() else {
      Issue.record("it was told")
      return
    }
    #expect(error.code == .cannotConnect)
    #expect(manager.current != nil)
    // Pega-P6: signing out works all the same.
    #expect(await manager.signOut().serverError?.code == .cannotConnect)
    #expect(manager.current == nil)
  }

  @Test("Pega-P5: nobody becomes somebody else without a log-off")
  func otherUser() async throws {
    try await DoorServer.run { server in
      try await server.application.identity.addUser(name: "bob", password: "another long password")
      let manager = try server.manager()
      try await manager.signIn(with: .jane)
      let bob = Credential.password(username: "bob", password: "another long password")
      #expect(await failure { try await manager.signIn(with: bob) }?.code == .alreadySignedIn)
      #expect(manager.current?.user.id == "jdoe")
      #expect(await manager.signOut().isComplete)
      #expect(try await manager.signIn(with: bob).user.id == "bob")
    }
  }

  @Test("PS7: every sign-in has a session of its own; a planted one is not taken over")
  func fixation() async throws {
    try await DoorServer.run { server in
      let first = try await server.manager(.form).signIn(with: .jane)
      let second = try await server.manager(.form).signIn(with: .jane)
      func value(_ session: Session) -> Secret? {
        session.proof.cookies.cookies.first { $0.name == "Pega-RULES" }?.value
      }
      #expect(value(first) != nil)
      #expect(value(first) != value(second))
    }
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Credentials of a Newzulu client")
struct CredentialsTests {
  @Test("Newzulu-N1: setting credentials sends nothing")
  func setting() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    await client.restore()
    #expect(stub.transport.count == 0)
    #expect(client.currentSession == nil)
    #expect(client.currentUser == nil)
  }

  @Test("Newzulu-N2: authenticating stores the session and says who the user is")
  func authenticate() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let client = try stub.ann(store: store)
    let session = try await client.authenticate()
    #expect(client.currentSession == session)
    #expect(client.currentUser?.firstName == "Ann")
    #expect(store.saved.count == 1)
  }

  @Test("Newzulu-N2: it makes a new session even when there is one")
  func again() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let first = try await client.authenticate()
    let second = try await client.authenticate()
    #expect(first.proof != second.proof)
    #expect(client.currentSession == second)
    #expect(stub.logins == 2)
    _ = try await client.getLoggedInUser()
    #expect(stub.logins == 2)
  }

  @Test("Newzulu-N4: a wrong password leaves no session, here or in the store")
  func wrong() async throws {
    let stub = NewzuluStub()
    let store = EphemeralStore()
    let client = try stub.ann(store: store)
    try await client.authenticate()
    stub.setAccounts { $0[0].password = "changed" }
    #expect(await failure { try await client.authenticate() }?.code == .invalidCredentials)
    #expect(client.currentSession == nil)
    let next = try stub.ann(store: store)
    await next.restore()
    #expect(next.currentSession == nil)
    // The password is forgotten: it is not shown again unasked.
    let count = stub.transport.count
    #expect(await failure { try await client.getLoggedInUser() }?.code == .invalidCredentials)
    #expect(stub.transport.count == count)
    // Asked to, it is.
    stub.setAccounts { $0[0].password = "apple" }
    try await client.authenticate()
    #expect(client.currentUser?.id == "11")
  }

  @Test(
    "Newzulu-N4: a check that could not be made leaves the session that there is",
    arguments: [
      Fault.refuseConnection, .dropAfterServerActed, .status(.internalServerError), .page("<h1>Hotel</h1>"), .garbage,
      .respond(response("{\"status\":false,\"message\":\"Invalid API key\",\"code\":100}")),
    ])
  func offline(_ fault: Fault) async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let session = try await client.authenticate()
    stub.transport.inject(fault)
    #expect(await failure { try await client.authenticate() } != nil)
    #expect(client.currentSession == session)
    stub.transport.setFaults()
    #expect(try await client.getLoggedInUser().id == "11")
    #expect(client.currentSession == session)
  }

  @Test("Newzulu-N5: a persistent store brings the session back without a request; another, or none, does not")
  func persistence() async throws {
    try await withTemporaryFolder { folder in
      let stub = NewzuluStub()
      let session = try await stub.ann(store: FileStore(folder: folder)).authenticate()
      let count = stub.transport.count

      let next = try stub.ann(store: FileStore(folder: folder))
      guard case .signedIn = await next.restore() else {
        Issue.record("not restored")
        return
      }
      #expect(next.currentSession == session)
      #expect(next.currentUser?.lastName == "Avery")
      #expect(stub.transport.count == count)
      #expect(try await next.getLoggedInUser().id == "11")
      #expect(stub.logins == 1)

      let other = try stub.ann(store: FileStore(folder: folder.appending(path: "other")))
      await other.restore()
      #expect(other.currentSession == nil)
      let ephemeral = try stub.ann()
      await ephemeral.restore()
      #expect(ephemeral.currentSession == nil)
    }
  }

  @Test("Newzulu-N6: a stored session of another address, tenant or platform is never used")
  func others() async throws {
    let stub = NewzuluStub()
    let store = EphemeralStore()
    try await stub.ann(store: store).authenticate()
    let elsewhere = NewzuluStub(url: URL(string: "http://other.test"))
    let clients: [(NewzuluClient, String, Secret, String?)] = [
      (try stub.client(), "ben@example.com", "banana", nil), (try stub.client(), "ann@example.com", "avocado", "1281"),
      (try elsewhere.client(), "ann@example.com", "apple", nil),
    ]
    for (client, email, password, vhost) in clients {
      client.setCredentials(email: email, password: password, userVHost: vhost, store: store)
      await client.restore()
      #expect(client.currentSession == nil)
      let user = try await client.getLoggedInUser()
      #expect(user.email == email)
    }
    #expect(stub.logins == 3)
    #expect(elsewhere.logins == 1)
    // The first one is still there for whom it belongs to.
    let ann = try stub.ann(store: store)
    await ann.restore()
    #expect(ann.currentUser?.id == "11")
  }

  @Test("Newzulu-N6: addresses and tenants that together spell the same are not confused")
  func ambiguous() async throws {
    let stub = NewzuluStub()
    let store = EphemeralStore()
    stub.setAccounts { accounts in
      accounts[0].email = "206 x"
      accounts[1].email = "x"
    }
    let client = try stub.client()
    client.setCredentials(email: "206 x", password: "apple", store: store)
    try await client.authenticate()
    let other = try stub.client()
    other.setCredentials(email: "x", password: "banana", userVHost: "206", store: store)
    await other.restore()
    #expect(other.currentSession == nil)
  }

  @Test("Newzulu-N9: other credentials supersede an authentication under way, which fails and changes nothing")
  func superseded() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: services, at: .nth(1))
    let client = try stub.ann()
    let first = Task { try await client.authenticate() }
    try await gate.waitForArrivals(1)
    client.setCredentials(email: "ben@example.com", password: "banana")
    #expect(await failure { try await first.value }?.code == .signedOut)
    let second = try await client.authenticate()
    gate.open()
    #expect(second.user.id == "12")
    #expect(try await client.getLoggedInUser().id == "12")
    #expect(client.currentUser?.id == "12")
  }

  @Test("Newzulu-N9: also when the server's yes has just come")
  func supersededAtTheEnd() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    client.onEvent { event in
      guard event.kind == .signedIn, event.user == "11" else { return }
      client.setCredentials(email: "ben@example.com", password: "banana")
    }
    #expect(await failure { try await client.authenticate() }?.code == .signedOut)
    #expect(client.currentSession == nil)
    #expect(try await client.getLoggedInUser().id == "12")
    #expect(client.currentUser?.id == "12")
  }

  @Test("Newzulu-N9: so does clearing them; nothing brings the session back")
  func cleared() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    let store = EphemeralStore()
    let client = try stub.ann(store: store)
    try await client.authenticate()
    stub.transport.inject(.holdResponse(gate), into: services, at: .nth(1))
    let authentication = Task { try await client.authenticate() }
    try await gate.waitForArrivals(1)
    #expect(await client.clearCredentials()?.isComplete == true)
    gate.open()
    #expect(await failure { try await authentication.value }?.code == .signedOut)
    #expect(client.currentSession == nil)
    #expect(await failure { try await client.getLoggedInUser() }?.code == .interactionRequired)
    let next = try stub.ann(store: store)
    await next.restore()
    #expect(next.currentSession == nil)
    #expect(await client.clearCredentials() == nil)
  }

  @Test("Invariant 1: a hundred callers authenticate once")
  func oneFlight() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: services, at: .nth(1))
    let client = try stub.ann()
    // Each has asked before the next is started, and all of them before the answer is there.
    let callers = (0..<100).map { _ in startAtOnce { try await client.authenticate() } }
    try await gate.waitForArrivals(1)
    gate.open()
    var proofs: Set<Secret> = []
    for caller in callers { proofs.insert(try #require(try await caller.value.proof.tokens["sessiontoken"])) }
    #expect(proofs.count == 1)
    #expect(stub.logins == 1)
  }

  @Test("Invariant 1: whoever asks while a password is being refused hears that it was, however late they listen")
  func oneRefusal() async throws {
    for _ in 0..<200 {
      let stub = NewzuluStub()
      let client = try stub.client()
      client.setCredentials(email: "ann@example.com", password: "wrong")
      let callers = (0..<8).map { _ in Task { await failure { try await client.authenticate() }?.code } }
      for caller in callers { #expect(await caller.value == .invalidCredentials) }
    }
  }

  @Test("Invariant 2: cancelling a caller disturbs neither the others nor the outcome")
  func cancelled() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: services, at: .nth(1))
    let client = try stub.ann()
    let first = Task { try await client.authenticate() }
    try await gate.waitForArrivals(1)
    let second = startAtOnce { try await client.authenticate() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    let session = try await second.value
    #expect(client.currentSession == session)
    #expect(stub.logins == 1)
  }

  @Test("Newzulu-N10: no store ever sees the password")
  func passwordAtRest() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let client = try stub.ann(store: store)
    try await client.authenticate()
    stub.dropSessions()
    _ = try await client.getLoggedInUser()
    #expect(store.saved.count >= 2)
    #expect(store.saved.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("apple") })
  }

  @Test("Newzulu-N11: a store that can't be written fails no login, and is reported")
  func fullStore() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    store.isFull = true
    let client = try stub.ann(store: store)
    let events = EventRecorder()
    client.onEvent(events.record)
    try await client.authenticate()
    #expect(client.currentUser?.id == "11")
    #expect(events.kinds.contains(.writeDelayed))
    #expect(client.history.contains { $0.kind == .writeDelayed })
  }

  @Test("Newzulu-N14: without credentials nobody can be authenticated")
  func none() async throws {
    let stub = NewzuluStub()
    let client = try stub.client()
    #expect(await failure { try await client.authenticate() }?.code == .interactionRequired)
    #expect(stub.transport.count == 0)
  }

  @Test("Events say what happened to whom, also after the account has changed")
  func events() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let events = EventRecorder()
    let stop = client.onEvent(events.record)
    try await client.authenticate()
    client.setCredentials(email: "ben@example.com", password: "banana")
    try await client.authenticate()
    #expect(events.events.filter { $0.kind == .signedIn }.map(\.user) == ["11", "12"])
    stop()
    try await client.authenticate()
    #expect(events.count(.signedIn) == 2)
  }
}

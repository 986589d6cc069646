import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Challenges: nobody is asked before one, and once for any number")
struct ChallengeTests {
  @Test("Without a gate in the way nobody signs in")
  func noGate() async throws {
    let world = GateWorld()
    world.removeGate()
    let manager = world.manager()
    #expect(try await AuthenticatedTransport(manager).send(ManagerFixture.request()).text == "come in")
    #expect(world.signIns == 0)
    #expect(world.transport.count == 1)
    #expect(manager.status.cause == .neverSignedIn)
  }

  @Test("A challenge of a bare request begins a sign-in that knows it, and the request is sent again")
  func first() async throws {
    let world = GateWorld()
    let seen = Locked<[Challenge?]>([])
    var client = GateWorld.Client()
    client.handler = { credential, context in
      guard case .byHandler = credential else { throw OstiaryError(.unsupportedCredential, "Not by the handler.") }
      seen.withLock { $0.append(context.challenge) }
    }
    let manager = world.manager(.byHandler, client)
    var request = ManagerFixture.request("/things?q", method: .post)
    request.body = Data("body".utf8)
    #expect(try await AuthenticatedTransport(manager).send(request).text == "come in")
    let challenge = try #require(seen.withLock { $0 }.first ?? nil)
    #expect(challenge.response.text == "who are you?")
    #expect(challenge.request.head.path == "/things?q")
    #expect(challenge.hasWholeBody)
    #expect(challenge.recognition == Recognition("asked who", mayHaveExecuted: false))
    #expect(world.executed == ["POST /things?q"])
    #expect(world.transport.requests.last?.body == Data("body".utf8))
    #expect(world.recorder.events.first?.cause == .challenged)
  }

  @Test("Invariant 10: what may have been executed is not sent again unasked")
  func mayHaveExecuted() async throws {
    let world = GateWorld()
    var client = GateWorld.Client()
    client.executes = true
    let http = AuthenticatedTransport(world.manager(.byHandler, client))
    let error = await failure { try await http.send(ManagerFixture.request(method: .post)) }
    #expect(error?.code == .replayUnsafe)
    #expect(world.signIns == 1)
    #expect(try await http.send(ManagerFixture.request(method: .post)).text == "come in")
  }

  @Test("A streamed response is recognised by its beginning")
  func streamed() async throws {
    let world = GateWorld()
    let seen = Locked<Challenge?>(nil)
    var client = GateWorld.Client()
    client.handler = { _, context in seen.withLock { $0 = context.challenge } }
    let http = AuthenticatedTransport(world.manager(.byHandler, client))
    let response = try await http.stream(ManagerFixture.request())
    #expect(try await response.body.collect(upTo: 100) == Data("come in".utf8))
    #expect(seen.withLock { $0?.hasWholeBody } == false)
    world.expire()
    // Nothing looks into what the authenticator says needs no looking.
    let blob = try await http.stream(ManagerFixture.request("/blob"))
    #expect(try await blob.body.collect(upTo: 100) == Data("who are you?".utf8))
    #expect(world.signIns == 1)
  }

  @Test("A stored session is used before anybody is challenged")
  func restored() async throws {
    let world = GateWorld()
    _ = try await AuthenticatedTransport(world.manager()).send(ManagerFixture.request())
    let next = world.manager()
    #expect(try await AuthenticatedTransport(next).send(ManagerFixture.request("/more")).text == "come in")
    #expect(world.signIns == 1)
    #expect(world.transport.requests.count { $0.head.path == "/more" } == 1)
  }

  @Test("A store that can't be read is no reason to go without a session")
  func storeUnavailable() async {
    let store = FaultyStore()
    store.lock()
    let world = GateWorld(store: store)
    let manager = world.manager()
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .storeUnavailable)
    #expect(world.transport.count == 0)
  }

  @Test("An app that must sign in itself gets interaction required for a challenge")
  func manual() async {
    let world = GateWorld()
    let manager = world.manager(.manual)
    let error = await failure { try await AuthenticatedTransport(manager).send(ManagerFixture.request()) }
    #expect(error?.code == .interactionRequired)
    #expect(world.signIns == 0)
  }

  @Test("A captive portal is reported as such and signs nobody out")
  func portal() async throws {
    let world = GateWorld()
    let manager = world.manager()
    let http = AuthenticatedTransport(manager)
    _ = try await http.send(ManagerFixture.request())
    world.transport.inject(.status(.networkAuthenticationRequired))
    let error = await failure { try await http.send(ManagerFixture.request()) }
    #expect(error?.code == .captivePortal)
    #expect(error?.isTransient == true)
    #expect(manager.status.isSignedIn)
    #expect(world.recorder.kinds == [.signedIn])
  }

  @Test("A session that is refused again and again ends in an error, not in a loop")
  func loop() async throws {
    let world = GateWorld()
    world.transport.on(.post, "/let-in") { _ in .status(.ok, headerFields: [.setCookie: "gate=wrong; Path=/; Secure"]) }
    let http = AuthenticatedTransport(world.manager())
    for _ in 0..<5 {
      let error = await failure { try await http.send(ManagerFixture.request()) }
      #expect(error?.code == .challengedAgain)
    }
    #expect(world.signIns <= 3)
  }

  @Test("A handler may find that it was no challenge: the response is delivered as it is")
  func notMine() async throws {
    let world = GateWorld()
    let asked = Locked(0)
    var client = GateWorld.Client()
    client.handler = { _, _ in
      asked.withLock { $0 += 1 }
      throw OstiaryError(.notChallenged, "Not mine.")
    }
    let manager = world.manager(.byHandler, client)
    let http = AuthenticatedTransport(manager)
    let responses = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await http.send(ManagerFixture.request()).text } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(responses == Array(repeating: "who are you?", count: 20))
    #expect(manager.status.cause == .neverSignedIn)
  }
}

import Foundation
import HTTPTypes
@testable import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Challenges: who waits, and what they are told")
struct WaitingTests {
  /// A client whose handler waits at a gate.
  private func client(_ gate: Gate, asked: Locked<Int> = Locked(0)) -> GateWorld.Client {
    var client = GateWorld.Client()
    client.handler = { _, _ in
      asked.withLock { $0 += 1 }
      try await gate.pass()
    }
    return client
  }

  private func send(_ count: Int, _ http: AuthenticatedTransport) -> [Task<TransportResponse, any Error>] {
    (0..<count).map { number in Task { try await http.send(ManagerFixture.request("/things/\(number)")) } }
  }

  @Test("Gateway-G2: 20 challenged requests are one question; when it is answered all are sent again")
  func answered() async throws {
    let world = GateWorld()
    let gate = Gate()
    let asked = Locked(0)
    let http = AuthenticatedTransport(world.manager(.byHandler, client(gate, asked: asked)))
    let requests = send(20, http)
    try await gate.waitForArrivals(1)
    gate.open()
    for request in requests { #expect(try await request.value.text == "come in") }
    #expect(asked.withLock { $0 } == 1)
    #expect(world.executed.count == 20)
  }

  @Test("Gateway-G2: after cancelling all 20 fail, also those whose challenge arrives late, and nobody is asked again")
  func cancelled() async throws {
    let world = GateWorld()
    let gate = Gate()
    let late = Gate()
    let asked = Locked(0)
    let manager = world.manager(.byHandler, client(gate, asked: asked))
    world.transport.inject(.holdResponse(late), into: .path("/things/late"))
    let http = AuthenticatedTransport(manager)
    let early = Task { try await http.send(ManagerFixture.request("/things/late")) }
    try await late.waitForArrivals(1)
    let requests = send(19, http) + [early]
    try await gate.waitForArrivals(1)
    #expect(manager.cancelSignIn())
    late.open()
    for request in requests {
      let error = await failure { try await request.value }
      #expect(error?.code == .interactionCancelled)
    }
    #expect(asked.withLock { $0 } == 1)
    #expect(!manager.cancelSignIn())
    // The next request is a new matter.
    gate.open()
    #expect(try await http.send(ManagerFixture.request()).text == "come in")
    #expect(asked.withLock { $0 } == 2)
  }

  @Test("Gateway-G3: a challenge from before the sign-in is answered by it, without a second question")
  func lateChallenge() async throws {
    let world = GateWorld()
    let late = Gate()
    let asked = Locked(0)
    var client = GateWorld.Client()
    client.handler = { _, _ in asked.withLock { $0 += 1 } }
    let http = AuthenticatedTransport(world.manager(.byHandler, client))
    world.transport.inject(.holdResponse(late), into: .path("/late"), at: .nth(1))
    let request = Task { try await http.send(ManagerFixture.request("/late", method: .post)).text }
    try await late.waitForArrivals(1)
    #expect(try await http.send(ManagerFixture.request()).text == "come in")
    late.open()
    #expect(try await request.value == "come in")
    #expect(asked.withLock { $0 } == 1)
    #expect(world.executed == ["GET /things", "POST /late"])
  }

  @Test("Requests that start while somebody is asked wait, and carry the new proof from the start")
  func started() async throws {
    let world = GateWorld()
    let gate = Gate()
    let http = AuthenticatedTransport(world.manager(.byHandler, client(gate)))
    let first = send(1, http)
    try await gate.waitForArrivals(1)
    let second = Task { try await http.send(ManagerFixture.request("/second")).text }
    gate.open()
    #expect(try await second.value == "come in")
    for request in first { _ = try await request.value }
    #expect(world.transport.requests.count { $0.head.path == "/second" } == 1)
  }

  @Test("Gateway-G15: a handler that never answers, and ignores being cancelled, is timed out")
  func timedOut() async throws {
    let world = GateWorld()
    let asked = Gate()
    let never = Locked<[CheckedContinuation<Void, Never>]>([])
    var client = GateWorld.Client()
    client.handler = { _, _ in
      await withCheckedContinuation { continuation in
        never.withLock { $0.append(continuation) }
        Task { try await asked.pass() }
      }
    }
    let manager = world.manager(.byHandler, client) { $0.signInPatience = .seconds(60) }
    let http = AuthenticatedTransport(manager)
    let requests = send(5, http)
    try await asked.waitForArrivals(1)
    try await world.clock.waitForSleepers()
    world.clock.advance(by: .seconds(61))
    for request in requests {
      let error = await failure { try await request.value }
      #expect(error?.code == .signInTimedOut)
    }
    #expect(world.recorder.events.last?.cause == .timedOut)
    // Its late answer changes nothing.
    for continuation in never.withLock({ $0 }) { continuation.resume() }
    #expect(manager.current == nil)
    #expect(manager.status.cause == .neverSignedIn)
  }

  @Test("Cancelling a sign-in keeps the session that it would have replaced for later")
  func cancelKeeps() async throws {
    let world = GateWorld()
    let gate = Gate(isOpen: true)
    let manager = world.manager(.byHandler, client(gate))
    let http = AuthenticatedTransport(manager)
    _ = try await http.send(ManagerFixture.request())
    gate.close()
    world.expire()
    let requests = send(3, http)
    try await gate.waitForWaiting(1)
    #expect(manager.cancelSignIn())
    for request in requests { #expect(await failure { try await request.value }?.code == .interactionCancelled) }
    #expect(manager.status.error?.code == .interactionCancelled)
    #expect(!world.recorder.kinds.contains(.signedOut))
    gate.open()
    #expect(try await http.send(ManagerFixture.request()).text == "come in")
  }

  @Test("Cancelling one of those who wait disturbs no other")
  func oneCancelled() async throws {
    let world = GateWorld()
    let gate = Gate()
    let http = AuthenticatedTransport(world.manager(.byHandler, client(gate)))
    let requests = send(10, http)
    try await gate.waitForArrivals(1)
    for request in requests.prefix(5) { request.cancel() }
    for request in requests.prefix(5) {
      await #expect(throws: CancellationError.self) { try await request.value }
    }
    gate.open()
    for request in requests.dropFirst(5) { #expect(try await request.value.text == "come in") }
    #expect(world.signIns == 1)
  }

  @Test("Signing out while somebody is asked ends the waiting")
  func signedOut() async throws {
    let world = GateWorld()
    let gate = Gate()
    let manager = world.manager(.byHandler, client(gate))
    let requests = send(3, AuthenticatedTransport(manager))
    try await gate.waitForArrivals(1)
    // A request that comes after the sign-out asks anew.
    try await waitUntil { manager.driver.withKept { $0.callers.count } == 3 }
    await manager.signOut()
    for request in requests { #expect(await failure { try await request.value }?.code == .signedOut) }
  }

  @Test("A person who is being asked in one process keeps no other from its session", .timeLimit(.minutes(5)))
  func noLockHeld() async throws {
    let world = GateWorld()
    let gate = Gate()
    let slow = AuthenticatedTransport(world.manager(.byHandler, client(gate)))
    let waiting = send(1, slow)
    try await gate.waitForArrivals(1)
    #expect(try await AuthenticatedTransport(world.manager()).send(ManagerFixture.request()).text == "come in")
    gate.open()
    // What the slow one was given is not needed any more.
    for request in waiting { #expect(try await request.value.text == "come in") }
    try await world.transport.waitForRequests(1, to: .post, "/leave")
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// RFC 9470: a server wants a stronger or more recent sign-in before it acts.
@Suite("StepUp: one question, and a session that is as good as before", .timeLimit(.minutes(20)))
struct StepUpTests {
  @Test("StepUp-1: a thousand requests wait for one question, and all are answered")
  func thousand() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    let gate = Gate()
    world.state.withLock { $0.gate = gate }
    let requests = Task {
      try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for _ in 0..<1000 { group.addTask { try await world.get(manager) } }
        return try await group.reduce(into: 0) { $0 += $1 == .ok ? 1 : 0 }
      }
    }
    try await world.transport.waitForRequests(1000, to: .get, "/secure")
    try await gate.waitForWaiting()
    #expect(try await world.get(manager, "/things") == .ok, "what needs no stronger sign-in does not wait")
    gate.open()
    #expect(try await requests.value == 1000)
    #expect(world.questions == 1)
    #expect(manager.current?.user.id == "ann")
    #expect(world.recorder.events.last?.cause == .strongerSignInDemanded)
    #expect(try await world.get(manager) == .ok)
    #expect(world.questions == 1)
  }

  @Test("StepUp-1: the session is renewed as ever while the user is asked")
  func renewal() async throws {
    let world = StepUpWorld(lifetime: .seconds(100))
    let manager = try await world.signedIn()
    let gate = Gate()
    world.state.withLock { $0.gate = gate }
    let request = Task { try await world.get(manager) }
    try await gate.waitForWaiting()
    world.clock.advance(by: .seconds(200))
    #expect(try await world.get(manager, "/things") == .ok)
    #expect(world.server.counts.renewals == 1)
    gate.open()
    #expect(try await request.value == .ok)
    #expect(world.questions == 1)
  }

  enum Ending: Sendable, CaseIterable { case declined, cancelled, timedOut, another }

  @Test(
    "StepUp-2: declined, cancelled, timed out, answered by another user: a typed error, and the session works",
    arguments: Ending.allCases)
  func endings(_ ending: Ending) async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn { $0.signInPatience = .seconds(60) }
    let before = try #require(manager.current)
    let gate = Gate()
    world.state.withLock { state in
      state.gate = gate
      state.answer = ending == .another ? .another : .decline
    }
    let requests = (0..<20).map { _ in Task { await failure { try await world.get(manager) } } }
    try await world.transport.waitForRequests(20, to: .get, "/secure")
    try await gate.waitForWaiting()
    switch ending {
    case .declined, .another: gate.open()
    case .cancelled: #expect(manager.cancelSignIn())
    case .timedOut:
      try await world.clock.waitForSleepers()
      world.clock.advance(by: .seconds(61))
    }
    for request in requests {
      let error = try #require(await request.value)
      #expect(error.code == .strongerSignInNeeded)
      let cause = (error.underlying as? OstiaryError)?.code
      switch ending {
      case .declined, .cancelled: #expect(cause == .interactionCancelled)
      case .timedOut: #expect(cause == .signInTimedOut)
      case .another: #expect(cause == .anotherUser)
      }
    }
    gate.open()
    try await manager.flush()
    #expect(manager.current == before)
    #expect(try await world.get(manager, "/things") == .ok)
    #expect(world.server.signedInUsers == ["ann"], "another user's sign-in is ended")
    #expect(!world.recorder.kinds.contains(.signedOut))
    world.state.withLock { state in
      state.gate = nil
      state.answer = .signIn
    }
    let questions = world.questions
    #expect(try await world.get(manager) == .ok, "a later request asks anew")
    #expect(world.questions == questions + 1)
  }

  @Test(
    "StepUp-10: that the user is asked is told, and what came of it, once each and in order", arguments: Ending.allCases
  )
  func told(_ ending: Ending) async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn { $0.signInPatience = .seconds(60) }
    let gate = Gate()
    world.state.withLock { state in
      state.gate = gate
      state.answer = ending == .another ? .another : .decline
    }
    let request = Task { await failure { try await world.get(manager) } }
    try await gate.waitForWaiting()
    switch ending {
    case .declined, .another: gate.open()
    case .cancelled: manager.cancelSignIn()
    case .timedOut:
      try await world.clock.waitForSleepers()
      world.clock.advance(by: .seconds(61))
    }
    #expect(await request.value?.code == .strongerSignInNeeded)
    let events = world.recorder.events.filter { [.strongerSignInAsked, .strongerSignInFailed].contains($0.kind) }
    #expect(events.map(\.kind) == [.strongerSignInAsked, .strongerSignInFailed])
    #expect(events.first?.cause == .strongerSignInDemanded && events.first?.detail == "The server wants more.")
    switch ending {
    case .declined, .cancelled: #expect(events.last?.cause == .declined)
    case .timedOut: #expect(events.last?.cause == .timedOut)
    case .another: #expect(events.last?.cause == .anotherUser)
    }
    #expect(events.allSatisfy { $0.user == "ann" })
    #expect(events.last?.description.contains("the stronger sign-in did not happen because") == true)
    gate.open()
    try await manager.flush()
  }

  @Test("StepUp-10: a stronger sign-in is told as what it is; a sign-out meanwhile is told as nothing else")
  func toldOutcome() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    #expect(try await world.get(manager) == .ok)
    #expect(world.recorder.kinds == [.signedIn, .strongerSignInAsked, .signedIn])
    #expect(world.recorder.events.last?.cause == .strongerSignInDemanded)
    let other = StepUpWorld()
    let leaving = try await other.signedIn()
    let gate = Gate()
    other.state.withLock { $0.gate = gate }
    let request = Task { await failure { try await other.get(leaving) } }
    try await gate.waitForWaiting()
    await leaving.signOut()
    #expect(await request.value?.code == .signedOut)
    gate.open()
    try await leaving.flush()
    #expect(!other.recorder.kinds.contains(.strongerSignInFailed))
  }

  @Test("StepUp-2: a request that was sent before the user declined is not asked about again")
  func late() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    world.state.withLock { $0.answer = .decline }
    let held = Gate()
    world.transport.inject(.holdResponse(held), into: .get("/secure"), at: .nth(1))
    let late = Task { await failure { try await world.get(manager) } }
    try await held.waitForArrivals()
    #expect(await failure { try await world.get(manager) }?.code == .strongerSignInNeeded)
    #expect(world.questions == 1)
    held.open()
    #expect(await late.value?.code == .strongerSignInNeeded)
    #expect(world.questions == 1)
  }

  @Test("StepUp-3: without a way to ask, the app gets the server's answer, and nothing is asked")
  func impossible() async throws {
    let world = StepUpWorld()
    let manager = world.manager(stepsUp: false)
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(try await world.get(manager) == .unauthorized)
    #expect(world.questions == 0)
    #expect(world.recorder.kinds == [.signedIn])
  }

  @Test("StepUp-3: a server that is not content with what it got answers the app; no question follows a question")
  func notEnough() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    world.transport.on(.get, "/secure") { _ in
      .status(.unauthorized, headerFields: [.wwwAuthenticate: "step-up"])
    }
    #expect(try await world.get(manager) == .unauthorized)
    #expect(world.questions == 1)
  }

  @Test("StepUp-3: a request whose session was renewed on its way still has its question")
  func afterRenewal() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    world.server.expireAccessTokens()
    #expect(try await world.get(manager) == .ok)
    #expect(world.server.counts.renewals == 1 && world.questions == 1)
  }

  @Test("StepUp-4: a request with a method that is not safe is sent again, as the server has not acted on it")
  func post() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    let request = ManagerFixture.request("/secure", method: .post)
    #expect(try await AuthenticatedTransport(manager).send(request).status == .ok)
    #expect(world.questions == 1)
  }

  @Test("StepUp-4: a request that may never be sent again is answered without a question")
  func never() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    var request = ManagerFixture.request("/secure")
    request.replay = .never
    #expect(try await AuthenticatedTransport(manager).send(request).status == .unauthorized)
    #expect(world.questions == 0)
  }

  @Test("StepUp-5: a sign-out ends the question, and what the user still answers")
  func signOut() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    let gate = Gate()
    world.state.withLock { $0.gate = gate }
    let request = Task { await failure { try await world.get(manager) } }
    try await gate.waitForWaiting()
    await manager.signOut()
    #expect(await request.value?.code == .signedOut)
    gate.open()
    try await manager.flush()
    #expect(manager.current == nil)
    #expect(world.server.signedInUsers == [])
  }

  @Test("StepUp-5: an answer that can't be verified now is kept: the next request asks no user")
  func kept() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    world.state.withLock { state in
      state.answer = .unidentified
      state.identification = OstiaryError(.serverUnavailable, "No keys.")
    }
    let error = await failure { try await world.get(manager) }
    #expect(error?.code == .strongerSignInNeeded && error?.isTransient == true)
    #expect(try await world.get(manager, "/things") == .ok)
    world.state.withLock { $0.identification = nil }
    #expect(try await world.get(manager) == .ok)
    #expect(world.questions == 1)
  }

  @Test("StepUp-6: another process takes the stronger sign-in from the store, and asks no user")
  func anotherProcess() async throws {
    let world = StepUpWorld()
    let here = try await world.signedIn()
    let there = world.manager()
    _ = await there.restore()
    #expect(try await world.get(here) == .ok)
    #expect(try await world.get(there) == .ok)
    #expect(world.questions == 1)
    #expect(here.current?.version.lineage == there.current?.version.lineage)
  }

  @Test("StepUp-6: a sign-out in another process is not undone by the answer")
  func signedOutElsewhere() async throws {
    let world = StepUpWorld()
    let here = try await world.signedIn()
    let there = world.manager()
    let gate = Gate()
    world.state.withLock { $0.gate = gate }
    let request = Task { await failure { try await world.get(here) } }
    try await gate.waitForWaiting()
    await there.signOut()
    gate.open()
    #expect(await request.value?.code == .signedOut)
    try await here.flush()
    #expect(here.current == nil)
    #expect(try await !world.store.holdsSession(for: here.key))
    #expect(world.server.signedInUsers == [])
  }

  @Test("StepUp-7: cancelling a request leaves the question to the others")
  func cancelledCaller() async throws {
    let world = StepUpWorld()
    let manager = try await world.signedIn()
    let gate = Gate()
    world.state.withLock { $0.gate = gate }
    let first = Task { try await world.get(manager) }
    try await gate.waitForWaiting()
    let second = Task { try await world.get(manager) }
    try await world.transport.waitForRequests(2, to: .get, "/secure")
    first.cancel()
    _ = try? await first.value
    gate.open()
    #expect(try await second.value == .ok)
    #expect(world.questions == 1)
  }
}

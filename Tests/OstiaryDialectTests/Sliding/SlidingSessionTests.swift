import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Sessions of cookies alone that slide")
struct SlidingSessionTests {
  private let api = SlidingAPI()

  @Test("DIA-slide: the dates of cookies move the end with each answer, and nothing else is sent for it")
  func dates() async throws {
    let manager = try api.manager()
    _ = try await manager.session()
    #expect(manager.secondsLeft(api.clock) == 1800)
    for _ in 0..<4 {
      api.clock.advance(by: .seconds(1000))
      #expect(try await manager.things() == 200)
      #expect(manager.secondsLeft(api.clock) == 1800)
    }
    #expect(api.asked == 1 && api.checks == 1)
    // Nothing for longer than that: the user is asked, once.
    api.clock.advance(by: .seconds(1801))
    #expect(try await manager.things() == 200)
    #expect(api.asked == 2 && api.state.withLock { $0.logins } == 2)
    #expect(manager.secondsLeft(api.clock) == 1800)
  }

  @Test("DIA-slide: where cookies have no dates, the document's time counts from the last answer, with few writes")
  func idle() async throws {
    api.state.withLock { ($0.maxAge, $0.sets) = (nil, false) }
    let store = EphemeralStore()
    let manager = try api.manager(store: store) { $0.renewal.idle = 1800 }
    _ = try await manager.session()
    #expect(manager.secondsLeft(api.clock) == 1800)
    api.clock.advance(by: .seconds(100))
    #expect(try await manager.things() == 200)
    #expect(manager.secondsLeft(api.clock) == 1700, "a tenth has not gone")
    api.clock.advance(by: .seconds(100))
    #expect(try await manager.things() == 200)
    #expect(manager.secondsLeft(api.clock) == 1800)
    // What an overloaded server answers prolongs nothing.
    api.clock.advance(by: .seconds(1000))
    api.state.withLock { $0.isBusy = true }
    #expect(try await manager.things() == 503)
    #expect(manager.secondsLeft(api.clock) == 800)
    api.state.withLock { $0.isBusy = false }
    api.clock.advance(by: .seconds(700))
    #expect(try await manager.things() == 200)
    #expect(manager.secondsLeft(api.clock) == 1800)
    #expect(api.asked == 1 && api.checks == 1)
  }

  @Test("DIA-slide: without dates and without a number only the server knows the end")
  func unknown() async throws {
    api.state.withLock { $0.maxAge = nil }
    let manager = try api.manager()
    _ = try await manager.session()
    #expect(manager.current != nil && manager.current?.expiresAt == nil)
    api.clock.advance(by: .seconds(1700))
    #expect(try await manager.things() == 200)
    #expect(manager.current?.expiresAt == nil && api.asked == 1)
  }

  @Test("DIA-slide: what is over by its date, and prolonged elsewhere, goes on after one question to the server")
  func prolongedElsewhere() async throws {
    api.state.withLock { ($0.maxAge, $0.sets) = (nil, false) }
    let manager = try api.manager { $0.renewal.idle = 1800 }
    _ = try await manager.session()
    api.clock.advance(by: .seconds(2000))
    let now = api.clock.now
    api.state.withLock { $0.until = now.addingTimeInterval(60) }
    #expect(try await manager.things() == 200)
    #expect(api.asked == 1 && api.checks == 2)
    #expect(manager.secondsLeft(api.clock) == 1800)
    // A server that can't answer says nothing of the session, and one that can't be reached doesn't either.
    for fault in [Fault.status(.serviceUnavailable), .refuseConnection] {
      api.clock.advance(by: .seconds(2000))
      api.transport.setFaults()
      api.transport.inject(fault, into: .get("/me"))
      #expect(await failure { try await manager.things() }?.isTransient == true)
      #expect(manager.current != nil && api.asked == 1)
    }
  }

  @Test("DIA-slide: another user's answer ends the session, and a server that takes the cookies away does not")
  func otherAnswers() async throws {
    api.state.withLock { ($0.maxAge, $0.sets) = (nil, false) }
    let authenticator = try DialectAuthenticator(
      dialect: SlidingAPI.dialect { $0.renewal.idle = 1800 }, server: try #require(TokenAPI.url))
    let manager = try api.manager { $0.renewal.idle = 1800 }
    let session = try await manager.session()
    let context = AuthenticationContext(transport: api.transport, clock: api.clock)
    api.transport.on(.get, "/me") { _ in .json(["id": 8]) }
    let other = await failure { try await authenticator.renew(session, in: context) }
    #expect(other?.code == .anotherUser && other?.disposition == .terminal)
    api.transport.on(.get, "/me") { _ in .json(["id": 7], headerFields: [.setCookie: "sid=; Path=/; Max-Age=0"]) }
    let taken = await failure { try await authenticator.renew(session, in: context) }
    #expect(taken?.isTransient == true && taken?.message.contains("took its cookies away") == true)
  }

  // MARK: Newer values

  @Test("DIA-slide: a newer value is stored before the caller has the answer, and another program goes on with it")
  func stored() async throws {
    api.state.withLock { $0.rolls = true }
    let store = EphemeralStore()
    let first = try api.manager(store: store)
    _ = try await first.session()
    for _ in 0..<3 {
      #expect(try await first.things() == 200)
      let second = try api.manager(store: store)
      _ = await second.restore()
      #expect(second.sid == first.sid && second.sid == "planted-sid-\(api.state.withLock { $0.number })")
      // The server takes the newest alone from now on.
      api.state.withLock { state in state.live = ["planted-sid-\(state.number)"] }
    }
    #expect(api.asked == 1)
  }

  @Test("DIA-slide: of two answers at once that each set the cookie, the one that the server takes is not lost")
  func atOnce() async throws {
    api.state.withLock { $0.rolls = true }
    let manager = try api.manager()
    _ = try await manager.session()
    let gate = Gate()
    api.transport.inject(.holdResponse(gate), into: .get("/things"), at: .first(2))
    let requests = (0..<2).map { _ in Task { try await manager.things() } }
    try await gate.waitForArrivals(2)
    gate.open()
    for request in requests { #expect(try await request.value == 200) }
    let held = try #require(manager.sid)
    let number = api.state.withLock { $0.number }
    let other = try #require([number, number - 1].map { "planted-sid-\($0)" }.first { $0 != held })
    api.state.withLock { $0.live = [other] }
    #expect(try await manager.things() == 200)
    #expect(api.asked == 1)
  }

  @Test("DIA-slide: a late answer of an earlier sign-in changes nothing of the next one")
  func late() async throws {
    api.state.withLock { $0.rolls = true }
    let manager = try api.manager()
    _ = try await manager.session()
    let gate = Gate()
    api.transport.inject(.holdResponse(gate), into: .get("/things"), at: .first(1))
    let request = Task { try? await manager.things() }
    try await gate.waitForArrivals(1)
    await manager.signOut()
    let session = try await manager.session()
    gate.open()
    _ = await request.value
    #expect(manager.current?.proof == session.proof && manager.current?.version == session.version)
    #expect(manager.current?.expiresAt == session.expiresAt)
    #expect(try await manager.things() == 200)
    #expect(api.asked == 2)
  }

  @Test("DIA-slide: what one program has prolonged is good for another, which asks nothing")
  func programs() async throws {
    let store = EphemeralStore()
    let first = try api.manager(store: store)
    _ = try await first.session()
    let second = try api.manager(store: store)
    _ = await second.restore()
    api.clock.advance(by: .seconds(1000))
    #expect(try await first.things() == 200)
    try await first.flush()
    api.clock.advance(by: .seconds(1000))
    #expect(try await second.things() == 200)
    #expect(api.asked == 1 && api.checks == 1)
    #expect(second.secondsLeft(api.clock) == 1800)
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// A bare 401 may be a portal's: the server is asked, also where a part of the proof has come since the request was sent.
@Suite("Doubt about proof while a part of it comes", .timeLimit(.minutes(20)))
struct PartDoubtTests {
  private let things = "/things"

  /// - Parameter isPortal: whether the doubtful answer is another's; otherwise the session's own token is over.
  private func world(isPortal: Bool, checkpoint: Checkpoint? = nil) async throws -> (PartWorld, SessionManager) {
    let world = PartWorld(checkpoint: checkpoint)
    let manager = try await world.signedIn()
    if isPortal { world.state.withLock { $0.isPortal = true } } else { world.endOwnToken() }
    return (world, manager)
  }

  private func expectOneLook(_ world: PartWorld, _ status: HTTPResponse.Status, isPortal: Bool) {
    #expect(status == (isPortal ? .unauthorized : .ok))
    #expect(world.transport.count(.get, "/me") == 1, "the server is asked once")
    #expect(world.transport.count(.get, things) == (isPortal ? 1 : 2))
    #expect(world.transport.count(.post, "/renew") == (isPortal ? 0 : 1))
    #expect(world.wrongRenewals == 0 && world.recorder.count(.signedOut) == 0)
  }

  @Test("RES-14: of what was shown before a part came the server is asked, once", arguments: [true, false])
  func cameBefore(isPortal: Bool) async throws {
    let (world, manager) = try await world(isPortal: isPortal)
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .get(things), at: .nth(1))
    let late = Task { try await world.get(manager, things) }
    try await gate.waitForArrivals()
    #expect(try await world.get(manager, "/part/list") == .ok)
    gate.open()
    expectOneLook(world, try await late.value, isPortal: isPortal)
  }

  @Test("RES-14: so it is where the part is still on its way", arguments: [true, false])
  func comesMeanwhile(isPortal: Bool) async throws {
    let (world, manager) = try await world(isPortal: isPortal)
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .post("/renew-part"), at: .nth(1))
    let part = Task { try await world.get(manager, "/part/list") }
    try await gate.waitForArrivals()
    let doubtful = startAtOnce { try await world.get(manager, things) }
    try await waitUntil { world.transport.count(.get, things) == 1 }
    gate.open()
    #expect(try await part.value == .ok)
    expectOneLook(world, try await doubtful.value, isPortal: isPortal)
  }

  @Test(
    "RES-14: whatever the order, no request is refused that a renewal makes good",
    arguments: Storm.seeds(60, full: 1_000))
  func orders(seed: UInt64) async throws {
    let isPortal = seed.isMultiple(of: 2)
    let scheduler = SeededScheduler(seed: seed)
    let (world, manager) = try await world(isPortal: isPortal, checkpoint: scheduler.checkpoint)
    let seen = Locked<[String]>([])
    let get: @Sendable () async -> Void = {
      do {
        let status = try await world.get(manager, "/things")
        seen.withLock { $0.append("\(status.code)") }
      } catch {
        seen.withLock { $0.append("\(error)") }
      }
    }
    let parts = Locked<[String]>([])
    try await scheduler.run([
      "first": get, "second": get,
      "part": {
        do {
          let status = try await world.get(manager, "/part/list")
          parts.withLock { $0.append("\(status.code)") }
        } catch {
          parts.withLock { $0.append("\(error)") }
        }
      },
    ])
    #expect(seen.withLock { Set($0) } == [isPortal ? "401" : "200"], "\(scheduler)")
    #expect(parts.withLock { $0 } == ["200"], "\(scheduler)")
    #expect(world.transport.count(.post, "/renew") == (isPortal ? 0 : 1), "\(scheduler)")
    #expect(world.transport.count(.post, "/renew-part") == 1, "\(scheduler)")
    #expect(world.wrongRenewals == 0 && world.recorder.count(.signedOut) == 0, "\(scheduler)")
  }

  @Test(
    "RES-15: what the server says of a user, or a cookie of no account, leaves it known since when the proof is the same",
    arguments: [true, false])
  func content(isCookie: Bool) async throws {
    let world = PartWorld()
    let manager = try await world.signedIn()
    let gate = Gate()
    world.transport.on(.get, "/late") { _ in
      world.transport.count(.get, "/late") == 1 ? .status(.forbidden) : .json(["ok": true])
    }
    world.transport.inject(.holdResponse(gate), into: .get("/late"), at: .nth(1))
    let late = Task { try await world.get(manager, "/late") }
    try await gate.waitForArrivals()
    #expect(try await world.get(manager, "/part/list") == .ok)
    if isCookie {
      world.transport.on(.get, "/set") { _ in .status(.ok, headerFields: [.setCookie: "colour=red; Path=/"]) }
      #expect(try await world.get(manager, "/set") == .ok)
      #expect(manager.current?.proof.cookies.count == 1)
    } else {
      #expect(await manager.verify().isSignedIn)
      #expect(manager.current?.attributes["asked"] == true)
    }
    gate.open()
    #expect(try await late.value == .ok)
    #expect(world.transport.count(.post, "/renew") == 1, "the refusal counts")
    #expect(world.recorder.count(.rejected) == 1)
  }

  @Test("RES-15: another manager's part leaves it known since when the session's own token is the same")
  func partOfAnother() async throws {
    let world = PartWorld()
    let here = try await world.signedIn()
    let there = SessionManager(
      authenticator: PartClient(), transport: world.transport, store: world.store, clock: world.clock)
    let gate = Gate()
    world.transport.on(.get, "/late") { _ in
      world.transport.count(.get, "/late") == 1 ? .status(.forbidden) : .json(["ok": true])
    }
    world.transport.inject(.holdResponse(gate), into: .get("/late"), at: .nth(1))
    let late = Task { try await world.get(here, "/late") }
    try await gate.waitForArrivals()
    #expect(try await world.get(there, "/part/list") == .ok)
    // It takes over what the other has stored.
    #expect(try await world.get(here, "/part/list") == .ok)
    #expect(world.transport.count(.post, "/renew-part") == 1)
    gate.open()
    #expect(try await late.value == .ok)
    #expect(world.transport.count(.post, "/renew") == 1, "the refusal counts")
  }
}

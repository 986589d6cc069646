import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Gateway door: requests that wait", .timeLimit(.minutes(10)))
struct HeldRequestsTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private static func held(
    _ storage: ServerStorage, _ capacity: Int = 100_000, address: Int = 100_000, seal: PageSeal? = nil
  ) -> HeldRequests {
    HeldRequests(
      storage, capacity: capacity, addressCapacity: address, seal: seal ?? PageSeal(storage.key, of: "gateway"))
  }

  private static func request(_ number: Int, size: Int = 0) -> HeldRequest {
    HeldRequest(method: "POST", target: "/\(number)", contentType: nil, body: Data(repeating: 1, count: size))
  }

  private static func size(_ storage: ServerStorage) async throws -> Int {
    try await storage.read { db in try db.count(HeldStatements.sql.size) }
  }

  @Test("GW-07: kept requests are encrypted for their sender, and all of them together are bounded")
  func encrypted() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let held = Self.held(storage, 10_000)
    var ids: [String] = []
    for number in 0..<30 {
      let id = try await held.hold(
        Self.request(number, size: 900), browser: "CANARY", address: ClientAddress("192.0.2.\(number)"), now: Self.now)
      ids.append(try #require(id))
      #expect(try await Self.size(storage) <= 10_000)
    }
    var kept: [Int] = []
    for (number, id) in ids.enumerated() {
      if try await held.holds(id, browser: "CANARY", target: "/\(number)", now: Self.now) { kept.append(number) }
    }
    #expect((1..<10).contains(kept.count) && kept.last == 29)
    #expect(held.pushedOut.total == 30 - kept.count && held.pushedOut.ofAddress == 0)
    let id = try #require(ids.last)
    #expect(try await !held.holds(id, browser: "other", target: "/29", now: Self.now))
    #expect(try await !held.holds(id, browser: "CANARY", target: "/other", now: Self.now))
    #expect(try await !held.holds(id, browser: "CANARY", target: "/29", now: Self.now + HeldRequests.lifetime))
    let stranger = Self.held(storage, seal: PageSeal(.temporary(), of: "gateway"))
    #expect(try await !stranger.holds(id, browser: "CANARY", target: "/29", now: Self.now))
    var said = ""
    dump(held, to: &said)
    #expect(!said.contains("/29"))
    #expect(
      try await held.hold(Self.request(0, size: 20_000), browser: "b", address: nil, now: Self.now) == nil)
    // Neither what was sent, nor the id, nor the address, nor the proof of the sender is stored.
    let texts = try await storage.read { db in
      try db.test.rows("SELECT id, address, sealed, session FROM held_requests")
    }.flatMap { $0 }
    #expect(!texts.isEmpty)
    for text in texts {
      for secret in ["CANARY", id, "/29", "192.0.2.29"] { #expect(text.range(of: Data(secret.utf8)) == nil) }
    }
    try await storage.close()
  }

  @Test("GW-07: at three servers, however many ask at once, a request is taken once")
  func once() async throws {
    try await ThreeNodes.run { nodes in
      let held = nodes.storages.map { Self.held($0) }
      for round in 0..<10 {
        let id = try #require(
          try await held[round % 3].hold(Self.request(0), browser: "b", address: nil, now: Self.now))
        let session = Secret("s\(round)")
        #expect(try await held[(round + 1) % 3].holds(id, browser: "b", target: "/0", now: Self.now))
        #expect(
          try await held[0].take(session: session, browser: "b", target: "/0", now: Self.now) == nil, "not released")
        #expect(try await held[(round + 2) % 3].arm(id, session: session, now: Self.now))
        #expect(try await held[0].take(session: "other", browser: "b", target: "/0", now: Self.now) == nil)
        #expect(try await held[0].take(session: session, browser: "other", target: "/0", now: Self.now) == nil)
        #expect(try await held[0].take(session: session, browser: "b", target: "/1", now: Self.now) == nil)
        let taken = try await nodes.parallel(12, at: held) { held, _ in
          try await held.take(session: session, browser: "b", target: "/0", now: Self.now)?.target
        }
        #expect(taken.compactMap { $0 } == ["/0"])
        #expect(try await !held[1].arm(id, session: session, now: Self.now))
      }
      #expect(try await Self.size(nodes.storages[0]) == 0)
    }
  }

  @Test("A request that was discarded, or has waited for ten minutes, is sent by nobody")
  func ends() async throws {
    let storage = try ServerStorage.forTest()
    let held = Self.held(storage)
    let session = Secret("s")
    let one = try #require(try await held.hold(Self.request(1), browser: "b", address: nil, now: Self.now))
    let two = try #require(try await held.hold(Self.request(2), browser: "b", address: nil, now: Self.now))
    for id in [one, two] { #expect(try await held.arm(id, session: session, now: Self.now)) }
    try await held.drop(one)
    #expect(try await held.take(session: session, browser: "b", target: "/1", now: Self.now) == nil)
    let end = Self.now + HeldRequests.lifetime
    #expect(try await held.take(session: session, browser: "b", target: "/2", now: end) == nil)
    #expect(try await !held.arm(two, session: session, now: end))
    // The next one removes it.
    _ = try await held.hold(Self.request(3), browser: "b", address: nil, now: end)
    #expect(try await storage.read { db in try db.test.first(Int.self, "SELECT count(*) FROM held_requests") } == 1)
    // Two for two addresses.
    let (four, five) = (
      try #require(try await held.hold(Self.request(4), browser: "b", address: nil, now: end)),
      try #require(try await held.hold(Self.request(5), browser: "b", address: nil, now: end))
    )
    for id in [four, five] { #expect(try await held.arm(id, session: session, now: end)) }
    for target in ["/5", "/4"] {
      #expect(try await held.take(session: session, browser: "b", target: target, now: end)?.target == target)
    }
  }

  @Test("Bug-C15: one client's requests push out its own, and nobody else's")
  func addresses() async throws {
    let storage = try ServerStorage.forTest()
    let held = Self.held(storage, 100_000, address: 2_000)
    let victim = try #require(
      try await held.hold(
        Self.request(0, size: 300), browser: "v", address: ClientAddress("192.0.2.1"), now: Self.now))
    var last = ""
    for number in 1...30 {
      let id = try await held.hold(
        Self.request(number, size: 300), browser: "a", address: ClientAddress("192.0.2.2"), now: Self.now)
      last = try #require(id)
    }
    #expect(try await held.holds(victim, browser: "v", target: "/0", now: Self.now))
    #expect(try await held.holds(last, browser: "a", target: "/30", now: Self.now))
    #expect(held.pushedOut.ofAddress > 20 && held.pushedOut.total == 0)
    #expect(try await Self.size(storage) <= 4_000)
  }
}

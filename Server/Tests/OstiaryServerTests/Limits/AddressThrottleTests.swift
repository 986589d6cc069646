import Foundation
import Testing

@testable import OstiaryServer

@Suite("Limits by address")
struct AddressThrottleTests {
  @Test("LO-09: an IPv6 address counts as its /64, a mapped IPv4 address as itself")
  func buckets() throws {
    func bucket(_ text: String) throws -> [UInt8] { try #require(ClientAddress(text)).bucket }
    #expect(try bucket("2001:db8:1:2:3:4:5:6") == bucket("2001:db8:1:2::"))
    #expect(try bucket("2001:db8:1:2::") != bucket("2001:db8:1:3::"))
    #expect(try bucket("::ffff:192.0.2.1") == bucket("192.0.2.1"))
    #expect(try bucket("192.0.2.1") != bucket("192.0.2.2"))
    #expect(try bucket("fe80::1%eth0") == bucket("fe80::2"))
  }

  @Test(
    "What is no numeric address is none",
    arguments: [
      "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1, 192.0.2.2", "[::1]", "::1\u{0}", "1::2::3",
      String(repeating: ":", count: 1000),
    ])
  func invalid(text: String) {
    #expect(ClientAddress(text) == nil)
  }

  private static let bucket = GuessRules.Bucket(burst: 20, interval: 30)
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)

  private static func throttle(
    _ storage: ServerStorage, _ label: StaticString = "test", _ change: (inout LoginLimits) -> Void = { _ in }
  ) -> AddressThrottle {
    var limits = LoginLimits.standard
    change(&limits)
    return AddressThrottle(GuessService(storage, limits: limits, clock: TestClock()), of: label, bucket)
  }

  private static func rows(_ storage: ServerStorage) async throws -> Int {
    try await storage.read { db in try db.count(GuessStatements.sql.total) }
  }

  @Test("LO-11: three servers together allow an address what one would, however many ask at once")
  func threeNodes() async throws {
    try await ThreeNodes.run { nodes in
      let throttles = nodes.storages.map { Self.throttle($0) }
      let address = ClientAddress("192.0.2.1")
      let waits = try await nodes.parallel(90, at: throttles) { throttle, _ in
        try await throttle.reserve(address, now: Self.start)
      }
      #expect(waits.count { $0 == nil } == 20)
      // Another address, and another thing that it may ask for.
      #expect(try await throttles[1].reserve(ClientAddress("192.0.2.2"), now: Self.start) == nil)
      #expect(try await Self.throttle(nodes.storages[1], "other").reserve(address, now: Self.start) == nil)
      for throttle in throttles {
        #expect(try await throttle.reserve(address, now: Self.start) == .seconds(30))
        #expect(try await throttle.reserve(address, now: Self.start + 29) == .seconds(1))
      }
      // One more in each interval, of all servers together.
      let later = try await nodes.parallel(9, at: throttles) { throttle, _ in
        try await throttle.reserve(address, now: Self.start + 60)
      }
      #expect(later.count { $0 == nil } == 2)
    }
  }

  @Test("LO-10: what is stored of the addresses is bounded, and the busiest are not forgotten")
  func bounded() async throws {
    let storage = try ServerStorage.forTest()
    let throttle = Self.throttle(storage) { $0.mostKeys = 100 }
    let busy = ClientAddress("192.0.2.1")
    for _ in 0..<20 { #expect(try await throttle.reserve(busy, now: Self.start) == nil) }
    for index in 0..<500 {
      _ = try await throttle.reserve(ClientAddress("10.0.\(index >> 8).\(index & 255)"), now: Self.start)
    }
    #expect(try await Self.rows(storage) <= 101)
    #expect(try await throttle.reserve(busy, now: Self.start) == .seconds(30))
  }

  @Test("What an address asks while it has to wait is refused without a look at the database")
  func refusals() async throws {
    let storage = try ServerStorage.forTest()
    let throttle = Self.throttle(storage)
    let address = ClientAddress("192.0.2.1")
    for _ in 0..<21 { _ = try await throttle.reserve(address, now: Self.start) }
    try await storage.write { db in try db.test.execute("DELETE FROM guesses") }
    #expect(try await throttle.reserve(address, now: Self.start + 1) == .seconds(29))
    #expect(try await throttle.reserve(address, now: Self.start + 30) == nil)
    #expect(try await throttle.reserve(nil, now: Self.start) == nil)
  }

  @Test("The debt never grows beyond the burst, and a clock that is set back makes no wait longer")
  func ceiling() async throws {
    let throttle = Self.throttle(try ServerStorage.forTest())
    let address = ClientAddress("192.0.2.1")
    for _ in 0..<50 { _ = try await throttle.reserve(address, now: Self.start) }
    #expect(try await throttle.reserve(address, now: Self.start) == .seconds(30))
    // It says nothing any more.
    #expect(try await throttle.reserve(address, now: Self.start - 1_000_000) == nil)
  }
}

import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("One-time numbers", .timeLimit(.minutes(10)))
struct OneTimeNumbersTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let end = now + 3600

  @Test("Bug-C18, RC-01: however many servers are shown a number at once, one takes it")
  func threeNodes() async throws {
    try await ThreeNodes.run { nodes in
      let numbers = nodes.storages.map { OneTimeNumbers($0, of: "test") }
      for round in 0..<10 {
        let taken = try await nodes.parallel(30, at: numbers) { numbers, _ in
          try await numbers.take("\(round)", until: Self.end, now: Self.now)
        }
        #expect(taken.count { $0 } == 1)
      }
      #expect(try await numbers[2].count == 10)
      // The same number of another kind is another one.
      let other = OneTimeNumbers(nodes.storages[0], of: "other")
      #expect(try await other.take("0", until: Self.end, now: Self.now))
      #expect(try await !other.take("0", until: Self.end, now: Self.now))
    }
  }

  @Test("A number is remembered across a restart, until after its end")
  func restart() async throws {
    let folder = TemporaryFolder()
    let before = try ServerStorage.forTest(in: folder.url)
    #expect(try await OneTimeNumbers(before, of: "test").take("CANARY", until: Self.end, now: Self.now))
    try await before.close()
    let storage = try ServerStorage.forTest(in: folder.url)
    for seconds in [0.0, 3599, 3600, 3659] {
      let numbers = OneTimeNumbers(storage, of: "test")
      #expect(try await !numbers.take("CANARY", until: Self.end, now: Self.now + seconds))
    }
    if !TestDatabase.isPostgreSQL { #expect(try !folder.contents().contains(text: "CANARY")) }
    // Another one's housekeeping removes it.
    let numbers = OneTimeNumbers(storage, of: "test")
    #expect(try await numbers.take("other", until: Self.end + 60, now: Self.now + 3660))
    #expect(try await numbers.count == 1)
    try await storage.close()
  }

  @Test("What is stored is bounded: the numbers that end soonest go first, and none of another kind")
  func bounded() async throws {
    let storage = try ServerStorage.forTest()
    let other = OneTimeNumbers(storage, of: "other", capacity: 10)
    #expect(try await other.take("early", until: Self.now + 1, now: Self.now))
    let numbers = OneTimeNumbers(storage, of: "test", capacity: 10)
    for number in 0..<50 {
      #expect(
        try await numbers.take("\(number)", until: Self.end + Double(number), now: Self.now + Double(number * 60)))
    }
    #expect(try await numbers.count == 10)
    #expect(try await !numbers.take("49", until: Self.end, now: Self.now))
    #expect(try await numbers.take("0", until: Self.end, now: Self.now))
    #expect(try await other.count == 1)
  }

  @Test("A number in use has one user among three servers; another follows when it is released, or its server is gone")
  func claims() async throws {
    try await ThreeNodes.run { nodes in
      let numbers = nodes.storages.map { OneTimeNumbers($0, of: "test") }
      for _ in 0..<5 {
        let claims = try await nodes.parallel(12, at: numbers) { numbers, _ in
          try await numbers.claim("a", until: Self.now + 30, now: Self.now)
        }.compactMap { $0 }
        #expect(claims.count == 1)
        for claim in claims { try await numbers[1].release(claim) }
      }
      let first = try #require(try await numbers[0].claim("a", until: Self.now + 30, now: Self.now))
      #expect(try await numbers[1].claim("a", until: Self.now + 59, now: Self.now + 29) == nil)
      let late = try await nodes.parallel(12, at: numbers) { numbers, _ in
        try await numbers.claim("a", until: Self.now + 60, now: Self.now + 30)
      }.compactMap { $0 }
      #expect(late.count == 1)
      // The first one comes late: it ends its own use alone.
      try await numbers[0].release(first)
      #expect(try await numbers[2].claim("a", until: Self.now + 60, now: Self.now + 31) == nil)
    }
  }
}

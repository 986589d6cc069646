import Dispatch
import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Shares of the hash pool", .timeLimit(.minutes(5)))
struct HashShareTests {
  private static func share(_ account: String, _ address: String? = nil) -> PoolShare {
    PoolShare(account: Data(account.utf8), address: address.flatMap(ClientAddress.init))
  }

  /// Who got in and who was sent away, of shares that come one after the other and stay.
  private static func admitted(_ shares: [PoolShare], workers: Int, queue: Int) async -> [Bool] {
    let pool = HashPool(workers: workers, queue: queue)
    var holds: [AsyncStream<Void>.Continuation] = []
    var answers: [Bool] = []
    await withTaskGroup(of: Void.self) { group in
      for share in shares {
        let entered = AsyncStream<Bool>.makeStream()
        let hold = AsyncStream<Void>.makeStream()
        holds.append(hold.continuation)
        group.addTask {
          do throws(ServerError) {
            try await pool.withPlace(for: share) { _ async throws(ServerError) in
              entered.continuation.yield(true)
              for await _ in hold.stream {}
            }
          } catch {
            entered.continuation.yield(false)
          }
        }
        for await answer in entered.stream {
          answers.append(answer)
          break
        }
      }
      for hold in holds { hold.finish() }
    }
    return answers
  }

  @Test("Bug-C10: one account, from however many addresses, has half of the places, and every other gets in")
  func account() async {
    let flood = (0..<40).map { Self.share("own", "198.51.100.\($0)") }
    let others = (0..<10).map { Self.share("user \($0)", "203.0.113.\($0)") }
    let answers = await Self.admitted(flood + others, workers: 2, queue: 38)
    #expect(answers.prefix(40).count { $0 } == 20)
    #expect(answers.suffix(10).allSatisfy { $0 })
  }

  @Test("Bug-C10: one address, with however many accounts, has half of the places; one more such has half of the rest")
  func address() async {
    let flood =
      (0..<40).map { Self.share("a\($0)", "198.51.100.7") } + (0..<40).map { Self.share("b\($0)", "198.51.100.8") }
    let answers = await Self.admitted(flood + [Self.share("jane", "203.0.113.9")], workers: 2, queue: 38)
    #expect(answers.prefix(40).count { $0 } == 20)
    #expect(answers.dropFirst(40).prefix(40).count { $0 } == 10)
    #expect(answers.last == true)
  }

  @Test("This machine's programs share an address, and are held to no share for that")
  func loopback() async {
    let answers = await Self.admitted((0..<40).map { Self.share("a\($0)", "127.0.0.1") }, workers: 2, queue: 38)
    #expect(answers.allSatisfy { $0 })
  }

  @Test("Bug-C10: who comes to a flood waits for what is being hashed, and not for the flood")
  func order() async throws {
    let pool = HashPool(workers: 1, queue: 63)
    let order = Locked<[String]>([])
    let gate = DispatchSemaphore(value: 0)
    let began = AsyncStream<Void>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      @Sendable func hash(_ name: String, _ share: PoolShare, _ queued: AsyncStream<Void>.Continuation) async throws {
        try await pool.withPlace(for: share) { place async throws(ServerError) in
          queued.yield()
          try await pool.run(at: place) { () throws(ServerError) in
            if name == "first" {
              began.continuation.yield()
              _ = gate.wait(timeout: .now() + 60)
            }
            order.withLock { $0.append(name) }
          }
        }
      }
      let queued = AsyncStream<Void>.makeStream()
      group.addTask { try await hash("first", Self.share("own"), queued.continuation) }
      // The only thread is taken before the flood comes: none of it can be hashed.
      for await _ in began.stream { break }
      for _ in 0..<20 { group.addTask { try await hash("flood", Self.share("own"), queued.continuation) } }
      var count = 0
      for await _ in queued.stream {
        count += 1
        if count == 21 { break }
      }
      group.addTask { try await hash("jane", Self.share("jane"), queued.continuation) }
      for await _ in queued.stream { break }
      // Jane has a place; her hash is queued when no other thread can be ahead of it.
      try await waitUntil("all hashes in the queue") { pool.waiting >= 21 }
      gate.signal()
      try await group.waitForAll()
    }
    let found = order.withLock { $0 }
    let place = try #require(found.firstIndex(of: "jane"))
    #expect(place == 1, "\(found)")
  }
}

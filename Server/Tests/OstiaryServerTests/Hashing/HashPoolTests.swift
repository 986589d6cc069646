import Dispatch
import OstiaryCore
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import OstiaryServer

@Suite("Hash pool", .timeLimit(.minutes(10)))
struct HashPoolTests {
  @Test("LO-12: never more at once than there are workers, and nobody is forgotten")
  func boundedConcurrency() async throws {
    let pool = HashPool(workers: 2, queue: 500)
    let state = Locked((running: 0, most: 0, done: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<400 {
        group.addTask {
          try await pool.withPlace(for: PoolShare(account: nil, address: nil)) { place async throws(ServerError) in
            try await pool.run(at: place) { () throws(ServerError) in
              state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
              }
              sched_yield()
              state.withLock { state in
                state.running -= 1
                state.done += 1
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(state.withLock { $0.done } == 400)
    #expect(state.withLock { $0.most } <= 2)
  }

  @Test("LO-12: of 1000 at once what does not fit is refused at once, with a time to come back")
  func overload() async throws {
    let pool = HashPool(workers: 2, queue: 8)
    let release = DispatchSemaphore(value: 0)
    let refused = Locked(0)
    let entered = AsyncStream<Void>.makeStream()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 {
        group.addTask {
          do throws(ServerError) {
            try await pool.withPlace(for: PoolShare(account: nil, address: nil)) { place async throws(ServerError) in
              try await pool.run(at: place) { () throws(ServerError) in _ = release.wait(timeout: .now() + 60) }
            }
          } catch {
            #expect(error.code == .overloaded)
            #expect((error.retryAfter ?? .zero) >= .seconds(1))
            refused.withLock { $0 += 1 }
            entered.continuation.yield()
          }
        }
      }
      // Ten have a place and none of them is done, so 990 are refused without waiting for anything.
      var count = 0
      for await _ in entered.stream {
        count += 1
        if count == 990 { break }
      }
      for _ in 0..<10 { release.signal() }
    }
    #expect(refused.withLock { $0 } == 990)
    // And there is room again.
    let answer = try await pool.withPlace(for: PoolShare(account: nil, address: nil)) {
      place async throws(ServerError) in try await pool.run(at: place) { 42 }
    }
    #expect(answer == 42)
  }

  @Test("A place is given back when the work fails")
  func failure() async throws {
    let pool = HashPool(workers: 1, queue: 0)
    for _ in 0..<5 {
      await #expect(throws: ServerError(.hashingFailed, "")) {
        try await pool.withPlace(for: PoolShare(account: nil, address: nil)) { place async throws(ServerError) in
          try await pool.run(at: place) { () throws(ServerError) in throw ServerError(.hashingFailed, "") }
        }
      }
    }
  }

  #if os(Linux)
    @Test("LO-12: hashing gives way to everything else")
    func priority() async throws {
      let pool = HashPool(workers: 1, queue: 0)
      let nice = try await pool.withPlace(for: PoolShare(account: nil, address: nil)) {
        place async throws(ServerError) in
        try await pool.run(at: place) { () throws(ServerError) in
          getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        }
      }
      #expect(nice >= 10)
      #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) < nice)
    }
  #endif
}

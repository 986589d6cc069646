import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("A flood of logins", .enabled(if: slowTests), .serialized)
struct LoginFloodTests {
  @Test("LO-12: at full cost, what the pool adds to the hash and what a flood does to requests that need none")
  func figures() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let cheap = try IdentityWorld(storage: storage)
    let users = 64
    for index in 0..<users { try await cheap.identity.addUser(name: "u\(index)", password: IdentityWorld.password) }
    let server = try IdentityWorld(storage: storage, clock: cheap.clock, parameters: .standard)
    for index in 0..<users { #expect(await server.verify("u\(index)", IdentityWorld.password).summary == "accepted") }
    let user = try #require(await server.verify("u0", IdentityWorld.password).user)
    let session = try await server.sessions.begin(for: user)
    let workers = server.identity.hasher.pool.workers

    // What the hash alone allows, on as many threads; before and after, for the machine has other work too.
    let count = 80
    let bare = HashPool(workers: workers, queue: count)
    let password = try NormalizedPassword(IdentityWorld.password)
    let measureBare: @Sendable () async throws -> Duration = {
      try await ContinuousClock().measure {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<count {
            group.addTask {
              try await bare.withPlace(for: PoolShare(account: nil, address: nil)) { place async throws(ServerError) in
                _ = try await bare.run(at: place) { () throws(ServerError) in
                  try Argon2.hash(password.bytes, salt: [UInt8](repeating: 1, count: 16), parameters: .standard)
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
    let bareBefore = try await measureBare()
    // Whole logins, each with its session, by half as many clients as the pool has places.
    let served = Locked(0)
    let loginTime = try await ContinuousClock().measure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<32 {
          group.addTask {
            while served.withLock({
              $0 += 1; return $0 <= count
            }) {
              let user = try #require(await server.verify("u\(client * 2)", IdentityWorld.password).user)
              _ = try await server.sessions.begin(for: user)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let bareTime = try await (bareBefore + measureBare()) / 2
    print("LO-12 efficiency: \(bareTime / loginTime) (\(Double(count) / (loginTime / .seconds(1))) logins/s)")

    // A flood of ten times as many, and a session looked up all the while.
    let isOver = Locked(false)
    let lookups = Task {
      var times: [Duration] = []
      while !isOver.withLock({ $0 }) {
        let start = ContinuousClock.now
        let found = try await server.sessions.find(session.id)
        times.append(ContinuousClock.now - start)
        #expect(found != nil)
        server.clock.advance(by: times.count % 10 == 0 ? .seconds(1) : .zero)
        try await Task.sleep(for: .milliseconds(2))
      }
      return times.sorted()
    }
    let answers = Locked<[String: Int]>([:])
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<500 {
        group.addTask {
          for round in 0..<4 {
            let answer = await server.verify("flood \(client) \(round)", "wrong").summary
            answers.withLock { $0[answer, default: 0] += 1 }
            try? await Task.sleep(for: .seconds(1))
          }
        }
      }
      await group.waitForAll()
    }
    isOver.withLock { $0 = true }
    let times = try await lookups.value
    print("LO-12 flood: \(answers.withLock { $0 }), \(times.count) look-ups,")
    print("  p50 \(times[times.count / 2]), p99 \(times[times.count * 99 / 100]), most \(times[times.count - 1])")
    #expect(answers.withLock { ($0["refused"] ?? 0) > 0 && ($0["overloaded"] ?? 0) > 0 })
  }
}

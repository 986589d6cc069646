import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct SeededSchedulerTests {
  /// Two tasks that read, stop, and write: an update is lost when both read before either writes.
  private func lossyCount(_ scheduler: SeededScheduler) async throws -> Int {
    let count = Locked(0)
    let add: @Sendable () async throws -> Void = {
      let seen = count.withLock { $0 }
      await scheduler.checkpoint("has read")
      count.withLock { $0 = seen + 1 }
    }
    try await scheduler.run(["ann": add, "ben": add])
    return count.withLock { $0 }
  }

  @Test("Seeds find the order that loses an update, and the order that doesn't; the steps found replay it for certain")
  func findsAndReplays() async throws {
    var found: [Int: [String]] = [:]
    for seed in 0..<20 as Range<UInt64> {
      let scheduler = SeededScheduler(seed: seed)
      let count = try await lossyCount(scheduler)
      #expect(scheduler.steps.count == 4, "\(scheduler)")
      found[count] = scheduler.steps
    }
    #expect(found.keys.sorted() == [1, 2])
    for (count, steps) in found {
      for _ in 0..<5 {
        let scheduler = SeededScheduler(replaying: steps)
        #expect(try await lossyCount(scheduler) == count)
        #expect(scheduler.steps == steps)
      }
    }
  }

  @Test("The same seed gives the same steps", arguments: 0..<10 as Range<UInt64>)
  func deterministic(seed: UInt64) async throws {
    var steps: Set<[String]> = []
    for _ in 0..<3 {
      let scheduler = SeededScheduler(seed: seed)
      let walk: @Sendable () async throws -> Void = {
        for number in 1...3 { await scheduler.checkpoint("\(number)") }
      }
      try await scheduler.run(["a": walk, "b": walk, "c": walk])
      steps.insert(scheduler.steps)
      #expect(scheduler.steps.count == 12)
    }
    #expect(steps.count == 1)
  }

  @Test("One task at a time is between checkpoints")
  func oneAtATime() async throws {
    let inside = Locked((now: 0, most: 0))
    let scheduler = SeededScheduler(seed: 3)
    let walk: @Sendable () async throws -> Void = {
      for number in 1...5 {
        inside.withLock { inside in
          inside.now += 1
          inside.most = max(inside.most, inside.now)
        }
        await Task.yield()
        inside.withLock { $0.now -= 1 }
        await scheduler.checkpoint("\(number)")
      }
    }
    try await scheduler.run(["a": walk, "b": walk, "c": walk, "d": walk])
    #expect(inside.withLock { $0.most } == 1)
  }

  @Test("Tasks that wait for each other's work go on, and the work's checkpoints are scheduled too")
  func sharedWork() async throws {
    let scheduler = SeededScheduler(seed: 1)
    let transport = ScriptedTransport(handler: { _ in .json(["x": 1]) }, checkpoint: scheduler.checkpoint)
    let url = try #require(URL(string: "https://example.org/x"))
    let shared = Task {
      await scheduler.checkpoint("begins")
      return try await transport.get(url).status.code
    }
    let wait: @Sendable () async throws -> Void = {
      let code = try await shared.value
      #expect(code == 200)
    }
    try await scheduler.run(["a": wait, "b": wait])
    #expect(transport.count == 1)
    #expect(scheduler.steps.contains("GET /x answered"))
    #expect(try await transport.get(url).status == .ok, "after the run, checkpoints hold nobody")
  }

  @Test("A task that throws fails the run with the seed and the steps")
  func failure() async throws {
    struct Oops: Error {}
    let scheduler = SeededScheduler(seed: 9)
    let error = await #expect(throws: SeededScheduler.Failure.self) {
      try await scheduler.run(["a": { throw Oops() }, "b": { await scheduler.checkpoint("later") }])
    }
    #expect(error?.task == "a")
    #expect(error?.underlying is Oops)
    #expect(error?.description.contains("seed 9") == true)
    #expect(error?.description.contains("a: starts") == true)
  }

  @Test("Tasks that are stuck fail the run instead of hanging it")
  func stuck() async throws {
    let scheduler = SeededScheduler(seed: 0)
    let gate = Gate()
    let error = await #expect(throws: SeededScheduler.Failure.self) {
      try await scheduler.run(["a": { try await gate.pass() }], within: .milliseconds(50))
    }
    #expect(error?.task == nil)
    #expect(error?.underlying is WaitTimedOut)
  }

  @Test("Outside a run, checkpoints are passed freely")
  func outside() async {
    let scheduler = SeededScheduler(seed: 0)
    await scheduler.checkpoint("x")
    #expect(scheduler.steps.isEmpty)
  }

  @Test("SplitMix64 gives the numbers of its reference implementation")
  func reference() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }
}

import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// Several processes track events into one store and are killed. What was reported as stored reaches the server, under one
/// identifier.
@Suite("Events by processes that are killed", .serialized, .timeLimit(.minutes(20)))
struct KilledEventsTests {
  @Test(
    "Bug-G03, Bug-G30: kill -9, several processes, clocks that jump, an address that goes away, new tokens: each stored event arrives, once",
    arguments: Storm.seeds(6, full: 200, variable: "OSTIARY_ROUNDS"))
  func killed(seed: UInt64) async throws {
    try await withTemporaryFolder { folder in
      var generator = SplitMix64(seed: seed)
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      let server = try EventServer(seed: seed)
      let store = folder.appending(path: "store")
      var logs: [URL] = []
      func settings(count: Int, fatalStep: Int?, finishes: Bool = false) throws -> TrackerSettings {
        let name = "p\(logs.count)"
        let log = folder.appending(path: name)
        try Data().write(to: log)
        logs.append(log)
        return TrackerSettings(
          server: server.url, store: store, log: log, name: name, count: count, seed: seed &+ UInt64(logs.count),
          fatalStep: fatalStep, finishes: finishes)
      }
      for _ in 0..<number(1...3) {
        var processes: [ChildProcess] = []
        for _ in 0..<number(1...3) {
          let fatalStep = number(0...1) == 0 ? number(5...120) : nil
          processes.append(try server.start(settings(count: number(4...16), fatalStep: fatalStep)))
        }
        for process in processes {
          let status = await process.status()
          #expect(status == 0 || status == 128 + SIGKILL)
        }
      }
      server.calmDown()
      let last = try server.start(settings(count: 1, fatalStep: nil, finishes: true))
      #expect(await last.status() == 0)
      #expect(server.faults.isEmpty)
      let taken = server.taken
      for log in logs {
        for line in try String(contentsOf: log, encoding: .utf8).split(separator: "\n") {
          let parts = line.split(separator: " ").map(String.init)
          #expect(parts.count == 2 && taken[parts[0]] == parts[1], "\(line) was reported as stored")
        }
      }
      #expect(taken.values.contains("p\(logs.count - 1)-0"))
    }
  }
}

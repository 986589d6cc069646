import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("The threads of PostgreSQL's connections", .timeLimit(.minutes(5)))
struct PostgreSQLWorkersTests {
  private static func workers(most: Int, mostWaiting: Int) -> PostgreSQLWorkers {
    let nowhere = PostgreSQLDatabase("postgres://127.0.0.1:1/x", folder: URL(filePath: "/nowhere"))
    return PostgreSQLWorkers(most: most, mostWaiting: mostWaiting) {
      PostgreSQLWorker(PostgreSQLConnector(nowhere), StorageHabits())
    }
  }

  @Test("OP-06: more jobs than can wait are refused, with a time to try again; those that were taken run in order")
  func overload() async throws {
    let workers = Self.workers(most: 1, mostWaiting: 3)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Locked<[Int]>([])
    try workers.run { _ in
      begun.signal()
      _ = gate.wait(timeout: .now() + 60)
    }
    #expect(await Task.detached { begun.wait(timeout: .now() + 60) == .success }.value)
    for number in 0..<3 {
      try workers.run { _ in order.withLock { $0.append(number) } }
    }
    let error = #expect(throws: ServerError.self) { try workers.run { _ in } }
    #expect(error?.code == .storageOverloaded && error?.retryAfter != nil && error?.isStorageFault == true)
    gate.signal()
    await workers.close()
    #expect(order.withLock { $0 } == [0, 1, 2])
    #expect(throws: ServerError(.storageOverloaded, "")) { try workers.run { _ in } }
  }

  @Test("As many jobs run at a time as there may be threads, and no more")
  func threads() async throws {
    let workers = Self.workers(most: 3, mostWaiting: 100)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let running = Locked((now: 0, most: 0))
    for _ in 0..<9 {
      try workers.run { _ in
        running.withLock { running in
          running.now += 1
          running.most = max(running.most, running.now)
        }
        begun.signal()
        _ = gate.wait(timeout: .now() + 60)
        running.withLock { $0.now -= 1 }
      }
    }
    await Task.detached { for _ in 0..<3 { _ = begun.wait(timeout: .now() + 60) } }.value
    for _ in 0..<9 { gate.signal() }
    await workers.close()
    #expect(running.withLock { $0.most } == 3)
  }
}

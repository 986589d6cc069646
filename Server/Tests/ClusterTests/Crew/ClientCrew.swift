import Foundation
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiaryTesting

/// Many clients of a cluster, on few connections.
final class ClientCrew: Sendable {
  private let clients: [CrewClient]
  /// Clients that show each code to two nodes at once.
  private let racers: [CrewClient]
  private let inner: AsyncHTTPClientTransport
  private let recorder: HistoryRecorder

  /// - Parameters:
  ///   - count: how many work; each is a user of its own.
  ///   - racers: how many others there are.
  init(_ cluster: Cluster, clients count: Int, racers: Int, recorder: HistoryRecorder, seed: UInt64) throws {
    var options = AsyncHTTPClientTransport.Options()
    options.connectionsPerHost = 24
    inner = AsyncHTTPClientTransport(options: options)
    self.recorder = recorder
    let (inner, nodes) = (inner, cluster.nodes)
    let all = try (0..<count + racers).map { number in
      try CrewClient(
        number: number, user: "user\(number)", nodes: nodes, inner: inner, recorder: recorder,
        seed: seed &* 1_000_003 &+ UInt64(number))
    }
    clients = Array(all[..<count])
    self.racers = Array(all[count...])
  }

  /// Lets all work while `body` runs.
  /// - Parameter pace: how long a client does nothing between two things, at most.
  func work(pace: Duration, while body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in clients { group.addTask { await client.work(pace: pace) } }
      for racer in racers {
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: pace)
            await Task { await racer.race() }.value
          }
        }
      }
      defer { group.cancelAll() }
      try await body()
    }
  }

  /// Shows that all clients go on, now that the cluster has recovered.
  /// - Returns: the numbers of those that don't.
  func settle() async -> [Int] {
    await withTaskGroup(of: Int?.self) { group in
      for client in clients { group.addTask { await client.settle() ? nil : client.number } }
      return await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
    }
  }

  /// Asks about the last refresh tokens of each family: of those that have ended, of the last `mostEnded`.
  func probe(mostEnded: Int = 500) async {
    let families = ClusterJudge.families(in: recorder.history)
    let ended = families.filter(\.mayHaveEnded).suffix(mostEnded).map { $0.refreshTokens.suffix(1) }
    let live = families.filter { !$0.mayHaveEnded }.map { $0.refreshTokens.suffix(3) }
    let tokens = (ended + live).flatMap { $0 }
    await withTaskGroup(of: Void.self) { group in
      for (index, racer) in racers.enumerated() {
        let own = tokens.enumerated().filter { $0.offset % racers.count == index }.map(\.element)
        group.addTask { await racer.probe(own) }
      }
    }
  }

  func close() async { await inner.close() }
}

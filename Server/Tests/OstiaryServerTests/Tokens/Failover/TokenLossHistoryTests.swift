import Foundation
import OstiaryCore
import OstiaryTesting
import Testing
import TokenTestSupport

@testable import OstiaryServer

/// Clients that keep the newest token that they were given, and a database that loses its last commits.
@Suite("History of token families with lost commits", .timeLimit(.minutes(10)))
struct TokenLossHistoryTests {
  /// A family's client.
  private struct Holder: Sendable {
    let id: Int
    var kept: String
    /// Every token that it was given.
    var seen: [String]
    /// How many new ones since the state to which the database goes back.
    var rotations = 0
    var isSignedOut = false
    var random: SplitMix64

    init(_ id: Int, _ first: String, seed: UInt64) {
      self.id = id
      (kept, seen) = (first, [first])
      random = SplitMix64(seed: seed)
    }

    /// Refreshes; some answers are lost.
    mutating func refresh(_ nodes: [TokenNode], time: Double) async -> String? {
      let node = nodes[Int(random.next() % UInt64(nodes.count))]
      let isLost = random.next() % 4 == 0
      let answer = await node.handle(TokenCommand(id: 0, action: .refresh, token: kept, time: time))
      if let refusal = answer.refusal { return refusal }
      guard !isLost, let token = answer.refreshToken else { return answer.failure }
      if token != kept { rotations += 1 }
      kept = token
      if !seen.contains(token) { seen.append(token) }
      return nil
    }
  }

  /// All holders at once, each some times.
  private static func run(
    _ holders: [Holder], _ nodes: [TokenNode], time: Double, times: @escaping @Sendable (Holder) -> Int
  ) async -> [(Holder, refusal: String?)] {
    await withTaskGroup(of: (Holder, String?).self) { group in
      for holder in holders where !holder.isSignedOut {
        group.addTask {
          var holder = holder
          for _ in 0..<times(holder) {
            if let refusal = await holder.refresh(nodes, time: time) { return (holder, refusal) }
          }
          return (holder, nil)
        }
      }
      return await group.reduce(into: []) { $0.append(($1.0, refusal: $1.1)) }
    }
  }

  @Test(
    "RT-04, OP-07: who rotated at most once in the lost interval stays signed in, and no family has two live tokens",
    arguments: [1, 2, 3] as [UInt64], [1, 3])
  func lost(seed: UInt64, count: Int) async throws {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url))
    let storages = try (0..<count).map { _ in try ServerStorage.forTest(in: folder.url) }
    let nodes = storages.map { TokenNode(storage: $0, clientID: "app") }
    var holders: [Holder] = []
    for id in 0..<12 {
      holders.append(Holder(id, try await world.family().reveal(), seed: seed * 100 + UInt64(id)))
    }
    var time = world.clock.now.timeIntervalSince1970
    var signedOut = 0
    for round in 0..<2 {
      for (holder, refusal) in await Self.run(holders, nodes, time: time, times: { _ in 3 }) {
        #expect(refusal == nil)
        holders[holder.id] = holder
        holders[holder.id].rotations = 0
      }
      time += 5
      let commits = try await LostCommits(after: world.storage)
      for (holder, refusal) in await Self.run(holders, nodes, time: time, times: { ($0.id + round) % 4 }) {
        #expect(refusal == nil)
        holders[holder.id] = holder
      }
      time += 5
      try await commits.lose(newTimelineAt: Date(timeIntervalSince1970: time))
      for (holder, refusal) in await Self.run(holders, nodes, time: time, times: { _ in 1 }) {
        if let refusal {
          #expect(refusal == "reused" && holder.rotations > 1, "family \(holder.id), \(holder.rotations) rotations")
          signedOut += 1
        }
        holders[holder.id] = holder
        holders[holder.id].isSignedOut = refusal != nil
      }
      time += 5
    }
    for holder in holders {
      var live = 0
      for token in holder.seen where try await world.tokens.introspect(Secret(token)) != nil { live += 1 }
      #expect(live <= 1)
      if holder.isSignedOut { #expect(live == 0) }
    }
    // The plan has clients that lose more than one.
    #expect(signedOut > 0 && signedOut < holders.count)
    for storage in storages + [world.storage] { try await storage.close() }
  }
}

import Foundation
import OstiaryCore
import OstiaryTesting
import Testing
import TokenTestSupport

@testable import OstiaryServer

@Suite("History of token families", .timeLimit(.minutes(20)))
struct TokenHistoryTests {
  private static let window = 60.0

  /// A folder with a client and some families.
  private static func prepare(
    families: Int, sabotage: String? = nil
  ) async throws -> (TemporaryFolder, [String], Double) {
    let folder = TemporaryFolder()
    let world = try await TokenWorld(storage: try ServerStorage.forTest(in: folder.url)) {
      $0.replayWindow = .seconds(window)
    }
    var firsts: [String] = []
    for _ in 0..<families { firsts.append(try await world.family().reveal()) }
    if let sabotage { try await world.storage.write { db in try db.test.execute(sabotage) } }
    try await world.storage.close()
    return (folder, firsts, world.clock.now.timeIntervalSince1970)
  }

  /// Servers of this process on one folder, or on its database.
  private static func nodes(
    _ folder: TemporaryFolder, count: Int = 2
  ) throws -> (TokenHistory.Server, [ServerStorage]) {
    let storages = try (0..<count).map { _ in try ServerStorage.forTest(in: folder.url) }
    let nodes = storages.map { TokenNode(storage: $0, clientID: "app") }
    return ({ command in await nodes[command.id % nodes.count].handle(command) }, storages)
  }

  /// What holds at the end of every history: of all tokens of a family at most one is live.
  private static func expectOneLeaf(_ history: TokenHistory, _ folder: TemporaryFolder) async throws {
    let storage = try ServerStorage.forTest(in: folder.url)
    let world = try await TokenWorld(storage: storage)
    for family in history.families {
      var live = 0
      for token in family.tokens where try await world.tokens.introspect(Secret(token)) != nil { live += 1 }
      #expect(live <= 1)
    }
    try await storage.close()
  }

  @Test(
    "RT-04, OP-10: with lost answers, delays and old tokens every history of 1 and of 3 nodes is explained",
    arguments: [1, 2, 3, 4] as [UInt64], [1, 3])
  func explained(seed: UInt64, nodes: Int) async throws {
    let (folder, firsts, time) = try await Self.prepare(families: 6)
    let (server, storages) = try Self.nodes(folder, count: nodes)
    let history = TokenHistory(firsts, time: time, server: server)
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<4 { group.addTask { await history.misbehave(calls: 40, seed: seed * 100 + UInt64(client)) } }
    }
    #expect(history.unexplained(window: Self.window) == [])
    #expect(history.families.reduce(0) { $0 + $1.operations.count } == 160)
    try await Self.expectOneLeaf(history, folder)
    for storage in storages { try await storage.close() }
  }

  @Test(
    "RT-04: without any one of the guards the history is not explained", TestDatabase.forSQLite,
    arguments: [
      // The token that was used stays the live one.
      """
      CREATE TRIGGER broken AFTER UPDATE OF leaf_hash ON grants
        BEGIN UPDATE grants SET leaf_hash = OLD.leaf_hash WHERE id = OLD.id; END
      """,
      // A replay yields another successor.
      """
      CREATE TRIGGER broken AFTER INSERT ON spent_refresh_tokens
        BEGIN UPDATE spent_refresh_tokens SET salt = randomblob(32) WHERE token_hash = NEW.token_hash; END
      """,
      // There is no replay.
      """
      CREATE TRIGGER broken AFTER INSERT ON spent_refresh_tokens
        BEGIN DELETE FROM spent_refresh_tokens WHERE token_hash = NEW.token_hash; END
      """,
      // Reuse goes unnoticed.
      """
      CREATE TRIGGER broken AFTER INSERT ON spent_refresh_tokens
        BEGIN UPDATE spent_refresh_tokens SET replay_until = 1e12 WHERE token_hash = NEW.token_hash; END
      """,
      // Reuse is noticed, and ends nothing.
      "CREATE TRIGGER broken BEFORE DELETE ON grants BEGIN SELECT RAISE(IGNORE); END",
    ])
  func broken(sabotage: String) async throws {
    var unexplained = 0
    for seed in 1...3 as ClosedRange<UInt64> {
      let (folder, firsts, time) = try await Self.prepare(families: 4, sabotage: sabotage)
      let (server, storages) = try Self.nodes(folder)
      let history = TokenHistory(firsts, time: time, server: server)
      await withTaskGroup(of: Void.self) { group in
        for client in 0..<4 { group.addTask { await history.misbehave(calls: 30, seed: seed * 100 + UInt64(client)) } }
      }
      unexplained += history.unexplained(window: Self.window).count
      for storage in storages { try await storage.close() }
    }
    #expect(unexplained > 0)
  }

  @Test("RT-04: servers that are killed at any moment leave no history unexplained", arguments: [1, 2] as [UInt64])
  func killed(seed: UInt64) async throws {
    let (folder, firsts, time) = try await Self.prepare(families: 6)
    let workers = try TokenWorkers(2, folder: folder.url, clientID: "app")
    let answered = Locked(0)
    let history = TokenHistory(firsts, time: time) { command in
      let answer = await workers.tell(command)
      answered.withLock { $0 += 1 }
      return answer
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for client in 0..<6 {
        group.addTask {
          await history.misbehave(calls: 40, seed: seed * 1000 + UInt64(client))
          return true
        }
      }
      group.addTask {
        // While the others are in the middle of something.
        for kill in 0..<8 {
          let due = 20 * (kill + 1)
          try await waitUntil("\(due) answers") { answered.withLock { $0 } >= due }
          try await workers.kill(kill)
        }
        return false
      }
      try await group.waitForAll()
    }
    await workers.stop()
    #expect(await workers.kills == 8)
    #expect(history.unexplained(window: Self.window) == [])
    try await Self.expectOneLeaf(history, folder)
  }

  @Test("RT-06: eight clients share a one-time token, lose answers, and their server is killed: none is signed out")
  func nobodySignedOut() async throws {
    let (folder, firsts, time) = try await Self.prepare(families: 2)
    let workers = try TokenWorkers(2, folder: folder.url, clientID: "app")
    let answered = Locked(0)
    let history = TokenHistory(firsts, time: time) { command in
      let answer = await workers.tell(command)
      answered.withLock { $0 += 1 }
      return answer
    }
    // What the clients of a family keep on their disk.
    let kept = Locked(firsts)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(client) + 77)
          for _ in 0..<25 {
            let family = client % firsts.count
            let token = kept.withLock { $0[family] }
            // A client that is killed before it has written its answer down has lost it as well.
            let isLost = random.next() % 3 == 0
            guard
              let answer = await history.call(.refresh, token, family: family, passing: 0.1, isLost: isLost)
            else { continue }
            #expect(answer.refusal == nil)
            guard let next = answer.refreshToken else { continue }
            // Replaces only what it has read.
            kept.withLock { kept in if kept[family] == token { kept[family] = next } }
          }
        }
      }
      group.addTask {
        for kill in 0..<6 {
          try await waitUntil("answers") { answered.withLock { $0 } >= 20 * (kill + 1) }
          try await workers.kill(kill)
        }
      }
      try await group.waitForAll()
    }
    #expect(history.unexplained(window: Self.window) == [])
    // They are all still signed in.
    for family in firsts.indices {
      let token = kept.withLock { $0[family] }
      let answer = await history.call(.refresh, token, family: family, passing: 0, isLost: false)
      #expect(answer?.refreshToken != nil)
      let operations = history.families[family].operations
      #expect(operations.contains { $0.outcome == .unknown })
      #expect(!operations.contains { if case .refused = $0.outcome { true } else { false } })
    }
    await workers.stop()
    try await Self.expectOneLeaf(history, folder)
  }
}

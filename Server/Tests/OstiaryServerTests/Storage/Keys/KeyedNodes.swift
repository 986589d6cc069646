import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Three servers that take their turns when the test says.
struct KeyedNodes: Sendable {
  let nodes: ThreeNodes
  let duties: [KeyDuty]
  let log = LogRecorder()

  var storages: [ServerStorage] { nodes.storages }
  var used: [Int64] { storages.map { $0.key.content.current } }
  var known: [Int64] { storages.map { $0.key.content.newest } }

  init(_ nodes: ThreeNodes) async throws {
    self.nodes = nodes
    for storage in nodes.storages { Self.haveTime(storage) }
    let clock = TestClock()
    let logger = log.logger
    duties = nodes.storages.enumerated().map { number, storage in
      KeyDuty(storage: storage, node: "node-\(number)", version: "1", clock: clock, logger: logger)
    }
    for duty in duties { try await duty.join() }
  }

  /// However slow the machine is, no server is given up while the test goes on; and no stage of a change takes time.
  static func haveTime(_ storage: ServerStorage) {
    storage.keyPatience.withLock { $0 = 1_000_000 }
    storage.keyNotice.withLock { $0 = 0 }
  }

  /// Turns until there is nothing to do.
  func settle() async throws {
    for _ in 0..<4 {
      for duty in duties { try await duty.turn() }
    }
  }

  /// Each takes one turn, after which the offered key of a number is used by one of them.
  func split(_ number: Int) async throws {
    for duty in duties { try await duty.turn() }
    #expect(used.contains(Int64(number)))
  }

  /// The last server uses a new key, and the others have it.
  func split() async throws {
    _ = try await storages[0].offerKey(nil)
    for duty in duties { try await duty.turn() }
    #expect(used == [1, 1, 2] && known == [2, 2, 2])
  }

  static func run(_ body: (KeyedNodes) async throws -> Void) async throws {
    try await ThreeNodes.run { nodes in try await body(KeyedNodes(nodes)) }
  }

  /// The servers that have a row.
  static func servers(_ storage: ServerStorage) async throws -> [String] {
    try await storage.read { db in try db.test.all(String.self, "SELECT id FROM key_nodes ORDER BY id") }
  }

  /// Runs a statement that no server would.
  func execute(_ statement: String) async throws {
    try await storages[0].write { db -> Void in try db.test.execute(statement) }
  }
}

extension KeyChange {
  /// A change whose stages take no time.
  static func atOnce(_ storage: ServerStorage) -> KeyChange {
    KeyedNodes.haveTime(storage)
    return KeyChange(storage)
  }
}

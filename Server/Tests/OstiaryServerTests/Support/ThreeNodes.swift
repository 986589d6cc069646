import Foundation

@testable import OstiaryServer

/// Three servers' storages over one folder, or over one schema of PostgreSQL, each with connections of its own.
struct ThreeNodes: Sendable {
  private let folder = TemporaryFolder()
  let storages: [ServerStorage]

  init() throws {
    storages = try (0..<3).map { [folder] _ in try ServerStorage.forTest(in: folder.url) }
  }

  /// Runs a body with three servers, and closes them.
  static func run(_ body: (ThreeNodes) async throws -> Void) async throws {
    let nodes = try ThreeNodes()
    try await body(nodes)
    for storage in nodes.storages { try await storage.close() }
  }

  /// The answers of calls that run at once, at one node after another.
  func parallel<Node: Sendable, Value: Sendable>(
    _ count: Int, at nodes: [Node], _ body: @escaping @Sendable (Node, Int) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      for number in 0..<count { group.addTask { try await body(nodes[number % nodes.count], number) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}

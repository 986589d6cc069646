import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Allowances that servers share", .timeLimit(.minutes(10)))
struct SharedAllowanceTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("Salesforce-E8: three servers together allow the limit, however many calls come at once", arguments: [7, 1000])
  func threeNodes(limit: Int) async throws {
    try await ThreeNodes.run { nodes in
      let terms = AllowanceTerms(limit: limit, period: 86_400)
      let allowances = nodes.storages.map { SharedAllowance($0, named: "test", terms) }
      let used = try await nodes.parallel(limit + 200, at: allowances) { allowance, _ in
        try await allowance.take(at: Self.now)
      }
      #expect(used.count { $0 != nil } <= limit)
      // What one of them has left, the others lack; it is little.
      var rest = 0
      for allowance in allowances { while try await allowance.take(at: Self.now) != nil { rest += 1 } }
      #expect(used.count { $0 != nil } + rest == limit)
      for allowance in allowances { #expect(allowance.used <= limit) }
      // The next window is for all of them.
      #expect(try await allowances[2].take(at: Self.now + 86_400) == 1)
    }
  }

  @Test("One server gets the whole limit, however many calls come at once, and writes seldom")
  func alone() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let allowance = SharedAllowance(storage, named: "test", AllowanceTerms(limit: 2000, period: 86_400))
    let used = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<2100 { group.addTask { try await allowance.take(at: Self.now) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(used.compactMap { $0 }.sorted() == Array(1...2000))
    #expect(allowance.used == 2000)
    // What a server that was killed had taken counts as used.
    let taken = try await storage.read { db in try db.test.first(Int.self, "SELECT taken FROM allowances") }
    #expect(taken == 2000)
    try await storage.close()
    // Without its database it allows nothing that it has not taken before.
    await #expect(throws: ServerError.self) { try await allowance.take(at: Self.now + 86_400) }
  }
}

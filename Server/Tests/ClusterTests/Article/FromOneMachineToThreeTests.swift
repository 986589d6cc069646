import Foundation
import OstiaryCore
import Testing

@Suite(
  "From one machine to three", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: ArticleMachines.missing == nil, Comment(rawValue: ArticleMachines.missing ?? "")))
struct FromOneMachineToThreeTests {
  @Test("OP-10: the article's commands do what it says, and a client that refreshes throughout is not signed out")
  func article() async throws {
    let article = try ArticleBlocks(String(contentsOf: ArticleBlocks.file, encoding: .utf8))
    let folder = "/tmp/ostiary-article-\(UUID().uuidString.prefix(8))"
    let machines = try await ArticleMachines(folder: folder, names: article.names)
    let client = Locked<ArticleClient?>(nil)
    let outcome: Result<Void, any Error>
    do {
      try await Self.follow(article, machines, client)
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await client.withLock { $0 }?.close()
    await machines.end()
    // What was written is of use only after a failure.
    if case .success = outcome { try? FileManager.default.removeItem(atPath: folder) }
    try outcome.get()
  }

  private static func follow(
    _ article: ArticleBlocks, _ machines: ArticleMachines, _ kept: Locked<ArticleClient?>
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      for block in article.blocks {
        if block.text.contains("ostiary database backup"), kept.withLock({ $0 == nil }) {
          let client = try await signIn(machines)
          kept.withLock { $0 = client }
          group.addTask { await client.work() }
        }
        guard let client = kept.withLock({ $0 }) else {
          try await machines.perform(block, all: article.blocks)
          continue
        }
        if block.action == .stop {
          // With three servers, each of which was started anew.
          let refreshed = client.seen.refreshed
          try await client.wait { $0.refreshed >= refreshed + 5 }
        }
        try await machines.perform(block, all: article.blocks)
        if block.text.contains("ostiary database copy") {
          // The old server has heard that its data has gone elsewhere.
          let unavailable = client.seen.unavailable
          try await client.wait { $0.unavailable > unavailable }
        }
      }
      let client = try #require(kept.withLock { $0 })
      let refreshed = client.seen.refreshed
      try await client.wait { $0.refreshed >= refreshed + 5 }
      #expect(client.isSignedIn)
      #expect(client.signOuts == [])
      #expect(client.seen.faults == [])
      #expect(client.seen.unavailable >= 2 && client.seen.refreshed >= 10, "\(client.seen)")
    }
  }

  /// The user of the article signs in.
  private static func signIn(_ machines: ArticleMachines) async throws -> ArticleClient {
    let file = "\(machines.settings(of: "one"))/ann.password"
    let password = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    let client = try ArticleClient(
      origin: machines.origin, authority: "\(machines.folder)/site.crt", user: "ann", password: Secret(password))
    try await client.signIn()
    return client
  }
}

import Foundation
import OstiaryCore
import OstiarySalesforce

/// Taking up a hundred accounts that rest in files. The raw way reads the same records from the same store, one after the
/// other, and makes nothing of them.
enum AccountBenchmark {
  private static let count = 100

  static func run() async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let transport = BenchmarkOrg.transport()
    func accounts() -> SalesforceAccounts {
      SalesforceAccounts(clientID: BenchmarkOrg.clientID, transport: transport, store: FileStore(folder: folder))
    }
    let before = accounts()
    for user in 0..<count { try await before.signIn(with: .proof(try BenchmarkOrg.tokens(user).proof)) }

    var figure = Figure()
    for _ in 0..<62 {
      let (store, after) = (FileStore(folder: folder), accounts())
      try await figure.round {
        for key in try await store.accounts() {
          guard case .present = await store.load(key) else { throw BenchmarkOrg.notWhatWasMeant }
        }
      } own: {
        guard try await after.restore().count == count else { throw BenchmarkOrg.notWhatWasMeant }
      }
    }
    figure.forget(2)
    let (wall, processor) = (figure.median(\.wall), figure.median(\.processor))
    let own = processor.own * 1e3
    return Figure.report(
      "Restore \(count) accounts from files, warm",
      "\(Figure.text(own)) ms of processor (\(Figure.text(wall.own * 1e3)) ms by the wall's clock)",
      raw: "\(Figure.text(processor.raw * 1e3)) ms (\(Figure.text(wall.raw * 1e3)) ms)", bar: "≤ 5 ms", isMet: own <= 5)
  }
}

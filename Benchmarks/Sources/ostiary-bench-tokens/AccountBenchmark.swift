import Foundation
import OstiaryCore
import OstiarySalesforce

/// Taking up a hundred accounts that rest in files. The raw way reads the same records from the same store, one after the
/// other, and parses them.
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
          guard case .present(let data) = await store.load(key),
            key.name.hasPrefix("salesforce-current") || JSONValue(json: data) != nil
          else {
            throw BenchmarkOrg.notWhatWasMeant
          }
        }
      } own: {
        guard try await after.restore().count == count else { throw BenchmarkOrg.notWhatWasMeant }
      }
    }
    figure.forget(2)
    let (wall, processor) = (figure.median(\.wall), figure.median(\.processor))
    return Figure.report(
      "Restore \(count) accounts from files, warm",
      "\(Figure.text(processor.own * 1e3)) ms of processor = \(String(format: "%.2f", processor.ratio)) of the raw way ("
        + "\(Figure.text(wall.own * 1e3)) ms by the wall's clock)",
      raw: "\(Figure.text(processor.raw * 1e3)) ms (\(Figure.text(wall.raw * 1e3)) ms)", bar: "≤ 1.3",
      isMet: processor.ratio <= 1.3)
  }
}

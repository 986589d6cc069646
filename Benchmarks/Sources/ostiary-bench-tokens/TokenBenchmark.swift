import OstiaryCore
import OstiarySalesforce
import OstiaryTesting

/// Reading a token that is good. The raw way is a token under a lock, read by a holder of both.
enum TokenBenchmark {
  static func run() async throws -> Bool {
    let connection = try SalesforceConnection(BenchmarkOrg.tokens(), transport: BenchmarkOrg.transport())
    try await connection.verify()
    let token = Locked(connection.accessToken)
    let count = 200_000
    var figure = Figure()
    for _ in 0..<32 {
      try await figure.round {
        for _ in 0..<count where token.withLock({ $0 }) == nil { throw BenchmarkOrg.notWhatWasMeant }
      } own: {
        for _ in 0..<count where connection.accessToken == nil { throw BenchmarkOrg.notWhatWasMeant }
      }
    }
    figure.forget(2)
    let time = figure.median(\.processor)
    let (raw, own) = (time.raw / Double(count) * 1e9, time.own / Double(count) * 1e9)
    return Figure.report(
      "Read a valid token", "\(Figure.text(own)) ns", raw: "\(Figure.text(raw)) ns", bar: "≤ 100 ns", isMet: own <= 100)
  }
}

import Foundation
import HTTPTypes
import OstiaryAsyncHTTPClient
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting

/// The same requests over the same client to the same server: bare with the token written into them, and with a session.
enum RequestBenchmark {
  static func run(inFlight: Int) async throws -> Bool {
    let server = try LoopbackServer { request in
      let document = "{\"id\":\"https://login.salesforce.com\(request.path)\",\"username\":\"ann@acme.test\"}"
      let body = request.path.hasPrefix("/id/") ? document : "{\"totalSize\":0,\"records\":[]}"
      return [.response(200, [("Content-Type", "application/json")], body: body)]
    }
    defer { server.stop() }
    let network = AsyncHTTPClientTransport()
    let instance = "http://127.0.0.1:\(server.port)"
    let tokens = try BenchmarkOrg.tokens(instance: instance, identityHost: instance)
    let connection = try SalesforceConnection(tokens, transport: network)
    try await connection.verify()
    let call = SalesforceCall.get("/services/data/v58.0/query?q=SELECT+Id+FROM+Case")
    guard let base = URL(string: instance) else { throw BenchmarkOrg.notWhatWasMeant }
    var bare = try call.request(at: base)
    bare.head.headerFields[.authorization] = "Bearer " + tokens.accessToken.reveal()
    let request = bare

    let count = 2_000 / inFlight
    var figure = Figure()
    for _ in 0..<32 {
      try await figure.round {
        try await repeating(count, inFlight) { try await network.send(request) }
      } own: {
        try await repeating(count, inFlight) { try await connection.send(call) }
      }
    }
    figure.forget(2)
    let (wall, processor) = (figure.median(\.wall), figure.median(\.processor))
    let (total, ratio) = (Double(count * inFlight), 1 / wall.ratio)
    return Figure.report(
      "Authenticated requests, \(inFlight) at a time",
      "\(Figure.text(total / wall.own))/s = \(String(format: "%.3f", ratio)) of the bare client's, "
        + "\(Figure.text(processor.own / total * 1e6)) µs of processor each",
      raw: "\(Figure.text(total / wall.raw))/s and \(Figure.text(processor.raw / total * 1e6)) µs", bar: "≥ 0.95",
      isMet: ratio >= 0.95)
  }

  private static func repeating(
    _ count: Int, _ inFlight: Int, _ send: @escaping @Sendable () async throws -> TransportResponse
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<inFlight {
        group.addTask {
          for _ in 0..<count {
            guard try await send().status == .ok else { throw BenchmarkOrg.notWhatWasMeant }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

import Foundation

/// Times what sessions of tokens cost: a thousand requests whose token is over; with a Salesforce org reading a token, sending
/// a request, finding a hundred accounts again; finding an issuer's keys. Each figure beside the raw way of doing the same in the same run, and with
/// its bar; exits with 1 when one is missed.
@main
enum Main {
  private static let benchmarks: [(String, @Sendable () async throws -> Bool)] = [
    ("token", { try await TokenBenchmark.run() }),
    ("keys", { try await KeysBenchmark.run() }),
    ("requests", { try await RequestBenchmark.run(inFlight: 1) }),
    ("requests", { try await RequestBenchmark.run(inFlight: 8) }),
    ("accounts", { try await AccountBenchmark.run() }),
    ("stampede", { try await StampedeBenchmark.run(isRefused: false) }),
    ("stampede", { try await StampedeBenchmark.run(isRefused: true) }),
  ]

  /// Without arguments it runs everything, otherwise what they name.
  static func main() async {
    do {
      var isGood = true
      for (name, run) in benchmarks where CommandLine.arguments.count < 2 || CommandLine.arguments.contains(name) {
        if !(try await run()) { isGood = false }
      }
      exit(isGood ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}

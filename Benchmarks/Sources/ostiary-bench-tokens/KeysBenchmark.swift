import Foundation
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting

/// Finding the keys of an issuer that are held. The raw way is a dictionary of key sets under a lock.
enum KeysBenchmark {
  static func run() async throws -> Bool {
    let issuer = "https://as.example"
    guard let address = URL(string: issuer + "/keys") else { throw BenchmarkOrg.notWhatWasMeant }
    let keys = try (0..<4).map { try SigningKey.make(.es256, id: "key-\($0)") }
    let members = keys.compactMap { $0.publicKey.map { JSONValue.object($0.members) } }
    let transport = ScriptedTransport(handler: { _ in .json(["keys": .array(members)]) })
    let directory = ServerDirectory(transport: transport)
    let set = try await directory.keys(of: issuer, at: address)
    let held = Locked([issuer: set])
    let count = 200_000
    var (known, found) = (Figure(), Figure())
    for _ in 0..<32 {
      let raw = {
        for _ in 0..<count where held.withLock({ $0[issuer]?.keys.count }) != 4 { throw BenchmarkOrg.notWhatWasMeant }
      }
      try await known.round(raw: raw) {
        for _ in 0..<count where directory.knownKeys(of: issuer, at: address)?.keys.count != 4 {
          throw BenchmarkOrg.notWhatWasMeant
        }
      }
      try await found.round(raw: raw) {
        for _ in 0..<count {
          guard try await directory.keys(of: issuer, at: address, naming: "key-3").keys.count == 4 else {
            throw BenchmarkOrg.notWhatWasMeant
          }
        }
      }
    }
    guard transport.count == 1 else { throw BenchmarkOrg.notWhatWasMeant }
    known.forget(2)
    found.forget(2)
    return report("Find an issuer's held keys", known, count) && report("The same, by a name", found, count)
  }

  private static func report(_ title: String, _ figure: Figure, _ count: Int) -> Bool {
    let time = figure.median(\.processor)
    let (raw, own) = (time.raw / Double(count) * 1e9, time.own / Double(count) * 1e9)
    return Figure.report(
      title, "\(Figure.text(own)) ns", raw: "\(Figure.text(raw)) ns", bar: "< 1000 ns", isMet: own < 1000)
  }
}

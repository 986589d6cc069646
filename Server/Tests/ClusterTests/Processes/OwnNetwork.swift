import Foundation
import OstiaryTesting

/// The network namespace that `Scripts/test.sh` runs the tests in: it has nothing but a loopback of its own, so that packets can be lost
/// there.
enum OwnNetwork {
  private static let kind = ProcessInfo.processInfo.environment["OSTIARY_CHAOS_NETWORK"]

  static var isThere: Bool { kind != nil }
  /// Whether this process is root in a user namespace only, where no other user is known.
  static var isMapped: Bool { kind == "mapped" }

  private static let nft = ChildProcess.find("nft", alsoIn: ["/usr/sbin", "/sbin"])

  /// Loses a fraction of the packets to and from a port, in thousandths.
  static func losePackets(port: Int, perMille: Int) async throws {
    let rules = ["dport", "sport"].map { "tcp \($0) \(port) numgen random mod 1000 < \(perMille) drop" }
    let text =
      "add table inet ostiary\nadd chain inet ostiary input { type filter hook input priority 0; }\n"
      + rules.map { "add rule inet ostiary input \($0)\n" }.joined()
    try await run(text)
  }

  /// Loses no more packets.
  static func loseNoPackets() async throws {
    try await run("add table inet ostiary\ndelete table inet ostiary\n")
  }

  private static func run(_ rules: String) async throws {
    guard isThere, let nft else { throw ClusterDatabase.Failed(description: "There is no network of our own.") }
    let result = try await ChildProcess.run(nft, ["-f", "-"], input: rules)
    guard result.status == 0 else { throw ClusterDatabase.Failed(description: "nft: \(result.error)") }
  }
}

import OstiaryCore

@testable import OstiaryServer

extension ClusterRemains {
  /// Reads the families of refresh tokens that there are.
  static func read(_ database: any ClusterStorage) async throws -> ClusterRemains {
    let answer = try await database.answer(
      "SELECT encode(handle_hash, 'hex'), encode(leaf_hash, 'hex') FROM grants WHERE leaf_hash IS NOT NULL")
    var leaves: [String: String] = [:]
    for row in answer.split(separator: "\n").map({ $0.split(separator: "|").map(String.init) }) where row.count == 2 {
      leaves[row[0]] = row[1]
    }
    return ClusterRemains(
      leaves: leaves, handle: { text($0).map { hexadecimal($0.handleHash) } },
      hash: { text($0).map { hexadecimal($0.hash) } ?? $0 })
  }

  /// A token as the door shows it, with two characters more.
  private static func text(_ token: String) -> RefreshTokenText? {
    token.hasSuffix("==") ? RefreshTokenText(Secret(String(token.dropLast(2)))) : nil
  }

  private static func hexadecimal(_ hash: TokenHash) -> String {
    hash.data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}

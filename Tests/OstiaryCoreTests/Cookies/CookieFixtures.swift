import Foundation
import HTTPTypes
import OstiaryCore

/// A fixed point in time: 2024-01-01T00:00:00Z.
let cookieEpoch = Date(timeIntervalSince1970: 1_704_067_200)

/// A GET request for an absolute address.
func cookieRequest(_ address: String) throws -> HTTPRequest {
  guard let url = URL(string: address) else { throw OstiaryError(.invalidRequest, "Not an address.") }
  return try HTTPRequest(.get, to: url)
}

extension CookieJar {
  /// A jar that took in these fields from this address.
  static func with(_ setCookies: String..., from address: String, now: Date = cookieEpoch) throws -> CookieJar {
    var jar = CookieJar()
    for field in setCookies { jar.store(field, from: try cookieRequest(address), now: now) }
    return jar
  }

  func header(_ address: String, now: Date = cookieEpoch) throws -> String? {
    header(for: try cookieRequest(address), now: now)
  }
}

/// Test data shared beside the repository. A test that reads it says so and ends where there is none.
enum SharedVectors {
  static func read(_ name: String) -> Data? {
    let environment = ProcessInfo.processInfo.environment["OSTIARY_VECTORS"].map { URL(fileURLWithPath: $0) }
    let beside = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      .appendingPathComponent("shared/vectors")
    for folder in [environment, beside].compactMap({ $0 }) {
      if let data = try? Data(contentsOf: folder.appendingPathComponent(name)) { return data }
    }
    print("skipped: no vectors \(name) (set OSTIARY_VECTORS to their folder)")
    return nil
  }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMixGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

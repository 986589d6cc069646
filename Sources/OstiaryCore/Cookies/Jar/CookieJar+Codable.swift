internal import Foundation

/// A jar's form at rest: version 1, one object with short keys a cookie, dates in seconds since 1970. Every cookie that
/// is read is checked like one made by hand, and counted. A cookie that can't be read, or is there twice, is left out:
/// the others may be a session.
extension CookieJar: Codable {
  private enum CodingKeys: String, CodingKey {
    case version = "v"
    case cookies = "c"
    case insecurelySendsSecureCookiesToLoopback = "loopback"
  }

  private static let version = 1

  /// Reads a jar.
  /// - Throws: `DecodingError` for another version, and for what is no list of cookies.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard try container.decode(Int.self, forKey: .version) == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "The cookie jar is of an unknown version.")
    }
    self.init()
    insecurelySendsSecureCookiesToLoopback =
      try container.decodeIfPresent(Bool.self, forKey: .insecurelySendsSecureCookiesToLoopback) ?? false
    var list = try container.nestedUnkeyedContainer(forKey: .cookies)
    // What a jar holds at most, so that a hostile file costs bounded time.
    var remaining = Self.maximumCount
    while !list.isAtEnd, remaining > 0 {
      remaining -= 1
      guard let cookie = try? Cookie(from: try list.superDecoder()), !contains(cookie) else { continue }
      _ = put(cookie, isProof: { _ in true })
    }
  }

  /// Writes the jar.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(cookies, forKey: .cookies)
    if insecurelySendsSecureCookiesToLoopback {
      try container.encode(true, forKey: .insecurelySendsSecureCookiesToLoopback)
    }
  }
}

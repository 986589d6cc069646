internal import Foundation

/// A jar's form at rest: version 1, one object with short keys a cookie, dates in seconds since 1970. Whatever is read
/// is checked like a cookie made by hand, and counted, so that a hostile file gives an error and nothing else.
extension CookieJar: Codable {
  private enum CodingKeys: String, CodingKey {
    case version = "v"
    case cookies = "c"
    case insecurelySendsSecureCookiesToLoopback = "loopback"
  }

  private static let version = 1

  /// Reads a jar.
  /// - Throws: `DecodingError` for another version, more cookies than a jar holds, or one that no server could have
  ///   set.
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
    while !list.isAtEnd {
      let before = count
      // Nothing expires while it is read: there is no clock here.
      let outcome = place(try list.decode(Cookie.self), now: .distantPast)
      // Each must be new, and none may have had to make room for it.
      guard outcome == .stored, count == before + 1 else {
        throw DecodingError.dataCorruptedError(
          in: list, debugDescription: "The cookie jar holds too many cookies, or one of them twice.")
      }
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

internal import Foundation

extension Cookie: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "n"
    case value = "v"
    case domain = "d"
    case includesSubdomains = "sub"
    case path = "p"
    case expiresAt = "e"
    case isSecure = "s"
    case isHTTPOnly = "h"
    case sameSite = "ss"
    case createdAt = "c"
    case setAtWall = "w"
    case setAtBoot = "b"
    case setAtUptime = "u"
  }

  /// Reads a cookie.
  /// - Throws: `DecodingError` for one that no server could have set.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      unchecked: try container.decode(String.self, forKey: .name),
      value: try container.decode(Secret.self, forKey: .value),
      domain: try container.decode(String.self, forKey: .domain),
      isHostOnly: try container.decodeIfPresent(Bool.self, forKey: .includesSubdomains) != true,
      path: try container.decodeIfPresent(String.self, forKey: .path) ?? "/",
      expiresAt: try container.decodeIfPresent(Double.self, forKey: .expiresAt).map(Date.init(timeIntervalSince1970:)),
      isSecure: try container.decodeIfPresent(Bool.self, forKey: .isSecure) ?? false,
      isHTTPOnly: try container.decodeIfPresent(Bool.self, forKey: .isHTTPOnly) ?? false,
      sameSite: try container.decodeIfPresent(SameSite.self, forKey: .sameSite) ?? .default,
      createdAt: Date(timeIntervalSince1970: try container.decode(Double.self, forKey: .createdAt)),
      setAt: Self.moment(in: container))
    let isLowerCase = domain.utf8.allSatisfy { ASCII.lowercased($0) == $0 }
    if let problem = isLowerCase ? problem : "A cookie's domain must be in lower case." {
      throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: problem)
    }
  }

  /// Writes the cookie, its value in the clear: what encodes it decides where it goes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(value, forKey: .value)
    try container.encode(domain, forKey: .domain)
    if !isHostOnly { try container.encode(true, forKey: .includesSubdomains) }
    if path != "/" { try container.encode(path, forKey: .path) }
    try container.encodeIfPresent(expiresAt?.timeIntervalSince1970, forKey: .expiresAt)
    if isSecure { try container.encode(true, forKey: .isSecure) }
    if isHTTPOnly { try container.encode(true, forKey: .isHTTPOnly) }
    if sameSite != .default { try container.encode(sameSite, forKey: .sameSite) }
    try container.encode(createdAt.timeIntervalSince1970, forKey: .createdAt)
    if let setAt, let uptime = setAt.uptime {
      try container.encode(setAt.wall.timeIntervalSince1970, forKey: .setAtWall)
      try container.encode(uptime.boot, forKey: .setAtBoot)
      try container.encode(uptime.seconds, forKey: .setAtUptime)
    }
  }

  /// When the cookie's age began to count. Cookies of earlier versions don't say; without it the wall clock counts.
  private static func moment(in container: KeyedDecodingContainer<CodingKeys>) -> Moment? {
    guard let wall = try? container.decode(Double.self, forKey: .setAtWall),
      let boot = try? container.decode(String.self, forKey: .setAtBoot),
      let seconds = try? container.decode(Double.self, forKey: .setAtUptime)
    else { return nil }
    return Moment(wall: Date(timeIntervalSince1970: wall), uptime: Uptime(boot: boot, seconds: seconds))
  }
}

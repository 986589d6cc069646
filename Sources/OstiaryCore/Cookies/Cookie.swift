public import Foundation

/// One cookie, as the server set it.
///
/// Its value is kept byte for byte, and never printed: read it with `value.reveal()`.
public struct Cookie: Sendable, Equatable {
  /// The name; empty for a cookie that has none (RFC 6265bis allows that). Compared byte for byte.
  public let name: String
  /// The value, exactly as it came, with quotes and percent signs.
  public let value: Secret
  /// The host or domain it belongs to, in lower case without a leading dot; an IPv6 address without brackets.
  public let domain: String
  /// Whether it goes to ``domain`` alone, not to hosts below it.
  public let isHostOnly: Bool
  /// Where it goes to: this path and what lies under it.
  public let path: String
  /// When it ends; `nil` for a session cookie, which ends with the session.
  public let expiresAt: Date?
  /// Whether it travels over https only.
  public let isSecure: Bool
  /// Whether scripts in a page must not see it. Kept for apps that hand cookies to a web view.
  public let isHTTPOnly: Bool
  /// What the server said about cross-site requests. Kept, but without effect here: a client of an interface has no
  /// pages of other sites that could make it send requests.
  public let sameSite: SameSite
  /// When the server first set it. Replacing its value leaves this as it is.
  package internal(set) var createdAt: Date
  /// The moment at which ``expiresAt`` was counted from, where a clock was known then that a user can't set.
  package let setAt: Moment?

  /// The most bytes that name and value may have together (RFC 6265bis §5.6).
  package static let maximumSize = 4096
  /// The most bytes that an attribute's value may have (RFC 6265bis §5.6).
  package static let maximumAttributeSize = 1024
  /// The most bytes that a path may have. One that comes from the request's address (RFC 6265bis §5.1.4) may be longer
  /// than an attribute's value; servers refuse longer addresses themselves.
  package static let maximumPathSize = 8192

  /// The `SameSite` attribute (RFC 6265bis §5.6.7).
  public enum SameSite: String, Sendable, Hashable, Codable {
    /// Not said, or not one of the defined values.
    case `default`
    /// `None`.
    case none
    /// `Lax`.
    case lax
    /// `Strict`.
    case strict
  }

  /// Makes a cookie that did not come as a `Set-Cookie` field, such as one from another cookie storage.
  ///
  /// - Parameters:
  ///   - domain: a host or domain; a leading dot is dropped.
  ///   - isHostOnly: `false` sends it to every host below `domain`, too.
  /// - Throws: ``OstiaryError`` `invalidInput` for what no server could have set: both name and value empty, control
  ///   characters, a semicolon in name or value, too many bytes, a path that doesn't begin with `/`, a domain that is an
  ///   address or a single label but not host-only, a broken `__Host-` or `__Secure-` promise.
  public init(
    name: String,
    value: Secret,
    domain: String,
    isHostOnly: Bool = true,
    path: String = "/",
    expiresAt: Date? = nil,
    isSecure: Bool = false,
    isHTTPOnly: Bool = false,
    sameSite: SameSite = .default,
    createdAt: Date
  ) throws {
    let domain = ASCII.lowercased(domain.utf8.first == UInt8(ascii: ".") ? domain.utf8.dropFirst() : domain.utf8[...])
    self.init(
      unchecked: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expiresAt: expiresAt,
      isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite, createdAt: createdAt)
    if let problem { throw OstiaryError(.invalidInput, problem, requestMayHaveExecuted: false) }
  }

  /// Makes a cookie from parts that the jar's algorithm has checked, or that are checked with ``problem`` next.
  init(
    unchecked name: String, value: Secret, domain: String, isHostOnly: Bool, path: String, expiresAt: Date?,
    isSecure: Bool, isHTTPOnly: Bool, sameSite: SameSite, createdAt: Date, setAt: Moment? = nil
  ) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
    self.path = path
    self.expiresAt = expiresAt?.asStored
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
    self.createdAt = createdAt.asStored
    // Without a date there is nothing to count, and without the time since boot nothing to count with.
    self.setAt = expiresAt == nil ? nil : setAt.flatMap(Self.countable)
  }

  /// Whether it outlives the session: the server gave it a date.
  package var isPersistent: Bool { expiresAt != nil }

  /// Whether it is over, by the wall clock.
  package func isExpired(at now: Date) -> Bool {
    guard let expiresAt else { return false }
    return expiresAt <= now
  }

  public static func == (lhs: Cookie, rhs: Cookie) -> Bool {
    lhs.isSameCookie(as: rhs) && lhs.hasSameValue(as: rhs) && lhs.hasSameAttributes(as: rhs)
      && lhs.createdAt == rhs.createdAt && lhs.setAt == rhs.setAt
  }

  /// Whether one would take the other's place (RFC 6265bis §5.7: same name, domain, host-only flag and path).
  func isSameCookie(as other: Cookie) -> Bool {
    isHostOnly == other.isHostOnly && name.hasSameBytes(as: other.name) && path.hasSameBytes(as: other.path)
      && domain.hasSameBytes(as: other.domain)
  }

  func hasSameValue(as other: Cookie) -> Bool {
    value.reveal().hasSameBytes(as: other.value.reveal())
  }

  func hasSameAttributes(as other: Cookie) -> Bool {
    expiresAt == other.expiresAt && isSecure == other.isSecure && isHTTPOnly == other.isHTTPOnly
      && sameSite == other.sameSite
  }
}

extension Date {
  /// The date as it comes back from a store, which keeps seconds since 1970: less exact by a fraction of a microsecond
  /// than Foundation's.
  var asStored: Date { Date(timeIntervalSince1970: timeIntervalSince1970) }
}

extension Cookie: Redacted {
  /// Name, domain and path; never the value.
  public var description: String {
    "Cookie(\(name.isEmpty ? "no name" : name), \(isHostOnly ? "" : "*.")\(domain)\(path))"
  }
}

/// What makes one cookie take another's place (RFC 6265bis §5.7), byte for byte.
package struct CookieIdentity: Hashable, Sendable {
  private let name, domain, path: [UInt8]
  private let isHostOnly: Bool

  /// The identity of a cookie.
  package init(_ cookie: Cookie) {
    name = Array(cookie.name.utf8)
    domain = Array(cookie.domain.utf8)
    path = Array(cookie.path.utf8)
    isHostOnly = cookie.isHostOnly
  }
}

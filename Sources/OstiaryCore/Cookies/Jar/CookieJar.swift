public import Foundation
public import HTTPTypes

/// One session's cookies, kept and sent as RFC 6265bis says.
///
/// A value: copying it is cheap, and a copy is a jar of its own. It holds at most 180 cookies a domain and 3000 in all;
/// beyond that the least recently used go first, those without `Secure` before the others (RFC 6265bis §5.7). A cookie
/// counts as used by a request when its answer sets cookies: sending one does not change a jar, or every request would be
/// a write to the session's store. Cookies that are known to carry a session are never evicted.
public struct CookieJar: Sendable {
  /// The most cookies that one domain may have, those that carry a session not counted. RFC 6265bis §6.1 asks for 50 at
  /// least; browsers keep 180.
  package static let maximumCountPerDomain = 180
  /// The most cookies in a jar (RFC 6265bis §6.1).
  package static let maximumCount = 3000

  /// Sends cookies marked `Secure` over unencrypted http to this machine (`localhost`, `127.0.0.0/8`, `::1`), and
  /// accepts them from there. For development only: other users of the machine can listen on its ports.
  public var insecurelySendsSecureCookiesToLoopback = false

  /// A domain's cookies, in the order in which they are sent.
  struct Bucket: Sendable {
    let domain: [UInt8]
    var entries: [Entry]
  }

  struct Entry: Sendable {
    var cookie: Cookie
    /// Tells cookies set at the same time apart: lower was there first.
    var serial: UInt64
    /// When it was set last, as a serial number.
    var lastSet: UInt64
    /// When a request carried it last whose answer set cookies, as a serial number; at first when it was set.
    var lastUse: UInt64

    /// The order of RFC 6265bis §5.8.3: longer paths first, then earlier creation.
    func isSent(before other: Entry) -> Bool {
      let length = cookie.path.utf8.count
      let otherLength = other.cookie.path.utf8.count
      if length != otherLength { return length > otherLength }
      return isOlder(than: other)
    }

    func isOlder(than other: Entry) -> Bool {
      (cookie.createdAt, serial) < (other.cookie.createdAt, other.serial)
    }
  }

  /// Sorted by the bytes of their domains; none is empty.
  var buckets: [Bucket] = []
  var nextSerial: UInt64 = 0
  /// Whether there may be cookies with a date.
  var mayExpire = false

  /// How many cookies there are, including expired ones that have not been cleared away.
  package internal(set) var count = 0

  /// Makes an empty jar.
  public init() {}

  /// Whether there are no cookies.
  package var isEmpty: Bool { buckets.isEmpty }

  /// All cookies, the oldest first.
  public var cookies: [Cookie] {
    buckets.flatMap(\.entries).sorted { $0.isOlder(than: $1) }.map(\.cookie)
  }

  /// The cookies that `request` would carry, in the order in which they would be sent.
  public func cookies(for request: HTTPRequest, now: Date) -> [Cookie] {
    CookieTarget.with(request, trustsLoopback: insecurelySendsSecureCookiesToLoopback) { target in
      withMatches(target, at: Moment(wall: now), isProof: { _ in false }) { matches in
        matches.map { buckets[$0.bucket].entries[$0.entry].cookie }
      }
    } ?? []
  }

  /// The cookie of this name that `request` would carry, the most specific where there are several.
  package func cookie(named name: String, for request: HTTPRequest, now: Date) -> Cookie? {
    cookies(for: request, now: now).first { $0.name.hasSameBytes(as: name) }
  }
}

extension CookieJar: Equatable {
  /// Whether both hold the same cookies and treat them alike.
  public static func == (lhs: CookieJar, rhs: CookieJar) -> Bool {
    lhs.count == rhs.count && lhs.insecurelySendsSecureCookiesToLoopback == rhs.insecurelySendsSecureCookiesToLoopback
      && lhs.cookies == rhs.cookies
  }
}

extension CookieJar: Redacted {
  /// How many cookies there are; neither names nor values.
  public var description: String { "CookieJar(\(count) \(count == 1 ? "cookie" : "cookies"))" }
}

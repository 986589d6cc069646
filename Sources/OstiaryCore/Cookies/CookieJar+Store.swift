public import Foundation
public import HTTPTypes

extension CookieJar {
  /// Takes in every `Set-Cookie` field of a response (RFC 6265bis §5.7).
  /// - Returns: what there is to save. ``store(_:from:now:)`` tells the outcome of a single field.
  @discardableResult
  public mutating func storeAll(from response: HTTPResponse, to request: HTTPRequest, now: Date) -> JarChange {
    var change = JarChange.none
    for field in response.headerFields[fields: .setCookie] {
      // Text that is not UTF-8 could not be sent back as it came.
      guard field.withUnsafeBytesOfValue({ field.value.utf8.elementsEqual($0) }) else { continue }
      change = max(change, store(field.value, from: request, now: now).change)
    }
    return change
  }

  /// Takes in the value of one `Set-Cookie` field that answered `request` (RFC 6265bis §5.6 and §5.7).
  /// - Parameter now: the time the response arrived, by this device's clock.
  /// - Returns: what became of it, with the reason when it was ignored.
  @discardableResult
  public mutating func store(_ setCookie: String, from request: HTTPRequest, now: Date) -> SetCookieOutcome {
    store(setCookie, from: request, now: now, suffixes: .system)
  }

  mutating func store(
    _ setCookie: String, from request: HTTPRequest, now: Date, suffixes: @autoclosure () -> PublicSuffixes
  ) -> SetCookieOutcome {
    let source = CookieTarget.with(request, trustsLoopback: insecurelySendsSecureCookiesToLoopback) { target in
      Source(host: ASCII.lowercased(target.host), defaultPath: target.defaultPath, isSecure: target.isSecure)
    }
    guard let source else { return .ignored(.unusableRequest) }
    switch SetCookie.parse(setCookie) {
    case .failure(let failure):
      return .ignored(failure.reason)
    case .success(let fields):
      return store(fields, from: source, now: now, suffixes: suffixes())
    }
  }

  /// Puts in a ready-made cookie, replacing one with the same name, domain and path. One that has expired removes it.
  @discardableResult
  public mutating func insert(_ cookie: Cookie, now: Date) -> SetCookieOutcome {
    if !cookie.isHostOnly, PublicSuffixes.system.isPublicSuffix(cookie.domain) { return .ignored(.publicSuffix) }
    return place(cookie, now: now)
  }

  /// Puts in every cookie of another jar; where both have one, the other's counts.
  @discardableResult
  public mutating func merge(_ other: CookieJar, now: Date) -> JarChange {
    other.cookies.reduce(.none) { max($0, place($1, now: now).change) }
  }

  /// Who set a cookie.
  private struct Source {
    let host: String
    let defaultPath: String
    let isSecure: Bool
  }

  /// No cookie lives longer than 400 days (RFC 6265bis §5.5).
  private static let maximumLifetime: TimeInterval = 400 * 86_400

  /// RFC 6265bis §5.7, in its order; what costs most, the public suffixes, comes after what is cheap.
  private mutating func store(
    _ fields: SetCookie, from source: Source, now: Date, suffixes: @autoclosure () -> PublicSuffixes
  ) -> SetCookieOutcome {
    var domain = source.host
    var isHostOnly = true
    if let named = fields.domain, !named.isEmpty {
      guard named.utf8.allSatisfy({ $0 < 0x80 }) else { return .ignored(.domainNotASCII) }
      guard CookieHost.domainMatches(source.host, named) else { return .ignored(.domainMismatch) }
      if CookieHost.isAddress(named.utf8) || suffixes().isPublicSuffix(named) {
        guard named == source.host else { return .ignored(.publicSuffix) }
      } else {
        domain = named
        isHostOnly = false
      }
    }

    var path = source.defaultPath
    var hasPathAttribute = true
    switch fields.path {
    case .absent: hasPathAttribute = false
    case .fallback: break
    case .explicit(let explicit): path = explicit
    }

    let cookie = Cookie(
      unchecked: fields.name, value: Secret(fields.value), domain: domain, isHostOnly: isHostOnly, path: path,
      expiresAt: Self.expiry(of: fields, now: now), isSecure: fields.isSecure, isHTTPOnly: fields.isHTTPOnly,
      sameSite: fields.sameSite, createdAt: now)

    if cookie.isSecure && !source.isSecure { return .ignored(.secureFromInsecure) }
    if !cookie.isSecure && !source.isSecure && overlaysSecureCookie(cookie) { return .ignored(.wouldReplaceSecure) }
    guard cookie.keepsPrefixPromise(hasPathAttribute: hasPathAttribute) else { return .ignored(.brokenPrefix) }
    return place(cookie, now: now)
  }

  /// `Max-Age` wins over `Expires`; both are capped (RFC 6265bis §5.5, §5.7 step 6).
  private static func expiry(of fields: SetCookie, now: Date) -> Date? {
    if let maxAge = fields.maxAge {
      return maxAge <= 0 ? .distantPast : now + min(TimeInterval(maxAge), maximumLifetime)
    }
    return fields.expires.map { min($0, now + maximumLifetime) }
  }

  /// "Leave secure cookies alone" (RFC 6265bis §5.7 step 16).
  private func overlaysSecureCookie(_ cookie: Cookie) -> Bool {
    buckets.contains { bucket in
      bucket.entries.contains { entry in
        let other = entry.cookie
        guard other.isSecure, other.name.hasSameBytes(as: cookie.name) else { return false }
        return
          (CookieHost.domainMatches(other.domain, cookie.domain)
          || CookieHost.domainMatches(cookie.domain, other.domain))
          && Self.pathMatches(cookie.path, other.path)
      }
    }
  }

  private static func pathMatches(_ path: String, _ cookiePath: String) -> Bool {
    var path = path
    return path.withUTF8 {
      CookieTarget(host: UnsafeBufferPointer(rebasing: $0[..<0]), isAddress: false, path: $0, isSecure: false)
        .pathMatches(cookiePath)
    }
  }
}

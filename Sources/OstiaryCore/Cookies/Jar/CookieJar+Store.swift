public import Foundation
public import HTTPTypes

extension CookieJar {
  /// Takes in every `Set-Cookie` field of a response (RFC 6265bis §5.7). `Expires` is read against the response's `Date`.
  /// - Parameter now: the time the response arrived, by this device's clock.
  /// - Returns: what there is to save.
  @discardableResult
  public mutating func storeAll(from response: HTTPResponse, to request: HTTPRequest, now: Date) -> JarChange {
    storeAll(from: response, to: request, at: Moment(wall: now), isProof: { _ in false })
  }

  /// The same at a moment by two clocks, with knowledge of which cookies carry the session: they are never evicted, and
  /// never removed because of a wall clock.
  /// - Parameters:
  ///   - moment: when the response arrived.
  ///   - isProof: whether a cookie of a name carries the session.
  @discardableResult
  package mutating func storeAll(
    from response: HTTPResponse, to request: HTTPRequest, at moment: Moment, isProof: (String) -> Bool = { _ in true }
  ) -> JarChange {
    let fields = response.headerFields[fields: .setCookie]
    guard !fields.isEmpty else { return .none }
    let arrival = Arrival(
      moment, serverClock: response.headerFields[.date].flatMap { HTTPDate.parse($0, now: moment.wall) })
    var change = JarChange.none
    for field in fields {
      // Text that is not UTF-8 could not be sent back as it came.
      guard field.withUnsafeBytesOfValue({ field.value.utf8.elementsEqual($0) }) else { continue }
      let outcome = store(field.value, from: request, arrival: arrival, isProof: isProof, suffixes: .system)
      change = max(change, outcome.change)
    }
    return change
  }

  /// Takes in the value of one `Set-Cookie` field that answered `request` (RFC 6265bis §5.6 and §5.7).
  /// - Parameter now: the time the response arrived, by this device's clock.
  /// - Returns: what became of it, with the reason when it was ignored.
  @discardableResult
  package mutating func store(_ setCookie: String, from request: HTTPRequest, now: Date) -> SetCookieOutcome {
    store(setCookie, from: request, now: now, suffixes: .system)
  }

  mutating func store(
    _ setCookie: String, from request: HTTPRequest, now: Date, suffixes: @autoclosure () -> PublicSuffixes
  ) -> SetCookieOutcome {
    store(
      setCookie, from: request, arrival: Arrival(Moment(wall: now), serverClock: nil), isProof: { _ in false },
      suffixes: suffixes())
  }

  /// Takes in one `Set-Cookie` field at a moment by two clocks, with knowledge of which cookies carry the session.
  /// - Parameters:
  ///   - sentAt: the response's `Date`; `nil` when it has none.
  ///   - isProof: whether a cookie of a name carries the session.
  @discardableResult
  package mutating func store(
    _ setCookie: String, from request: HTTPRequest, at moment: Moment, sentAt: Date? = nil,
    isProof: (String) -> Bool = { _ in true }
  ) -> SetCookieOutcome {
    store(
      setCookie, from: request, arrival: Arrival(moment, serverClock: sentAt), isProof: isProof, suffixes: .system)
  }

  private mutating func store(
    _ setCookie: String, from request: HTTPRequest, arrival: Arrival, isProof: (String) -> Bool,
    suffixes: @autoclosure () -> PublicSuffixes
  ) -> SetCookieOutcome {
    let source = CookieTarget.with(request, trustsLoopback: insecurelySendsSecureCookiesToLoopback) { target in
      Source(host: ASCII.lowercased(target.host), defaultPath: target.defaultPath, isSecure: target.isSecure)
    }
    guard let source else { return .ignored(.unusableRequest) }
    switch SetCookie.parse(setCookie) {
    case .failure(let failure):
      return .ignored(failure.reason)
    case .success(let fields):
      markUsed(by: request, at: arrival.moment, isProof: isProof)
      return store(fields, from: source, arrival: arrival, isProof: isProof, suffixes: suffixes())
    }
  }

  /// Notes which cookies a request carried, for the day on which some have to go.
  private mutating func markUsed(by request: HTTPRequest, at moment: Moment, isProof: (String) -> Bool) {
    // Long before a limit is reached, so that few responses cost this.
    guard count >= Self.maximumCountPerDomain / 2 else { return }
    let used = CookieTarget.with(request, trustsLoopback: insecurelySendsSecureCookiesToLoopback) { target in
      withMatches(target, at: moment, isProof: isProof) { Array($0) }
    }
    guard let used, !used.isEmpty else { return }
    nextSerial &+= 1
    for match in used { buckets[match.bucket].entries[match.entry].lastUse = nextSerial }
  }

  /// Puts in a ready-made cookie, replacing one with the same name, domain and path. One that has expired removes it.
  /// - Returns: what there is to save: nothing when the jar has the same cookie, or no room for this one.
  @discardableResult
  public mutating func insert(_ cookie: Cookie, now: Date) -> JarChange {
    place(cookie, now: now).change
  }

  /// Puts in a ready-made cookie, and says why when it may not be in the jar.
  mutating func place(_ cookie: Cookie, now: Date) -> SetCookieOutcome {
    if !cookie.isHostOnly, PublicSuffixes.system.isPublicSuffix(cookie.domain) { return .ignored(.publicSuffix) }
    return place(
      cookie, at: Moment(wall: now), isDeletion: cookie.isExpired(at: now), isProof: { _ in false })
  }

  /// Puts in every cookie of another jar; where both have one, the other's counts.
  @discardableResult
  package mutating func merge(_ other: CookieJar, now: Date) -> JarChange {
    other.cookies.reduce(.none) { change, cookie in
      let outcome = place(
        cookie, at: Moment(wall: now), isDeletion: cookie.isExpired(at: now), isProof: { _ in false })
      return max(change, outcome.change)
    }
  }

  /// Who set a cookie.
  private struct Source {
    let host: String
    let defaultPath: String
    let isSecure: Bool
  }

  /// When a cookie came.
  private struct Arrival {
    let moment: Moment
    /// The time by the server's clock, against which its dates are read; by this device's where the server didn't say.
    let serverTime: Date

    init(_ moment: Moment, serverClock: Date?) {
      self.moment = moment
      serverTime = serverClock ?? moment.wall
    }
  }

  /// No cookie lives longer than 400 days (RFC 6265bis §5.5).
  private static let maximumLifetime: TimeInterval = 400 * 86_400

  /// RFC 6265bis §5.7, in its order; what costs most, the public suffixes, comes after what is cheap.
  private mutating func store(
    _ fields: SetCookie, from source: Source, arrival: Arrival, isProof: (String) -> Bool,
    suffixes: @autoclosure () -> PublicSuffixes
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

    let age = Self.age(of: fields, serverTime: arrival.serverTime)
    let now = arrival.moment.wall
    let cookie = Cookie(
      unchecked: fields.name, value: Secret(fields.value), domain: domain, isHostOnly: isHostOnly, path: path,
      expiresAt: age.map { now + $0 }, isSecure: fields.isSecure, isHTTPOnly: fields.isHTTPOnly,
      sameSite: fields.sameSite, createdAt: now, setAt: arrival.moment)

    if cookie.isSecure && !source.isSecure { return .ignored(.secureFromInsecure) }
    if !cookie.isSecure && !source.isSecure && overlaysSecureCookie(cookie) { return .ignored(.wouldReplaceSecure) }
    guard cookie.keepsPrefixPromise(hasPathAttribute: hasPathAttribute) else { return .ignored(.brokenPrefix) }
    return place(cookie, at: arrival.moment, isDeletion: age.map { $0 <= 0 } ?? false, isProof: isProof)
  }

  /// How long a cookie lives, in seconds, from its arrival on; `nil` for one without a date. `Max-Age` wins over `Expires`,
  /// which is read against the server's clock; both are capped (RFC 6265bis §5.5, §5.7 step 6). What is zero or less
  /// deletes.
  private static func age(of fields: SetCookie, serverTime: Date) -> TimeInterval? {
    if let maxAge = fields.maxAge { return min(TimeInterval(maxAge), maximumLifetime) }
    return fields.expires.map { min($0.timeIntervalSince(serverTime), maximumLifetime) }
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

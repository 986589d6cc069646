public import Foundation

extension SessionGrant {
  /// Reads the tokens that another program has kept as JSON: a token response (RFC 6749 §5.1), or what a `Codable` type
  /// of tokens makes of one.
  ///
  /// Names are taken in `snake_case`, `camelCase` and `PascalCase`; the tokens become those of the proof under the names
  /// of the RFC: `access_token`, `refresh_token`, `id_token`. When they end comes from `expires_at`, `expiration`,
  /// `expiry` or the like (an ISO 8601 date, a number of seconds or milliseconds since 1970, or of seconds since 2001 as
  /// `JSONEncoder` writes a `Date` by itself), or from `expires_in` after `issued_at` or, without one, after `savedAt`.
  /// One object around the tokens is looked through (`{"token": {…}}`), and so is a JSON string that has such an object
  /// in it. Everything else becomes the session's attributes.
  ///
  /// ```swift
  /// let grant = try SessionGrant(tokenResponse: data, user: .init(id: "ann"), savedAt: fileDate)
  /// let session = Session(
  ///   kind: AuthenticatorKind("oauth"), server: server, version: ProofVersion(), grant: grant, issuedAt: fileDate)
  /// ```
  /// - Parameters:
  ///   - user: whose tokens they are; tokens don't say so dependably.
  ///   - savedAt: when the tokens were kept, for those that say only how long they live.
  /// - Throws: ``OstiaryError`` `invalidInput` when there is no access token. What there is stays out of the error.
  public init(tokenResponse data: Data, user: Session.User, savedAt: Date) throws {
    var value = JSONValue(json: data)
    if let text = value?.string { value = JSONValue(json: Data(text.utf8)) }
    guard let members = value.flatMap(Self.members) else {
      throw OstiaryError(
        .invalidInput, "The tokens can't be imported: they are not a JSON object with an access token.",
        advice: "It must have a member access_token or accessToken.")
    }
    var tokens: [String: Secret] = [:]
    var attributes: [String: JSONValue] = [:]
    var times: [String: JSONValue] = [:]
    for (name, value) in members {
      let plain = Self.plain(name)
      if let token = Self.tokenNames[plain] {
        if let text = value.string, !text.isEmpty { tokens[token] = Secret(text) }
      } else if Self.timeNames.contains(plain) {
        times[plain] = value
      } else {
        attributes[name] = value
      }
    }
    let issuedAt = times["issuedat"].flatMap(Self.date) ?? savedAt
    let end = Self.endNames.lazy.compactMap { times[$0].flatMap(Self.date) }.first
    let lifetime = times["expiresin"].flatMap(Self.seconds).flatMap { (0...1e9).contains($0) ? $0 : nil }
    self.init(
      user: user, proof: Proof(tokens: tokens), expiresAt: end ?? lifetime.map { issuedAt.addingTimeInterval($0) },
      attributes: attributes)
  }

  private static let tokenNames = [
    "accesstoken": "access_token", "refreshtoken": "refresh_token", "idtoken": "id_token",
  ]
  /// The dates at which tokens end, in the order in which they are believed.
  private static let endNames = ["expiresat", "expirationdate", "expirydate", "expiration", "expiry", "expires"]
  private static let timeNames = Set(endNames + ["expiresin", "issuedat"])

  /// `accessToken`, `access_token` and `AccessToken` alike.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  private static func members(of value: JSONValue) -> [String: JSONValue]? {
    func hasToken(_ members: [String: JSONValue]) -> Bool {
      members.contains { plain($0.key) == "accesstoken" && $0.value.string?.isEmpty == false }
    }
    guard let members = value.object else { return nil }
    if hasToken(members) { return members }
    let inner = members.values.compactMap(\.object).filter(hasToken)
    return inner.count == 1 ? inner.first : nil
  }

  private static func seconds(_ value: JSONValue) -> TimeInterval? {
    value.double ?? value.string.flatMap(TimeInterval.init)
  }

  private static func date(_ value: JSONValue) -> Date? {
    if let number = seconds(value) {
      switch number {
      // Of the seconds since 1970 these would be in the last century.
      case 1e8..<9e8: return Date(timeIntervalSinceReferenceDate: number)
      case 9e8..<1e11: return Date(timeIntervalSince1970: number)
      case 1e11..<1e14: return Date(timeIntervalSince1970: number / 1000)
      default: return nil
      }
    }
    guard let text = value.string else { return nil }
    return (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}

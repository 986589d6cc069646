public import OstiaryCore

/// A value that was found in an answer: its place and what it probably is, without the value.
public struct FoundValue: Sendable, Hashable {
  /// Where it stands.
  public enum Place: Sendable, Hashable {
    /// In the JSON, by the names of the members on the way.
    case body([String])
    /// In a field of the answer.
    case header(String)
    /// In a cookie that the answer sets.
    case cookie(String)
    /// The whole body, as text.
    case whole
  }

  /// What it probably is.
  public enum Likeness: Sendable, Hashable {
    /// A token of the session.
    case token
    /// A token that renews the session.
    case renewalToken
    /// How long the token lasts.
    case lifetime(Unit)
    /// When the token ends.
    case end(Form)
    /// The user's identifier.
    case userID
    /// The user's name.
    case userName
  }

  /// A unit, as documents name it.
  public enum Unit: String, Sendable {
    /// Seconds.
    case seconds
    /// Milliseconds.
    case milliseconds
  }

  /// How a time is written, as documents name it.
  public enum Form: String, Sendable {
    /// `2026-11-27T05:49:00Z` (RFC 3339).
    case rfc3339
    /// `2026-11-27T05:49:00`, without a zone.
    case iso8601NoZone
    /// `2026-11-27 05:49:00`.
    case sql
    /// `Fri, 27 Nov 2026 05:49:00 GMT` (RFC 9110).
    case http
    /// Seconds since 1970.
    case epoch
    /// Milliseconds since 1970.
    case epochMilliseconds
  }

  /// Where it is.
  public let place: Place
  /// What it probably is.
  public let likeness: Likeness
  /// What the name says beside the value: higher is likelier.
  public let rank: Int
  /// The names that are known among the claims, where it is a JSON Web Token.
  public let claims: Set<String>
  /// A word before the value that is no part of it, such as `Bearer`.
  public let prefix: String?

  init(_ place: Place, _ likeness: Likeness, rank: Int, claims: Set<String> = [], prefix: String? = nil) {
    self.place = place
    self.likeness = likeness
    self.rank = rank
    self.claims = claims
    self.prefix = prefix
  }

  /// What a person and a document call the place: a JSON Pointer (RFC 6901), the name of a field or cookie, or `body`.
  public var name: String {
    switch place {
    case .body(let path): Self.pointer(path)
    case .header(let name), .cookie(let name): name
    case .whole: "body"
    }
  }

  /// Whether it is a cookie.
  public var isCookie: Bool { if case .cookie = place { true } else { false } }

  /// How a document reads it.
  public var read: JSONValue {
    var read: [String: JSONValue]
    switch place {
    case .body(let path): return .string(Self.pointer(path))
    case .header(let name): read = ["header": .string(name)]
    case .cookie(let name): read = ["cookie": .string(name)]
    case .whole: read = ["body": true]
    }
    if let prefix { read["after"] = .string(prefix) }
    return .object(read)
  }

  private static func pointer(_ path: [String]) -> String { DialectPointer(parts: path).text }
}

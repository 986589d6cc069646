package import OstiaryCore

/// A value that was found in an answer: its place and what it probably is, without the value.
package struct FoundValue: Sendable, Hashable {
  /// Where it stands.
  package enum Place: Sendable, Hashable {
    /// In the JSON, by the names of the members on the way.
    case body([String])
    case header(String)
    case cookie(String)
  }

  /// What it probably is.
  package enum Likeness: Sendable, Hashable {
    case token, renewalToken
    /// How long the token lasts.
    case lifetime(Unit)
    /// When the token ends.
    case end(Form)
    case userID, userName
  }

  /// A unit, as documents name it.
  package enum Unit: String, Sendable {
    case seconds, milliseconds
  }

  /// How a time is written, as documents name it.
  package enum Form: String, Sendable {
    case rfc3339, iso8601NoZone, sql, http, epoch, epochMilliseconds
  }

  package let place: Place
  package let likeness: Likeness
  /// What the name says beside the value: higher is likelier.
  package let rank: Int
  /// The names that are known among the claims, where it is a JSON Web Token.
  package let claims: Set<String>
  /// A word before the value that is no part of it, such as `Bearer`.
  package let prefix: String?

  init(_ place: Place, _ likeness: Likeness, rank: Int, claims: Set<String> = [], prefix: String? = nil) {
    self.place = place
    self.likeness = likeness
    self.rank = rank
    self.claims = claims
    self.prefix = prefix
  }

  /// What a person and a document call the place: a JSON Pointer (RFC 6901), or the name of a field or cookie.
  package var name: String {
    switch place {
    case .body(let path): Self.pointer(path)
    case .header(let name), .cookie(let name): name
    }
  }

  /// Whether it is a cookie.
  package var isCookie: Bool { if case .cookie = place { true } else { false } }

  /// How a document reads it.
  package var read: JSONValue {
    let source: (name: String, value: String) =
      switch place {
      case .body(let path): ("pointer", Self.pointer(path))
      case .header(let name): ("header", name)
      case .cookie(let name): ("cookie", name)
      }
    if source.name == "pointer", prefix == nil { return .string(source.value) }
    var read: [String: JSONValue] = [source.name: .string(source.value)]
    if let prefix { read["after"] = .string(prefix) }
    return .object(read)
  }

  private static func pointer(_ path: [String]) -> String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}

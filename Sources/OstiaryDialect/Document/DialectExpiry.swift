/// Where an answer says until when something counts.
public enum DialectExpiry: Sendable, Hashable {
  /// A duration in the answer, from now on.
  case duration([DialectRead], Unit = .seconds)
  /// A duration that the documentation names, from now on.
  case fixed(Int, Unit = .seconds)
  /// A date in the answer.
  case date([DialectRead], Form)
  /// The `exp` of a JWT that has been read as a named value. Its signature is not verified.
  case claim(of: String)

  /// What a duration counts.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Seconds.
    case seconds
    /// Milliseconds.
    case milliseconds
  }

  /// How a date is written.
  public enum Form: Sendable, Hashable {
    /// `2026-11-27T05:49:00Z` (RFC 3339).
    case rfc3339
    /// `Fri, 27 Nov 2026 05:49:00 GMT` (RFC 9110).
    case http
    /// `2026-11-27T05:49:00`, in a zone that is so many minutes ahead of UTC.
    case iso8601NoZone(minutesFromUTC: Int? = nil)
    /// `2026-11-27 05:49:00`, in a zone that is so many minutes ahead of UTC.
    case sql(minutesFromUTC: Int? = nil)
    /// Seconds since 1970, as a number or a text.
    case epoch
    /// Milliseconds since 1970, as a number or a text.
    case epochMilliseconds
  }
}

extension DialectExpiry.Form {
  /// The names in the document.
  static let names = ["rfc3339", "http", "iso8601NoZone", "sql", "epoch", "epochMilliseconds"]

  /// The name in the document.
  var name: String {
    switch self {
    case .rfc3339: "rfc3339"
    case .http: "http"
    case .iso8601NoZone: "iso8601NoZone"
    case .sql: "sql"
    case .epoch: "epoch"
    case .epochMilliseconds: "epochMilliseconds"
    }
  }

  /// The zone, where the form has none of its own.
  var minutesFromUTC: Int? {
    switch self {
    case .iso8601NoZone(let minutes), .sql(let minutes): minutes
    default: nil
    }
  }
}

/// What the requests of a session carry.
public struct DialectProof: Sendable, Hashable {
  /// How it is carried.
  public var way: Way
  /// Fields that requests carry beside another way, such as one that names the tenant; none where the way is fields itself.
  public var headers: [DialectField]
  /// The path below which requests carry it, such as `/api`; all of them without.
  public var below: String?
  /// The roles of the servers whose requests carry it; the main one if empty.
  public var origins: [String]

  /// Makes a proof.
  public init(_ way: Way, headers: [DialectField] = [], below: String? = nil, origins: [String] = []) {
    self.way = way
    self.headers = headers
    self.below = below
    self.origins = origins
  }

  /// `Authorization: Bearer {token}`.
  public static let bearer = DialectProof(.headers([DialectField("Authorization", "Bearer {token}")]))

  /// How a proof is carried.
  public enum Way: Sendable, Hashable {
    /// Fields of the request.
    case headers([DialectField])
    /// The scheme `Basic`.
    case basic(DialectBasic)
    /// One cookie of a value that was read.
    case cookie(name: String, value: DialectTemplate)
    /// The cookies that the server has set: names, or beginnings of names that end with `*`, which alone means all of them.
    case cookies([String], csrf: DialectCSRF? = nil)
    /// Items of the query. What a query has is in the logs of servers and proxies.
    case insecureQuery([DialectField])
    /// Members of the JSON object, or fields of the form, that the request sends.
    case body([DialectField])
  }
}

/// A value that is sent twice, so that another site's page can't send it (double submit).
public struct DialectCSRF: Sendable, Hashable {
  /// Where the value is from.
  public var source: Source
  /// The field of the request that has it.
  public var header: String

  /// Makes such a value.
  public init(_ source: Source, header: String) {
    self.source = source
    self.header = header
  }

  /// Where the value is from.
  public enum Source: Sendable, Hashable {
    /// A cookie, as it is now.
    case cookie(String, isPercentDecoded: Bool = false)
    /// A value that was read in a call.
    case value(String)
  }
}

import HTTPTypes

/// The limits of one query.
///
/// With them the database compares at most ``mostComparisons`` values, and ``mostPatternBytes`` bytes of patterns, with each
/// record. It then reads at most ``mostBatchBytes`` for the answer.
enum SOQLLimits {
  /// The most bytes of a query, as with the vendor.
  static let mostBytes = 100_000
  /// The most comparisons.
  static let mostComparisons = 200
  /// The most values in all its lists of `IN`.
  static let mostValues = 2000
  /// The most bytes of all its patterns of `LIKE`.
  static let mostPatternBytes = 1024
  /// The most fields by which it sorts, as with the vendor.
  static let mostOrders = 32
  /// The deepest nesting of parentheses and `NOT`s.
  static let mostDepth = 50
  /// The most records that may be skipped, as with the vendor.
  static let mostOffset = 2000
  /// The most bytes of records in a batch, one record at least; further records follow in the next.
  static let mostBatchBytes = 1 << 20
  /// How long the database may take.
  static let time: Duration = .seconds(10)
  /// Queries that the database executes at a time: other calls use its remaining connections.
  static let places = 2
  /// Queries that may wait for a place.
  static let mostWaiting = 512
  /// Queries of one user that may wait for a place.
  static let mostWaitingOfUser = 64

  static func tooComplicated(_ what: String) -> SalesforceDataFailure {
    SalesforceDataFailure(.badRequest, "QUERY_TOO_COMPLICATED", "The query is too complicated: \(what).")
  }
}

import HTTPTypes

/// How much one query may ask for.
///
/// With them the database compares at most ``mostComparisons`` values, and ``mostPatternBytes`` bytes of patterns, with each record;
/// what it then has to read for the answer is ``mostBatchBytes``.
enum SOQLLimits {
  /// The most bytes of a query, as the vendor has it.
  static let mostBytes = 100_000
  /// The most comparisons.
  static let mostComparisons = 200
  /// The most values in all its lists of `IN`.
  static let mostValues = 2000
  /// The most bytes of all its patterns of `LIKE`.
  static let mostPatternBytes = 1024
  /// The most fields that it sorts by, as the vendor has it.
  static let mostOrders = 32
  /// How deep parentheses and `NOT`s may go.
  static let mostDepth = 50
  /// The most records that may be skipped, as the vendor has it.
  static let mostOffset = 2000
  /// The most bytes of records in a batch, one record at least; others follow in the next.
  static let mostBatchBytes = 1 << 20
  /// How long the database may take.
  static let time: Duration = .seconds(10)
  /// Queries that the database answers at a time: others have its connections meanwhile.
  static let places = 2
  /// Queries that may wait for a place.
  static let mostWaiting = 512
  /// Queries of one user that may wait for a place.
  static let mostWaitingOfUser = 64

  static func tooComplicated(_ what: String) -> SalesforceDataFailure {
    SalesforceDataFailure(.badRequest, "QUERY_TOO_COMPLICATED", "The query is too complicated: \(what).")
  }
}

extension SOQLLimits {
  /// The limits that `ostiary serve --verbose` lists.
  static func resources(_ queries: SalesforceQueries) -> [ResourceLimit] {
    let (bounded, time) = (
      "the vendor's QUERY_TOO_COMPLICATED", "the vendor's QUERY_TIMEOUT; the database stops in the middle"
    )
    return [
      ResourceLimit(
        "query_comparisons", "Conditions of one Salesforce query", .count(mostComparisons), standard: "200",
        refusal: bounded, count: nil),
      ResourceLimit(
        "query_values", "Values in its lists", .count(mostValues), standard: "2000", refusal: bounded, count: nil),
      ResourceLimit(
        "query_pattern_bytes", "Its patterns of LIKE", .bytes(mostPatternBytes), standard: "1 KiB", refusal: bounded,
        count: nil),
      ResourceLimit(
        "query_orders", "Fields that it sorts by", .count(mostOrders), standard: "32", refusal: bounded, count: nil),
      ResourceLimit(
        "query_batch_bytes", "Records in one answer to it", .bytes(mostBatchBytes), standard: "1 MiB",
        refusal: "the rest follows at nextRecordsUrl", count: nil),
      ResourceLimit(
        "query_time", "Time of the database for it", .time(SOQLLimits.time), standard: "10 s", refusal: time,
        count: { queries.counts.late }),
      ResourceLimit(
        "queries", "Salesforce queries at a time", .count(places), standard: "2",
        refusal: "others wait, 64 of a user and 512 of all; then the vendor's REQUEST_LIMIT_EXCEEDED",
        count: { queries.places.refused }),
    ]
  }
}

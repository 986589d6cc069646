/// What a request carries of a part.
struct CarriedPart: Sendable, Hashable {
  let name: String
  let digest: ProofDigest
}

/// What servers have said of parts since the program began.
struct PartMemory: Sendable {
  /// The parts that were refused, the last ones.
  private var refused: [ProofDigest] = []
  /// How many in a row were refused, of those with a name, and when the last one was.
  private var rows: [String: (count: Int, last: Moment)] = [:]

  func isRefused(_ digest: ProofDigest) -> Bool { refused.contains(digest) }

  /// - Returns: whether it is news.
  mutating func refuse(_ part: CarriedPart, at now: Moment) -> Bool {
    guard !isRefused(part.digest) else { return false }
    if refused.count >= 32 { refused.removeFirst() }
    refused.append(part.digest)
    rows[part.name] = ((rows[part.name]?.count ?? 0) + 1, now)
    return true
  }

  mutating func accept(_ part: CarriedPart) { if !rows.isEmpty { rows[part.name] = nil } }

  /// How long no further one is asked for, as too many were refused.
  func pause(_ name: String, _ configuration: SessionConfiguration, at now: Moment) -> Duration? {
    guard let row = rows[name], row.count >= configuration.maximumFreshRejections else { return nil }
    let left =
      configuration.retry.delay(afterFailures: row.count, asked: nil, jitter: 1).seconds
      - now.seconds(since: row.last)
    return left > 0 ? .seconds(left) : nil
  }
}

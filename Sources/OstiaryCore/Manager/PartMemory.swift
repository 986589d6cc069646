internal import Foundation

/// What a request carries of a part.
struct CarriedPart: Sendable, Hashable {
  let name: String
  let digest: ProofDigest
}

/// What servers have said of parts since the program began.
struct PartMemory: Sendable {
  /// The parts that were refused, the last ones.
  private var refused: [ProofDigest] = []
  /// What was refused in a row, by the parts' names.
  private var rows: [String: Row] = [:]

  /// When what was refused was given again, by the parts' names.
  private var again: [String: Date] = [:]

  /// How many of a sign-in's parts of a name were refused in a row, and when the last one was.
  private struct Row: Sendable {
    let lineage: UUID?
    var count: Int
    var last: Moment
  }

  func isRefused(_ digest: ProofDigest) -> Bool { refused.contains(digest) }

  /// - Returns: whether it is news.
  mutating func refuse(_ part: CarriedPart, of lineage: UUID?, at now: Moment) -> Bool {
    guard !isRefused(part.digest) else { return false }
    if refused.count >= 32 { refused.removeFirst() }
    refused.append(part.digest)
    count(part.name, lineage, now)
    return true
  }

  /// The server has given again what was refused. All who wait for it see that, and it counts once.
  mutating func repeated(_ name: String, givenAt: Date, of lineage: UUID, at now: Moment) {
    guard again.updateValue(givenAt, forKey: name) != givenAt else { return }
    count(name, lineage, now)
  }

  /// What was refused of another sign-in is none of this one's row.
  private mutating func count(_ name: String, _ lineage: UUID?, _ now: Moment) {
    let before = rows[name].flatMap { $0.lineage == lineage ? $0.count : nil } ?? 0
    rows[name] = Row(lineage: lineage, count: before + 1, last: now)
  }

  mutating func accept(_ part: CarriedPart) { if !rows.isEmpty { rows[part.name] = nil } }

  /// How long no further one is asked for, as too many were refused.
  func pause(
    _ name: String, of lineage: UUID, _ configuration: SessionConfiguration, at now: Moment
  ) -> Duration? {
    guard let row = rows[name], row.lineage == lineage, row.count >= configuration.maximumFreshRejections else {
      return nil
    }
    let left =
      configuration.retry.delay(afterFailures: row.count, asked: nil, jitter: 1).seconds
      - now.seconds(since: row.last)
    return left > 0 ? .seconds(left) : nil
  }
}

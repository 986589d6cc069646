internal import Foundation

/// How much of a long random test is run, and with which seeds. `make test` runs a part, `make storms` all of it.
///
/// Both begin with the same seed, so the whole repeats what the part has found.
package enum Storm {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether the tests run at full size (`OSTIARY_STORMS=full`).
  package static let isFull = environment["OSTIARY_STORMS"] == "full"

  /// The first seed (`OSTIARY_SEED`); 0 where none is given.
  package static let seed = number("OSTIARY_SEED") ?? 0

  /// The size of this run.
  package static func size(_ part: Int, full: Int) -> Int { isFull ? full : part }

  /// The seeds of this run.
  /// - Parameters:
  ///   - partFrom: The seed that a part begins with, for tests whose part is the same in every run.
  ///   - variable: The environment variable that sets the number, where it is set.
  package static func seeds(
    _ part: Int, full: Int, partFrom: UInt64? = nil, variable: String? = nil
  ) -> Range<UInt64> {
    let chosen = variable.flatMap(number)
    let count = chosen ?? UInt64(size(part, full: full))
    let begin = isFull || chosen != nil ? seed : partFrom ?? seed
    // The last seeds of all are out of reach, rather than a trap.
    let first = min(begin, .max - count)
    return first..<(first + count)
  }

  private static func number(_ variable: String) -> UInt64? { environment[variable].flatMap { UInt64($0) } }
}

import Foundation

/// How much of a long test is run: `make test` runs a part, `make storms` all of it, and `OSTIARY_ROUNDS` another number.
public enum Rounds {
  public static func count(_ part: Int, full: Int) -> Int {
    let environment = ProcessInfo.processInfo.environment
    return environment["OSTIARY_ROUNDS"].flatMap { Int($0) }
      ?? (environment["OSTIARY_STORMS"] == "full" ? full : part)
  }
}

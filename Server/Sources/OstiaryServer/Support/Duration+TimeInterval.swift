package import Foundation

extension Duration {
  /// In seconds, for arithmetic with `Date` and for reports.
  package var timeInterval: TimeInterval {
    let (seconds, attoseconds) = components
    return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
  }
}

import Foundation

extension Duration {
  /// In seconds, for arithmetic with `Date`.
  var timeInterval: TimeInterval {
    let (seconds, attoseconds) = components
    return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
  }
}

import Crypto
import Foundation
import OstiaryCore

/// The refresh tokens that are being used at this moment.
final class SalesforceRefreshes: Sendable {
  private let places = Locked<[SHA256Digest: Int]>([:])

  /// Enters with a token.
  /// - Parameter refusesOthers: Whether there may be only one at a time.
  /// - Returns: The value to leave with; nil if another use is under way.
  func enter(_ token: Secret, refusesOthers: Bool) -> SHA256Digest? {
    let place = SHA256.hash(data: Data(token.reveal().utf8))
    return places.withLock { places in
      guard !refusesOthers || places[place] == nil else { return nil }
      places[place, default: 0] += 1
      return place
    }
  }

  /// Leaves again.
  func leave(_ place: SHA256Digest) {
    places.withLock { places in
      places[place] = places[place].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }
}

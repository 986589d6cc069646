/// How long an access token is good.
package enum TokenLifetime: Hashable, Sendable {
  /// This long after it was issued, however much it is used.
  case fixed(Duration)
  /// Until it has not been used for `idle`; and at the latest `absolute` after it was issued, if that is given. A use is
  /// `find(_:)`.
  case sliding(idle: Duration, absolute: Duration?)

  /// How long it lasts without a use.
  var idle: Duration {
    switch self {
    case .fixed(let duration): duration
    case .sliding(let idle, let absolute): absolute.map { min(idle, $0) } ?? idle
    }
  }

  /// How long it lasts at most, if there is an end.
  var absolute: Duration? {
    switch self {
    case .fixed(let duration): duration
    case .sliding(_, let absolute): absolute
    }
  }

  /// Whether a use moves its end.
  var isSliding: Bool {
    if case .sliding = self { true } else { false }
  }

  /// A use is written at most this often, so that is how far the database may lag behind.
  var touchInterval: Duration { isSliding ? min(.seconds(60), idle / 10) : .zero }
}

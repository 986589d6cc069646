/// How long an access token is valid.
package enum TokenLifetime: Hashable, Sendable {
  /// For this time after it was issued, independent of its use.
  case fixed(Duration)
  /// For the time `idle` after its last use, and at most for `absolute` after it was issued, if that is given. A use is
  /// a call of `find(_:)`.
  case sliding(idle: Duration, absolute: Duration?)

  /// How long it is valid without a use.
  var idle: Duration {
    switch self {
    case .fixed(let duration): duration
    case .sliding(let idle, let absolute): absolute.map { min(idle, $0) } ?? idle
    }
  }

  /// How long it is valid at most, if there is a limit.
  var absolute: Duration? {
    switch self {
    case .fixed(let duration): duration
    case .sliding(_, let absolute): absolute
    }
  }

  /// Whether a use extends it.
  var isSliding: Bool {
    if case .sliding = self { true } else { false }
  }

  /// A use is written at most this often, so the database may be behind by this time.
  var touchInterval: Duration { isSliding ? min(.seconds(60), idle / 10) : .zero }
}

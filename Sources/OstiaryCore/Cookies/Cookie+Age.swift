package import Foundation

extension Cookie {
  /// Whether a cookie's time is over, and how certain that is.
  enum Age {
    /// Its time is not over.
    case alive
    /// Its time is over by the time since boot, which a user can't set, or by the server's own word.
    case over
    /// Its time is over by the wall clock alone, which may be wrong.
    case apparentlyOver
  }

  /// How old the cookie is at a moment. Within one start of the machine, elapsed time decides; otherwise the wall clock.
  @inline(__always)
  func age(at moment: Moment) -> Age {
    guard let expiresAt else { return .alive }
    if let setAt, moment.isCertain(since: setAt) {
      return moment.seconds(since: setAt) >= expiresAt.timeIntervalSince(setAt.wall) ? .over : .alive
    }
    return expiresAt <= moment.wall ? .apparentlyOver : .alive
  }

  /// How many seconds are left of the cookie's time, by the clock that no user sets where it is known; `nil` for one without a date.
  package func secondsLeft(at moment: Moment) -> TimeInterval? {
    guard let expiresAt else { return nil }
    guard let setAt, moment.isCertain(since: setAt) else { return expiresAt.timeIntervalSince(moment.wall) }
    return expiresAt.timeIntervalSince(setAt.wall) - moment.seconds(since: setAt)
  }

  /// Whether the cookie is neither sent nor kept any more. A cookie that is proof is never given up because of a wall
  /// clock, which a user can set: only the server refuses it.
  @inline(__always)
  func isOver(at moment: Moment, isProof: (String) -> Bool) -> Bool {
    switch age(at: moment) {
    case .alive: false
    case .over: true
    case .apparentlyOver: !isProof(name)
    }
  }

  /// A moment whose time since boot can be stored and compared; `nil` for another.
  static func countable(_ moment: Moment) -> Moment? {
    guard let uptime = moment.uptime, (1...64).contains(uptime.boot.utf8.count),
      !uptime.boot.utf8.contains(where: ASCII.isControl), abs(uptime.seconds) < 1e12,
      abs(moment.wall.timeIntervalSince1970) < 1e12
    else { return nil }
    return Moment(wall: moment.wall.asStored, uptime: uptime)
  }
}

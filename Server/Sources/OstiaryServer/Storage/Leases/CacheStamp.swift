/// What an entry of a cache was read under.
///
/// It is taken before the database is read. An entry is valid as long as ``validity`` is the current one. Where several servers agree by
/// leases, an entry may be stored only if nothing has ended since, or is just being removed from the caches: see ``mayBeKept``.
struct CacheStamp: Sendable {
  let validity: UInt64
  private let keeper: LeaseKeeper?
  private let fill: LeaseKeeper.Fill?

  /// Of a process that finds out by itself what has changed.
  init(_ validity: UInt64) {
    (self.validity, keeper, fill) = (validity, nil, nil)
  }

  init(_ keeper: LeaseKeeper, _ fill: LeaseKeeper.Fill) {
    (validity, self.keeper, self.fill) = (fill.belief.emptied, keeper, fill)
  }

  /// Whether an entry may be stored. To be asked with the lock of the cache held, so that a removal comes before or after both.
  var mayBeKept: Bool {
    guard let keeper, let fill else { return true }
    return keeper.mayKeep(fill)
  }
}

/// How long sessions last, and how many there may be.
package struct SessionLimits: Hashable, Sendable {
  /// A user's session ends after this much time without a request. At most 30 days (NIST SP 800-63B-4 §2.1.3).
  package var idle: Duration = .seconds(24 * 3600)
  /// A user's session ends this long after its beginning, in every case.
  package var absolute: Duration = .seconds(30 * 24 * 3600)
  /// The idle limit of a guest's session.
  package var guestIdle: Duration = .seconds(30 * 60)
  /// The absolute limit of a guest's session.
  package var guestAbsolute: Duration = .seconds(24 * 3600)
  /// Sessions one user may have; one more ends the oldest.
  package var mostPerUser = 100
  /// The most guests, give or take a tenth; more end the oldest.
  package var mostGuests = 100_000
  /// Bytes of JSON a session's attributes may take.
  package var mostAttributeBytes = 4096

  /// The limits described above.
  package static let standard = SessionLimits()

  /// Makes the standard limits, for changing some of them.
  package init() {}

  func idle(isGuest: Bool) -> Duration { isGuest ? guestIdle : idle }
  func absolute(isGuest: Bool) -> Duration { isGuest ? guestAbsolute : absolute }

  /// A session's last use is written at most this often, so that is how far the database may lag behind.
  func touchInterval(isGuest: Bool) -> Duration { min(.seconds(60), idle(isGuest: isGuest) / 10) }
}

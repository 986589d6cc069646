/// How many wrong passwords the server verifies. On by default; all doors share the counts, which are stored in the database.
///
/// **Per name and network**, whether a user of that name exists or not: after ``freeFailures`` wrong passwords from one network
/// (an IPv4 address, an IPv6 /64) each further one makes the next attempt wait, ``firstWait`` at first, twice as long each time,
/// ``longestWait`` at most. During the wait no password is verified, not even the right one. One network's guesses don't make
/// another network wait, with two exceptions: four times as many from one IPv4 /24 or IPv6 /48, and more than a hundred an hour
/// from one IPv6 /32. A right password resets the count.
///
/// **A device that has signed in before** has a count of its own, and is counted in no other.
///
/// **Under attack**, after ``attackThreshold`` wrong passwords within an hour from unknown devices, each network that is new to
/// the name has one attempt, and a wrong one makes it wait ``attackWait``, twice as long each time, a day at most. No account is
/// ever locked: the waits end by themselves.
///
/// **Per network**, for all names together: ``addressBurst`` wrong passwords at once, and one more for every
/// ``addressInterval``; eight times as many for an IPv4 /24 or IPv6 /48, and 64 times as many for an IPv6 /32. A right
/// password changes nothing here.
package struct LoginLimits: Hashable, Sendable {
  /// Wrong passwords in a row before the first wait; as many attempts at one name run side by side.
  package var freeFailures = 5
  /// The first wait.
  package var firstWait: Duration = .seconds(30)
  /// The longest wait, while the name is not under attack.
  package var longestWait: Duration = .seconds(3600)
  /// Wrong passwords an address may send at once.
  package var addressBurst = 20
  /// The time after which an address may send one more.
  package var addressInterval: Duration = .seconds(30)
  /// The most counts that are kept; above it, the counts that end soonest are removed. A wrong password makes eight at most. The
  /// limit is higher than the number of passwords that one machine can hash within the longest wait.
  package var mostKeys = 600_000
  /// Wrong passwords within an hour, from unknown devices, that put a name under attack.
  let attackThreshold = 20
  /// The wait after a wrong password under attack.
  let attackWait: Duration = .seconds(900)

  /// The limits described above.
  package static let standard = LoginLimits()

  /// Makes the standard limits, for changing some of them.
  package init() {}
}

/// How many wrong passwords the server looks at. On by default; every pathway shares the counts, which rest in the database.
///
/// **Per name and network**, whether a user of that name exists or not: after ``freeFailures`` wrong passwords from one
/// network (an IPv4 address, an IPv6 /64) each further one makes the next attempt wait, ``firstWait`` at first, twice as long
/// each time, ``longestWait`` at most. During the wait no password is verified, not even the right one. What one network does
/// makes no other wait, but four times as many from one IPv4 /24 or IPv6 /48, and more than a hundred an hour from one IPv6
/// /32. A right password starts the count anew.
///
/// **A device that has signed in before** has a count of its own, and none of the others.
///
/// **Under attack**, after ``attackThreshold`` wrong passwords within an hour from devices that are not known, each network
/// that is new to the name has one attempt, and a wrong one makes it wait ``attackWait``, twice as long each time, a day at most.
/// No account is ever locked: the waits end by themselves.
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
  /// Counts that are kept; beyond, those that would be forgotten soonest are. A wrong password makes eight at most. It is more
  /// than one machine can hash passwords for within the longest wait.
  package var mostKeys = 600_000
  /// Wrong passwords within an hour, from devices that are not known, that make a name one under attack.
  let attackThreshold = 20
  /// What a wrong password costs under attack.
  let attackWait: Duration = .seconds(900)

  /// The limits described above.
  package static let standard = LoginLimits()

  /// Makes the standard limits, for changing some of them.
  package init() {}
}

/// How many wrong passwords the server looks at. On by default; every pathway shares the counts.
///
/// **Per account name**, whether such a user exists or not: after ``freeFailures`` wrong passwords in a row each
/// further one makes the next attempt wait, ``firstWait`` at first, twice as long each time, ``longestWait`` at most.
/// During the wait no password is verified, not even the right one. After ``mostFailures`` in a row (NIST SP 800-63B-4
/// §3.2.2: at most 100, without a time window) none is verified any more until an administrator unlocks the account
/// or sets a new password. A right password starts the count anew, for its account alone. Counts rest in the database.
///
/// **Per address** (an IPv6 address counts as its /64): ``addressBurst`` wrong passwords at once, and one more for
/// every ``addressInterval``. A right password changes nothing here. These counts rest in memory.
public struct LoginLimits: Hashable, Sendable {
  /// Wrong passwords in a row before an account's first wait; as many attempts at one account run side by side.
  public var freeFailures = 5
  /// The first wait.
  public var firstWait: Duration = .seconds(30)
  /// The longest wait, and what an account that is out of attempts is told.
  public var longestWait: Duration = .seconds(3600)
  /// Wrong passwords in a row that are ever verified for one account.
  public var mostFailures = 100
  /// Wrong passwords an address may send at once.
  public var addressBurst = 20
  /// The time after which an address may send one more.
  public var addressInterval: Duration = .seconds(30)
  /// Names without a user, and addresses, whose counts are kept; beyond, those least recently used are forgotten. It
  /// is more than one machine can hash passwords for within the longest wait.
  public var mostKeys = 100_000

  /// The limits described above.
  public static let standard = LoginLimits()

  /// Makes the standard limits, for changing some of them.
  public init() {}

  /// How long an account waits after so many failures.
  func wait(afterFailures failures: Int) -> Duration {
    guard failures >= freeFailures else { return .zero }
    guard failures < mostFailures else { return longestWait }
    var wait = firstWait
    for _ in 0..<min(failures - freeFailures, 64) where wait < longestWait { wait *= 2 }
    return min(wait, longestWait)
  }
}

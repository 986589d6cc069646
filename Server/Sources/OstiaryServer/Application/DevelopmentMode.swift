public import OstiaryCore

/// Switches for developing and testing that make a server unfit for anything else.
///
/// A server that has them refuses to listen beyond loopback, unless the loud flag at the end is set as well, and says
/// so in its log.
public struct DevelopmentMode: Sendable {
  /// Tells the server's time, so that tests can let sessions expire.
  public var clock: any SessionClock = .system
  /// What a password hash costs; nil takes the safe default.
  package var hashParameters: HashParameters?
  /// What a new password must be; nil takes the safe default.
  package var passwordPolicy: PasswordPolicy?
  /// Threads that hash; nil takes one for each core.
  package var hashWorkers: Int?
  /// Passwords that may wait for a thread; nil takes the default.
  package var hashQueue: Int?
  /// Keeps the method, path and status of the last requests; see `journal`.
  package var keepsJournal = true
  /// Lets a server with these switches be reached from other machines. Anybody who can reach it can then break into it.
  public var dangerouslyListensBeyondLoopback = false

  /// Development mode with safe hashing.
  public init() {}

  /// Cheap hashing and any password, for tests.
  public static var insecureForTests: DevelopmentMode {
    var mode = DevelopmentMode()
    mode.hashParameters = .insecureCheapForDevelopmentOnly
    mode.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly
    return mode
  }
}

public import OstiaryCore

/// Switches for development and tests that make a server unsafe for production.
///
/// A server with these switches refuses to listen beyond loopback, unless ``dangerouslyListensBeyondLoopback`` is set
/// as well, and says so in its log.
public struct DevelopmentMode: Sendable {
  /// The server's clock: tests can let sessions expire.
  public var clock: any SessionClock = .system
  /// The cost of a password hash; nil uses the safe default.
  package var hashParameters: HashParameters?
  /// The rules for a new password; nil uses the safe default.
  package var passwordPolicy: PasswordPolicy?
  /// Threads that hash; nil uses one for each core.
  package var hashWorkers: Int?
  /// Passwords that may wait for a thread; nil uses the default.
  package var hashQueue: Int?
  /// Records the method, path and status of the last requests; see `journal`.
  package var keepsJournal = true
  /// Lets clients on other machines reach a server with these switches. An attacker who can reach it can then break into it.
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

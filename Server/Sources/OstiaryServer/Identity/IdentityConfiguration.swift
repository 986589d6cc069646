import Foundation

/// How the server hashes passwords, what it asks of new ones, and how many wrong ones it looks at.
public struct IdentityConfiguration: Sendable {
  /// What one hash costs. Stored hashes of other parameters are replaced when their password is next seen.
  public var hashParameters: HashParameters = .standard
  /// What new passwords must be.
  public var passwordPolicy: PasswordPolicy = .standard
  /// How many wrong passwords are looked at.
  public var loginLimits: LoginLimits = .standard
  /// Threads that hash; by default as many as there are cores. Times ``HashParameters/memoryKiB`` this is the memory
  /// that hashing can take.
  public var hashWorkers: Int
  /// Passwords that may wait for a thread; more are refused with a time to come back.
  public var hashQueue: Int

  /// The defaults of a production server.
  public static var standard: IdentityConfiguration { IdentityConfiguration() }

  /// No protection worth the name, next to no cost: for tests and development alone.
  public static var insecureForDevelopmentOnly: IdentityConfiguration {
    var configuration = IdentityConfiguration()
    configuration.hashParameters = .insecureCheapForDevelopmentOnly
    configuration.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly
    return configuration
  }

  /// Makes the defaults, for changing some of them.
  public init() {
    let cores = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    hashWorkers = cores
    hashQueue = 32 * cores
  }
}

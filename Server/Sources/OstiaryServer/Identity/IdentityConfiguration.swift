import Foundation

/// How the server hashes passwords, what it asks of new ones, and how many wrong ones it looks at.
package struct IdentityConfiguration: Sendable {
  /// What one hash costs. Stored hashes of other parameters are replaced when their password is next seen.
  package var hashParameters: HashParameters = .standard
  /// What new passwords must be.
  package var passwordPolicy: PasswordPolicy = .standard
  /// How many wrong passwords are looked at.
  package var loginLimits: LoginLimits = .standard
  /// Threads that hash; by default as many as there are cores. Times `memoryKiB` this is the memory
  /// that hashing can take.
  package var hashWorkers: Int
  /// Passwords that may wait for a thread; more are refused with a time to come back.
  package var hashQueue: Int

  /// The defaults of a production server.
  package static var standard: IdentityConfiguration { IdentityConfiguration() }

  /// No protection worth the name, next to no cost: for tests and development alone.
  package static var insecureForDevelopmentOnly: IdentityConfiguration {
    var configuration = IdentityConfiguration()
    configuration.hashParameters = .insecureCheapForDevelopmentOnly
    configuration.passwordPolicy = .insecureAnythingGoesForDevelopmentOnly
    return configuration
  }

  /// Makes the defaults, for changing some of them.
  package init() {
    let cores = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    hashWorkers = cores
    hashQueue = 32 * cores
  }
}

import Foundation

/// How the server hashes passwords, what new ones must be, and how many wrong ones it verifies.
package struct IdentityConfiguration: Sendable {
  /// The cost of one hash. A stored hash of other parameters is replaced at the next login with its password.
  package var hashParameters: HashParameters = .standard
  /// The rules for new passwords.
  package var passwordPolicy: PasswordPolicy = .standard
  /// How many wrong passwords are verified.
  package var loginLimits: LoginLimits = .standard
  /// Threads that hash; by default as many as there are cores. Hashing takes at most this number times `memoryKiB`.
  package var hashWorkers: Int
  /// Passwords that may wait for a thread; more are refused with a time to come back.
  package var hashQueue: Int

  /// The defaults of a production server.
  package static var standard: IdentityConfiguration { IdentityConfiguration() }

  /// Almost no protection and almost no cost: for tests and development alone.
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

import Foundation
internal import OstiaryCore

/// Hashes and verifies passwords on a ``HashPool``.
///
/// Every password is brought to one spelling (NFKC) before it is hashed, on every pathway.
final class PasswordHasher: Sendable {
  let parameters: HashParameters
  let pool: HashPool
  private let observer: (@Sendable (HashParameters) -> Void)?

  /// - Parameter observer: told the cost of every hash that is computed; for tests of equal work.
  init(parameters: HashParameters, pool: HashPool, observer: (@Sendable (HashParameters) -> Void)? = nil) {
    self.parameters = parameters
    self.pool = pool
    self.observer = observer
  }

  /// A new hash with a new salt.
  func hash(_ password: NormalizedPassword) async throws(ServerError) -> PasswordHash {
    let parameters = parameters
    let salt = RandomBytes.make(PasswordHash.saltCount)
    let output = try await compute(password, salt: salt, parameters: parameters)
    return PasswordHash(parameters: parameters, salt: salt, output: output)
  }

  /// Whether `password` is the one `hash` was made of. Without a hash the answer is no, after the same work.
  /// - Parameter work: how much to do at least, in ``HashParameters/work``; what the hash itself leaves of it is done
  ///   for nothing.
  func verify(
    _ password: NormalizedPassword, against hash: PasswordHash?, work: Int
  ) async throws(ServerError) -> Bool {
    let own = hash?.parameters
    var isRight = false
    if let hash {
      let output = try await compute(password, salt: hash.salt, parameters: hash.parameters)
      isRight = Argon2.areEqual(output, hash.output)
    }
    let rest = work - (own?.work ?? 0)
    if let padding = own == nil ? filler(work: work) : (rest >= 8 ? filler(work: rest) : nil) {
      _ = try await compute(password, salt: [UInt8](repeating: 0, count: PasswordHash.saltCount), parameters: padding)
    }
    return isRight
  }

  /// Parameters that cost `work`: today's where they fit, as they do for an unknown user.
  private func filler(work: Int) -> HashParameters {
    work == parameters.work
      ? parameters : .insecureForDevelopmentOnly(memoryKiB: min(work, parameters.memoryKiB), iterations: 1)
  }

  private func compute(
    _ password: NormalizedPassword, salt: [UInt8], parameters: HashParameters
  ) async throws(ServerError) -> [UInt8] {
    observer?(parameters)
    return try await pool.run { () throws(ServerError) in
      try Argon2.hash(password.bytes, salt: salt, parameters: parameters)
    }
  }
}

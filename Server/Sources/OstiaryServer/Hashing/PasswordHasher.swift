import Foundation
internal import OstiaryCore

/// Hashes and verifies passwords on a `HashPool`.
///
/// Every password is brought to one form (NFKC) before it is hashed, at every door.
final class PasswordHasher: Sendable {
  let parameters: HashParameters
  let pool: HashPool
  private let equalWork: any WorkFilling
  private let observer: (@Sendable (HashParameters) -> Void)?

  /// - Parameters:
  ///   - equalWork: gives every check the same cost; by default `EqualWork`.
  ///   - observer: called with the cost of every hash that is computed; for tests of equal work.
  init(
    parameters: HashParameters, pool: HashPool, equalWork: (any WorkFilling)? = nil,
    observer: (@Sendable (HashParameters) -> Void)? = nil
  ) {
    self.parameters = parameters
    self.pool = pool
    self.observer = observer
    self.equalWork = equalWork ?? EqualWork(parameters: parameters)
  }

  /// A new hash with a new salt.
  func hash(_ password: NormalizedPassword, _ place: HashPool.Place) async throws(ServerError) -> PasswordHash {
    let parameters = parameters
    let salt = RandomBytes.make(PasswordHash.saltCount)
    observer?(parameters)
    let output = try await pool.run(at: place) { () throws(ServerError) in
      try Argon2.hash(password.bytes, salt: salt, parameters: parameters)
    }
    return PasswordHash(parameters: parameters, salt: salt, output: output)
  }

  /// Whether `hash` was made from `password`. Without a hash the answer is no, after the same work.
  /// - Parameter work: the least amount to do, in `work`. The part that `hash` itself does not use is filled with
  ///   discarded hashes, in the same job on the same thread.
  func verify(
    _ password: NormalizedPassword, against hash: PasswordHash?, work: Int, _ place: HashPool.Place,
    _ permit: borrowing GuessPermit<PasswordGuess>
  ) async throws(ServerError) -> Bool {
    try await pool.run(at: place) { [equalWork, observer] () throws(ServerError) in
      let start = ThreadClock.now
      var isRight = false
      if let hash {
        observer?(hash.parameters)
        let output = try Argon2.hash(password.bytes, salt: hash.salt, parameters: hash.parameters)
        isRight = Argon2.areEqual(output, hash.output)
      }
      try equalWork.fill(work, own: hash?.parameters, spent: ThreadClock.now - start) { padding throws(ServerError) in
        observer?(padding)
        let salt = [UInt8](repeating: 0, count: PasswordHash.saltCount)
        _ = try Argon2.hash(password.bytes, salt: salt, parameters: padding)
      }
      return isRight
    }
  }
}

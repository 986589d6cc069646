/// The cost of one password hash: argon2id with one lane (RFC 9106).
package struct HashParameters: Hashable, Sendable {
  /// Memory in KiB.
  package let memoryKiB: Int
  /// Passes over the memory.
  package let iterations: Int

  /// 46 MiB, one pass: the floor of OWASP ASVS 5.0, appendix C.
  package static let standard = HashParameters(unchecked: 47_104, 1)

  /// Almost no cost and almost no protection: for tests and development alone.
  package static let insecureCheapForDevelopmentOnly = HashParameters(unchecked: 8, 1)

  /// Makes parameters at or above the floor.
  ///
  /// The floor is any of 46 MiB with one pass, 19 MiB with two, 12 MiB with three or more (OWASP ASVS 5.0, appendix C);
  /// the ceiling is 1 GiB and 64 passes.
  /// - Throws: `hashParametersRefused`.
  package init(memoryKiB: Int, iterations: Int) throws(ServerError) {
    let floor = [1: 47_104, 2: 19_456][iterations] ?? 12_288
    guard memoryKiB >= floor, Self.isAffordable(memoryKiB: memoryKiB, iterations: iterations) else {
      throw ServerError(
        .hashParametersRefused, "A password hash of \(memoryKiB) KiB and \(iterations) passes is not accepted.",
        advice: "Use at least 47104 KiB with one pass, and at most 1 GiB and 64 passes.")
    }
    self.init(unchecked: memoryKiB, iterations)
  }

  /// Weak parameters that the caller chooses, for tests and development alone.
  package static func insecureForDevelopmentOnly(memoryKiB: Int, iterations: Int) -> HashParameters {
    HashParameters(
      unchecked: min(max(memoryKiB, minimumMemoryKiB), maximumMemoryKiB), min(max(iterations, 1), maximumIterations))
  }

  /// Parameters of a stored hash. Those below the floor belong to old hashes; those above the ceiling are an attack.
  init?(storedMemoryKiB memoryKiB: Int, iterations: Int) {
    guard Self.isAffordable(memoryKiB: memoryKiB, iterations: iterations) else { return nil }
    self.init(unchecked: memoryKiB, iterations)
  }

  /// Parameters that cost `work` in no more memory than `limit` has; nil if `work` is less than the cheapest hash costs.
  init?(padding work: Int, within limit: HashParameters) {
    guard work >= Self.minimumMemoryKiB else { return nil }
    let passes = (work - 1) / limit.memoryKiB + 1
    self.init(unchecked: max(work / passes, Self.minimumMemoryKiB), passes)
  }

  private init(unchecked memoryKiB: Int, _ iterations: Int) {
    self.memoryKiB = memoryKiB
    self.iterations = iterations
  }

  private static let minimumMemoryKiB = 8
  private static let maximumMemoryKiB = 1 << 20
  private static let maximumIterations = 64

  private static func isAffordable(memoryKiB: Int, iterations: Int) -> Bool {
    (minimumMemoryKiB...maximumMemoryKiB).contains(memoryKiB) && (1...maximumIterations).contains(iterations)
  }

  /// Memory times passes, to which argon2id's running time is proportional.
  var work: Int { memoryKiB * iterations }

  /// Whether these are too weak for a real password.
  package var isInsecure: Bool { (try? HashParameters(memoryKiB: memoryKiB, iterations: iterations)) == nil }
}

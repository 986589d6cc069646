/// What deriving a key from a passphrase takes (RFC 7914 §2). Guessing takes as much, for every guess.
package struct ScryptCost: Sendable, Hashable {
  /// The binary logarithm of the number of rounds, *N*.
  package let log2Rounds: Int
  /// The block size, *r*. Memory is 128 · *N* · *r* bytes.
  package let blockSize: Int
  /// The parallelism, *p*.
  package let parallelism: Int

  /// 2^17 rounds, 128 MiB, about half a second: what OWASP's Password Storage Cheat Sheet recommends.
  package static let interactive = ScryptCost(log2Rounds: 17, blockSize: 8, parallelism: 1)
  /// Nothing worth mentioning. **For tests only**: every guess costs as little.
  package static let insecurelyCheap = ScryptCost(log2Rounds: 4, blockSize: 1, parallelism: 1)

  private init(log2Rounds: Int, blockSize: Int, parallelism: Int) {
    self.log2Rounds = log2Rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// Makes a cost of at most 1 GiB of memory.
  /// - Returns: `nil` when it is out of bounds: 1 to 22, 1 to 32, and 1 to 16.
  package init?(rounds log2Rounds: Int, blockSize: Int, parallelism: Int) {
    guard (1...22).contains(log2Rounds), (1...32).contains(blockSize), (1...16).contains(parallelism),
      (1 << log2Rounds) * blockSize <= 1 << 23
    else { return nil }
    self.init(log2Rounds: log2Rounds, blockSize: blockSize, parallelism: parallelism)
  }
}

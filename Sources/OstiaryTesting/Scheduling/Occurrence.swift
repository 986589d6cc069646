/// Which of the operations that match a rule are meant. They are counted from 1.
public enum Occurrence: Sendable, Hashable {
  /// All of them.
  case every
  /// The one with this number.
  case nth(Int)
  /// So many, from the beginning.
  case first(Int)
  /// All after so many.
  case after(Int)
  /// Each with this probability; the choice depends on seed and number alone.
  case randomly(Double, seed: UInt64)

  /// Whether the operation with this number is meant.
  public func includes(_ number: Int) -> Bool {
    switch self {
    case .every: return true
    case .nth(let chosen): return number == chosen
    case .first(let count): return number <= count
    case .after(let count): return number > count
    case .randomly(let probability, let seed):
      var generator = SplitMix64(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
      return Double.random(in: 0..<1, using: &generator) < probability
    }
  }
}

/// Compares secrets in a time that does not show which byte differs.
enum ConstantTime {
  /// Whether both have the same bytes. The time depends on their lengths only.
  static func isEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
  }
}

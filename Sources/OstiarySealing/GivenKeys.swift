/// Keys that the program has.
package struct GivenKeys: SealingKeySource {
  private let given: SealingKeys

  /// Makes a source of keys.
  package init(_ keys: SealingKeys) {
    given = keys
  }

  package func keys() async throws -> SealingKeys? { given }
}

extension SealingKeySource where Self == BuiltInKeys {
  /// Keys that the program has: one that seals, and others that only open.
  public static func given(_ key: SealingKey, older: [SealingKey] = []) -> BuiltInKeys {
    BuiltInKeys(GivenKeys(SealingKeys(current: key, older: older)))
  }
}

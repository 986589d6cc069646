/// Keys that the program has.
public struct GivenKeys: SealingKeySource {
  private let given: SealingKeys

  /// Makes a source of keys.
  public init(_ keys: SealingKeys) {
    given = keys
  }

  public func keys() async throws -> SealingKeys? { given }
}

extension SealingKeySource where Self == GivenKeys {
  /// A key that the program has.
  public static func given(_ key: SealingKey) -> GivenKeys { GivenKeys(SealingKeys(current: key)) }
}

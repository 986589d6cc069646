/// Keys from one of this library's own sources: a key file, a credential of systemd, a passphrase, another store, or the
/// program itself. Made by the functions of ``SealingKeySource``, such as ``SealingKeySource/keyFile(_:)``.
public struct BuiltInKeys: SealingKeySource {
  private let source: any SealingKeySource

  package init(_ source: any SealingKeySource) {
    self.source = source
  }

  public func keys() async throws -> SealingKeys? { try await source.keys() }

  public func makeKey(after known: SealingKeys?) async throws -> SealingKeys { try await source.makeKey(after: known) }
}

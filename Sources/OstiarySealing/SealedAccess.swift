internal import Foundation
internal import OstiaryCore

/// Exclusive access to a sealed session that the current task has, and what it has last read or written with it.
///
/// Others can still change what is stored, so this only says where to begin: the store below compares.
final class SealedAccess: Sendable {
  /// Tells stores apart.
  final class Owner: Sendable {}

  /// What the current task, and those it has started, got access to last.
  @TaskLocal static var current: SealedAccess?

  private let key: SessionKey
  private let owner: Owner
  /// What it had access to before.
  private let outer = SealedAccess.current
  private let known = Locked<(data: Data, record: Data)?>(nil)

  init(_ key: SessionKey, _ owner: Owner) {
    self.key = key
    self.owner = owner
  }

  /// The current task's access to `key` by way of the store that `owner` stands for.
  static func current(to key: SessionKey, _ owner: Owner) -> SealedAccess? {
    var access = current
    while let found = access, found.key != key || found.owner !== owner { access = found.outer }
    return access
  }

  /// What is stored as far as is known, once: a read or a write notes its result.
  func take() -> (data: Data, record: Data)? {
    known.withLock { known in
      defer { known = nil }
      return known
    }
  }

  func note(_ data: Data, sealedAs record: Data) {
    known.withLock { $0 = (data, record) }
  }
}

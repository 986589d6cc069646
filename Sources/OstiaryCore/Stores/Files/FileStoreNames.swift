/// The names that a store has made, because making one costs more than reading a file.
final class FileStoreNames: Sendable {
  /// Beyond that many it forgets them all, rather than grow with every account of a server.
  private static let limit = 1_000

  private let made = Locked<[SessionKey: FileStoreName]>([:])

  /// The names of a key's files.
  subscript(key: SessionKey) -> FileStoreName {
    if let name = made.withLock({ $0[key] }) { return name }
    let name = FileStoreName(key)
    made.withLock { made in
      if made.count >= Self.limit { made = [:] }
      made[key] = name
    }
    return name
  }
}

internal import OstiaryCore

/// What has been learned about one realm of a server: which parts belong to it, and which nonces it has given. It is
/// part of no session and no secret: it may be forgotten at any time, which costs a round trip.
final class ProtectionSpace: Sendable {
  let nonces = NonceBook()
  private let parts: Locked<PathPrefixes>

  init(_ prefixes: [String]) { parts = Locked(PathPrefixes(prefixes)) }

  /// Whether a request target is known to belong to the realm, so that proof may go with a request before it is asked
  /// for.
  func covers(_ target: String?) -> Bool { parts.withLock { $0.contains(target) } }

  /// Notes that parts of the server belong to the realm, as the server has said.
  func add(_ prefixes: [String]) {
    parts.withLock { parts in
      for prefix in prefixes { parts.add(prefix) }
    }
  }

  /// Notes that the realm has asked for proof at a request target.
  func add(folderOf target: String?) {
    guard let folder = PathPrefixes.folder(of: target) else { return }
    parts.withLock { parts in
      if !parts.contains(target) { parts.add(folder) }
    }
  }
}

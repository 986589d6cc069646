internal import Crypto
internal import Foundation
internal import OstiaryCore

/// What an authenticator knows of its server between requests: protection spaces, so that all sessions and all versions of
/// one count a nonce's uses together; and what was refused last, so that it is not shown a second time unasked.
final class SpaceMemory: Sendable {
  /// Whose proof for which realm.
  struct Key: Hashable, Sendable {
    let user: String
    let realm: String
    let method: String
  }

  private struct State: Sendable {
    /// The one used last is last.
    var spaces: [(key: Key, space: ProtectionSpace)] = []
    var refused: [UInt8]?
  }

  private let state = Locked(State())
  /// Several users of several realms; who has more pays with round trips.
  private static let capacity = 16

  /// The space of this name, made when there is none.
  func space(_ key: Key, prefixes: [String]) -> ProtectionSpace {
    state.withLock { state in
      let known = state.spaces.firstIndex { $0.key == key }.map { state.spaces.remove(at: $0).space }
      let space = known ?? ProtectionSpace(prefixes)
      if state.spaces.count >= Self.capacity { state.spaces.removeFirst() }
      state.spaces.append((key, space))
      space.add(prefixes)
      return space
    }
  }

  /// Notes that the server has refused a proof that it took before.
  func noteRefused(_ proof: Secret) {
    let digest = Self.digest(proof)
    state.withLock { $0.refused = digest }
  }

  /// Whether the server has just refused this proof. The refusal is forgotten then: a caller that presents the proof
  /// again may be right.
  func takeRefused(_ proof: Secret) -> Bool {
    let digest = Self.digest(proof)
    return state.withLock { state in
      guard state.refused == digest else { return false }
      state.refused = nil
      return true
    }
  }

  /// Notes that the server has taken a proof.
  func forgetRefused() { state.withLock { $0.refused = nil } }

  private static func digest(_ proof: Secret) -> [UInt8] { Array(SHA256.hash(data: Data(proof.reveal().utf8))) }
}

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

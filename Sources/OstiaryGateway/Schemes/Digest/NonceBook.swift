internal import OstiaryCore

/// The nonces that a server has given for one protection space, and how often each was used. No number of simultaneous
/// requests makes it give the same count twice.
///
/// It knows nonces, which are no secret, and neither users nor keys.
final class NonceBook: Sendable {
  private struct Entry: Sendable {
    let challenge: DigestChallenge
    let keyNonce: String
    let cnonce: String
    var count: UInt32 = 0
    /// Whether no further request may use it: it was given to one request alone, or the server has refused it.
    var isSpent = false

    /// `nil` when the counter, of eight digits, is used up.
    mutating func use() -> NonceUse? {
      guard count < .max else { return nil }
      count += 1
      return NonceUse(challenge: challenge, keyNonce: keyNonce, cnonce: cnonce, count: count)
    }
  }

  /// The latest is last.
  private let entries = Locked<[Entry]>([])
  /// Enough for a server that gives every response a nonce of its own, and forgotten ones cost a round trip.
  private static let capacity = 256

  /// A use of the latest nonce, or better of one that no request has used yet: some servers take each only once. `nil`
  /// when the server has to be asked for one.
  func use() -> NonceUse? {
    entries.withLock { entries in
      while let index = entries.lastIndex(where: { !$0.isSpent && $0.count == 0 })
        ?? entries.lastIndex(where: { !$0.isSpent })
      {
        if let use = entries[index].use() { return use }
        entries.remove(at: index)
      }
      return nil
    }
  }

  /// Keeps the nonce of a challenge, with which an authentication session begins.
  /// - Parameters:
  ///   - isUsed: whether the challenged request uses it at once, before any other request does.
  ///   - isPrivate: whether no other request may ever use it.
  /// - Returns: that use.
  func take(_ challenge: DigestChallenge, isUsed: Bool, isPrivate: Bool = false) -> NonceUse? {
    let cnonce = Self.cnonce()
    return entries.withLock { entries in
      // A known nonce keeps its count: servers repeat themselves, and a count must never be repeated.
      let known = Self.remove(challenge.nonce, from: &entries)
      let entry = Entry(
        challenge: challenge, keyNonce: challenge.nonce, cnonce: known?.cnonce ?? cnonce, count: known?.count ?? 0,
        isSpent: isPrivate)
      Self.append(entry, to: &entries)
      return isUsed ? entries[entries.count - 1].use() : nil
    }
  }

  /// Keeps the nonce that the server announced in the answer to a request with another (`nextnonce`). The authentication
  /// session goes on.
  func take(nextNonce: String, after nonce: String) {
    entries.withLock { entries in
      if var known = Self.remove(nextNonce, from: &entries) {
        known.isSpent = false
        entries.append(known)
      } else if let entry = Self.entry(nonce, in: entries) {
        Self.append(
          Entry(challenge: entry.challenge.with(nonce: nextNonce), keyNonce: entry.keyNonce, cnonce: entry.cnonce),
          to: &entries)
      }
    }
  }

  /// Keeps a nonce that the server has refused from further requests. It stays known: another request may have shown it
  /// in time, and its answer is still to be verified.
  func retire(_ nonce: String) {
    entries.withLock { entries in
      if let index = Self.index(of: nonce, in: entries) { entries[index].isSpent = true }
    }
  }

  /// The use of a nonce that a request has shown, to verify what the server makes of it; `nil` for a forgotten nonce.
  func past(nonce: String, count: UInt32) -> NonceUse? {
    entries.withLock { entries in
      Self.entry(nonce, in: entries).map {
        NonceUse(challenge: $0.challenge, keyNonce: $0.keyNonce, cnonce: $0.cnonce, count: count)
      }
    }
  }

  private static func entry(_ nonce: String, in entries: [Entry]) -> Entry? {
    index(of: nonce, in: entries).map { entries[$0] }
  }

  private static func remove(_ nonce: String, from entries: inout [Entry]) -> Entry? {
    index(of: nonce, in: entries).map { entries.remove(at: $0) }
  }

  private static func index(of nonce: String, in entries: [Entry]) -> Int? {
    entries.lastIndex { $0.challenge.nonce.utf8.elementsEqual(nonce.utf8) }
  }

  private static func append(_ entry: Entry, to entries: inout [Entry]) {
    if entries.count >= capacity { entries.removeFirst() }
    entries.append(entry)
  }

  /// 128 random bits.
  private static func cnonce() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return String(decoding: DigestHash.hexadecimal(bytes), as: UTF8.self)
  }
}

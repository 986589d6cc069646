package import Foundation
package import OstiaryCore

/// The keys of a store: the current one seals, and all open.
public struct SealingKeys: Sendable, Equatable {
  /// The key that seals.
  public let current: SealingKey
  /// Those that only open what they have sealed before.
  public let older: [SealingKey]

  /// Makes a set of keys.
  public init(current: SealingKey, older: [SealingKey] = []) {
    self.current = current
    self.older = older.filter { $0.id != current.id }
  }

  /// The key of an identifier.
  package subscript(id: SealingKey.ID) -> SealingKey? {
    current.id == id ? current : older.first { $0.id == id }
  }

  /// The same keys with a new one in front.
  package func rotated(to key: SealingKey) -> SealingKeys {
    SealingKeys(current: key, older: [current] + older)
  }

  // MARK: As text

  /// The text of key files: a line for each key, in Base64, the current one first. Lines that begin with `#` are for
  /// people.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `storeUnavailable` when there is no key in it, or something that is none. What
  ///   it is stays out of the error.
  package init(text: Data) throws(OstiaryError) {
    var keys: [SealingKey] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
    for (number, line) in lines.enumerated() {
      let line = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard keys.count < Self.mostKeys, let bytes = Data(base64Encoded: line), let key = try? SealingKey(bytes: bytes)
      else { throw Self.unreadable("line \(number + 1) is not \(SealingKey.length) bytes in Base64") }
      keys.append(key)
    }
    guard let current = keys.first else { throw Self.unreadable("there is no key in it") }
    self.init(current: current, older: Array(keys.dropFirst()))
  }

  /// The keys as the text that ``init(text:)`` reads. It is as secret as they are.
  package func revealText() -> Data {
    let lines =
      ["# Keys of Ostiary's sealed sessions, the current one first. Anyone who has them can read the sessions."]
      + ([current] + older).map { $0.reveal().base64EncodedString() }
    return Data((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static let mostKeys = 1000

  private static func unreadable(_ reason: String) -> OstiaryError {
    OstiaryError(
      .storeUnavailable, "The sealing keys can't be read: \(reason).",
      advice: "Put one key on each line, as made by: openssl rand -base64 32")
  }
}

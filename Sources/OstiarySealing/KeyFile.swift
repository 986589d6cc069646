public import Foundation
package import OstiaryCore

/// Keys in a file for this user alone: see ``SealingKeySource/keyFile(_:)``.
package struct KeyFile: SealingKeySource {
  private let file: SecretFile
  /// What was read last, and what stood for the file then: taking keys apart costs more than asking whether there are
  /// others by now.
  private let now: @Sendable () -> Int64
  private let known = Locked<(stamp: StoreStamp, keys: SealingKeys)?>(nil)

  /// Makes a source of the keys in a file. Nothing is read or written yet.
  package init(_ url: URL) {
    self.init(url, onStep: { _ in })
  }

  /// Makes a source that tells how far a change has come, so that tests can stop the process there.
  package init(_ url: URL, onStep: @escaping @Sendable (SecretFile.Step) -> Void) {
    self.init(SecretFile(url, onStep: onStep)) { FileStamp.now }
  }

  /// - Parameter now: tells the system's time, in nanoseconds.
  init(_ file: SecretFile, now: @escaping @Sendable () -> Int64) {
    self.file = file
    self.now = now
  }

  package func keys() async throws -> SealingKeys? {
    let stamp = FileStamp.take(file.path, at: now())
    if let stamp, let keys = known.withLock({ $0?.stamp == stamp ? $0?.keys : nil }) { return keys }
    let keys = try file.read().map { try SealingKeys(text: $0) }
    if let stamp, let keys { known.withLock { $0 = (stamp, keys) } }
    return keys
  }

  package func makeKey(after known: SealingKeys?) async throws -> SealingKeys {
    let text = try await file.change { text throws(OstiaryError) in
      let keys = try text.map { text throws(OstiaryError) in try SealingKeys(text: text) }
      guard keys == known else { return nil }
      return (keys?.rotated(to: .random()) ?? SealingKeys(current: .random())).revealText()
    }
    return try SealingKeys(text: text)
  }
}

extension SealingKeySource where Self == BuiltInKeys {
  /// Keys in a file for this user alone, made when something is sealed for the first time.
  ///
  /// The file holds a key on each line, in Base64, the current one first; one made by `openssl rand -base64 32` will do.
  /// It is refused when it is a symbolic link, belongs to another user (other than root), or when another user may read
  /// it. Keep it apart from the sessions' backups: with both, the sessions can be read.
  public static func keyFile(_ url: URL) -> BuiltInKeys { BuiltInKeys(KeyFile(url)) }
}

import Crypto
import Foundation
import OstiaryCore
import OstiaryPrivateFiles

/// A key that is stored beside the database and never in it: a copy of the database alone decrypts nothing.
///
/// `ServerKeySources` knows where it is kept. In a data folder it is a file of its own (mode 0600). It is made once, and every
/// process that uses the folder shares it. Without a folder it exists as long as the value.
struct ServerKey: Sendable {
  /// The file's name in the data folder.
  static let fileName = "ostiary.key"
  private static let byteCount = 32

  private let root: SymmetricKey
  /// Where it is kept, as messages say it.
  let place: String
  /// The file that it was read from; nil for a key of a variable or of memory.
  private(set) var file: URL?
  /// Whether other users must not have access to the file.
  private(set) var isPrivate = true
  /// Whether the file was made now.
  private(set) var isNew = false

  private struct ExposedKey: Error {}

  private init(_ bytes: [UInt8], place: String) {
    root = SymmetricKey(data: bytes)
    self.place = place
  }

  /// A key that is stored nowhere.
  static func temporary() -> ServerKey { ServerKey(RandomBytes.make(byteCount), place: "memory") }

  /// A new key that nothing has yet.
  static func made() -> ServerKey { ServerKey(RandomBytes.make(byteCount), place: "the database") }

  /// A new key, as files and variables have it.
  static func newText() -> String { RandomBytes.make(byteCount).base64URL }

  /// The key that a text is: 32 bytes in base64url, with blanks around it.
  /// - Returns: nil for another text.
  init?(text: String, place: String) {
    let text = text.filter { !$0.isWhitespace }
    guard let bytes = text.decodedBase64URL, bytes.count == Self.byteCount else { return nil }
    self.init(bytes, place: place)
  }

  /// The same key, with the file that it was read from.
  func read(from file: URL, isPrivate: Bool = true, isNew: Bool = false) -> ServerKey {
    var key = self
    (key.file, key.isPrivate, key.isNew) = (file, isPrivate, isNew)
    return key
  }

  /// Whether both are the same key, in constant time.
  func isSame(as other: ServerKey) -> Bool { root == other.root }

  /// The folder's key, made now if it has none.
  /// - Throws: `storageCorrupt` for a file that holds no key, `storageDenied` for one that can't be used.
  static func load(from folder: URL) throws(ServerError) -> ServerKey {
    let file = PrivateFile(url: folder.appendingPathComponent(fileName))
    let data: Data
    let isNew: Bool
    do {
      (data, isNew) = try file.withLock {
        guard try !file.isOpenToOthers() else { throw ExposedKey() }
        if let kept = try file.read(limit: 1024) { return (kept, false) }
        let new = Data(newText().utf8)
        try file.replace(with: new)
        return (new, true)
      }
    } catch is ExposedKey {
      throw ServerError(
        .storageDenied, "Others may read the server's key.",
        advice: """
          Run chmod 600 \(file.url.path.shellWord). If another user may have read it, remove it and run `ostiary key accept`.
          """)
    } catch let error as OstiaryError where error.code == .storeUnavailable {
      throw ServerError(
        .storageBusy, "The server's key is held by another process.", advice: "Try again, or end that process.",
        retryAfter: .seconds(5), underlying: error)
    } catch {
      throw ServerError(
        .storageDenied, "The server's key can't be read or made.", advice: "Check who owns \(file.url.path).",
        underlying: error)
    }
    guard let key = ServerKey(text: String(decoding: data, as: UTF8.self), place: file.url.path) else {
      throw ServerError(
        .storageCorrupt, "The server's key is damaged.",
        advice: """
          Restore \(file.url.path). If it is lost, remove it and run `ostiary key accept`, which says what is lost with it.
          """)
    }
    return key.read(from: file.url, isNew: isNew)
  }

  /// Removes the file if it was made for this key just now: it is not the key of the database, and would be in the way of that one.
  func removeIfNew() {
    if isNew, let file { try? FileManager.default.removeItem(at: file) }
  }

  /// Stores the key in another folder that has none.
  func store(in folder: URL) throws {
    _ = try store(at: folder.appendingPathComponent(Self.fileName))
  }

  /// Stores the key in a new file (mode 0600).
  /// - Returns: whether it was made. An existing file stays as it is.
  func store(at url: URL) throws -> Bool {
    try PrivateFile(url: url).make(with: Data((text.reveal() + "\n").utf8))
  }

  /// The key as files and variables have it.
  var text: Secret { Secret(root.withUnsafeBytes { Array($0) }.base64URL) }

  /// Why the file that had the key has none of these any more; nil if it has one. It makes no file.
  func problem(among keys: [ServerKey]) -> String? {
    guard let url = file else { return nil }
    let file = PrivateFile(url: url)
    guard let data = try? file.read(limit: 1024) else {
      return "The server's key is not in its file, or can't be read."
    }
    guard let kept = ServerKey(text: String(decoding: data, as: UTF8.self), place: place),
      keys.contains(where: { $0.isSame(as: kept) })
    else { return "The key in the server's file is another one than it has started with." }
    guard !isPrivate || (try? file.isOpenToOthers()) == false else { return "Others may read the server's key." }
    return nil
  }

  /// What the file that had the key has now; nil if it was read from none, or can't be read.
  var keptText: String? {
    guard let file, let data = try? PrivateFile(url: file).read(limit: 1024) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Puts the key into the place of another one in a file of this process's user, atomically.
  /// - Parameter kept: a file that gets the other one: back-ups of before don't open without it. If it has something else, one beside
  ///   it does.
  /// - Returns: whether the file had the other one.
  func replace(_ other: ServerKey, in url: URL, keeping kept: URL) throws -> Bool {
    let file = PrivateFile(url: url)
    return try file.withLock {
      guard let data = try file.read(limit: 1024),
        let now = ServerKey(text: String(decoding: data, as: UTF8.self), place: url.path), now.isSame(as: other)
      else { return false }
      var (place, count) = (kept, 1)
      while try !other.store(at: place) && !other.isKept(at: place) {
        count += 1
        place = URL(filePath: "\(kept.path)-\(count)")
      }
      try file.replace(with: Data((text.reveal() + "\n").utf8))
      return true
    }
  }

  private func isKept(at url: URL) throws -> Bool {
    guard let data = try PrivateFile(url: url).read(limit: 1024) else { return false }
    return ServerKey(text: String(decoding: data, as: UTF8.self), place: place).map { isSame(as: $0) } ?? false
  }

  /// The key for one purpose (HKDF, RFC 5869).
  func key(for purpose: StaticString) -> SymmetricKey { derived("\(purpose)") }

  /// The same for a name that is put together.
  func key(named purpose: String) -> SymmetricKey { derived(purpose) }

  /// The key for the pages of one place of the server, in one version. Version 1 has no number in the name of its key.
  func key(forPagesOf place: String, version: Int) -> SymmetricKey {
    derived("\(place).pages" + (version == 1 ? "" : ".\(version)"))
  }

  private func derived(_ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Array("ostiary.\(purpose)".utf8), outputByteCount: 32)
  }
}

import Crypto
import Foundation
import OstiaryCore
import OstiaryPrivateFiles

/// A key that is stored beside the database and never in it: a copy of the database alone decrypts nothing.
///
/// In a data folder it is a file of its own (mode 0600). It is made once, and every process that uses the folder shares
/// it. Without a folder it exists as long as the value.
struct ServerKey: Sendable {
  /// The file's name in the data folder.
  static let fileName = "ostiary.key"
  private static let byteCount = 32

  private let root: SymmetricKey

  private struct ExposedKey: Error {}

  private init(_ bytes: [UInt8]) {
    root = SymmetricKey(data: bytes)
  }

  /// A key that is stored nowhere.
  static func temporary() -> ServerKey { ServerKey(RandomBytes.make(byteCount)) }

  /// The folder's key, made now if it has none.
  /// - Throws: `storageCorrupt` for a file that holds no key, `storageDenied` for one that can't be used.
  static func load(from folder: URL) throws(ServerError) -> ServerKey {
    let file = PrivateFile(url: folder.appendingPathComponent(fileName))
    let data: Data
    do {
      data = try file.withLock {
        guard try !file.isOpenToOthers() else { throw ExposedKey() }
        if let kept = try file.read(limit: 1024) { return kept }
        let new = Data(RandomBytes.make(byteCount).base64URL.utf8)
        try file.replace(with: new)
        return new
      }
    } catch is ExposedKey {
      throw ServerError(
        .storageDenied, "Others may read the server's key.",
        advice: "Run chmod 600 \(file.url.path.shellWord), and remove the key first if another user may have read it.")
    } catch let error as OstiaryError where error.code == .storeUnavailable {
      throw ServerError(
        .storageBusy, "The server's key is held by another process.", advice: "Try again, or end that process.",
        retryAfter: .seconds(5), underlying: error)
    } catch {
      throw ServerError(
        .storageDenied, "The server's key can't be read or made.", advice: "Check who owns \(file.url.path).",
        underlying: error)
    }
    let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    guard let bytes = text.decodedBase64URL, bytes.count == byteCount else {
      throw ServerError(
        .storageCorrupt, "The server's key is damaged.",
        advice: "Restore \(file.url.path), or remove it: codes and mail under way are lost then.")
    }
    return ServerKey(bytes)
  }

  /// The key for one purpose (HKDF, RFC 5869).
  func key(for purpose: StaticString) -> SymmetricKey { derived("\(purpose)") }

  /// The key for the pages of one place of the server, in one version. Version 1 has no number in the name of its key.
  func key(forPagesOf place: String, version: Int) -> SymmetricKey {
    derived("\(place).pages" + (version == 1 ? "" : ".\(version)"))
  }

  private func derived(_ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Array("ostiary.\(purpose)".utf8), outputByteCount: 32)
  }
}

internal import Crypto
internal import Foundation
internal import OstiaryCore

/// The digest of a part, taken from the bytes that are sent.
///
/// It is keyed: GMAC (NIST SP 800-38D §3) over blocks of the part, and SHA-256 over their tags. With the processor's help that
/// costs a tenth of SHA-256 over the bytes. The key is made for one sending, so that no nonce comes twice with it, and stands
/// before the digest: in the journal, which is as confidential as a session.
final class PartDigest: Sendable {
  private struct State: Sendable {
    var tags = SHA256()
    var blocks: UInt64 = 0
    /// The beginning of a block that is not whole yet.
    var rest = Data()
    /// The offset that comes next; `nil` when a part of the bytes was skipped.
    var next: Int? = 0
  }

  /// How long a block is, in bytes. Bytes that come in multiples of it are not copied.
  static let blockSize = 256 * 1024
  private static let keySize = 16

  private let key: SymmetricKey
  private let state = Locked(State())

  init() { key = SymmetricKey(size: .bits128) }

  private init(key: Data) { self.key = SymmetricKey(data: key) }

  /// Takes bytes that are sent. A part that is sent again begins at 0.
  func add(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      if offset == 0 { state = State() }
      guard state.next == offset, take(bytes, &state) else {
        state.next = nil
        return
      }
      state.next = offset + bytes.count
    }
  }

  /// The digest of so many bytes; `nil` when they were not all taken in order.
  func value(ofBytes count: Int64) -> Data? {
    state.withLock { state in
      guard let next = state.next, Int64(next) == count else { return nil }
      var end = state
      if !end.rest.isEmpty {
        guard end.rest.withUnsafeBytes({ seal($0, &end) }) else { return nil }
      }
      return key.withUnsafeBytes { Data($0) } + Data(end.tags.finalize())
    }
  }

  /// The digest of bytes that are sent from memory.
  static func value(of bytes: Data) -> Data? { PartDigest().value(of: bytes) }

  /// Whether a digest is that of these bytes. Digests of the version before are SHA-256, without a key.
  static func isDigest(_ digest: Data?, of bytes: Data) -> Bool {
    guard let digest else { return false }
    if digest.count == SHA256.byteCount { return digest == Data(SHA256.hash(data: bytes)) }
    guard digest.count == keySize + SHA256.byteCount else { return false }
    return PartDigest(key: digest.prefix(keySize)).value(of: bytes) == digest
  }

  private func value(of bytes: Data) -> Data? {
    bytes.withUnsafeBytes { add(at: 0, $0) }
    return value(ofBytes: Int64(bytes.count))
  }

  private func take(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let piece = bytes.prefix(Self.blockSize - state.rest.count)
      bytes = bytes.dropFirst(piece.count)
      if state.rest.isEmpty, piece.count == Self.blockSize {
        guard seal(UnsafeRawBufferPointer(rebasing: piece), &state) else { return false }
        continue
      }
      state.rest.append(contentsOf: piece)
      guard state.rest.count == Self.blockSize else { continue }
      let block = state.rest
      state.rest = Data()
      guard block.withUnsafeBytes({ seal($0, &state) }) else { return false }
    }
    return true
  }

  private func seal(_ block: UnsafeRawBufferPointer, _ state: inout State) -> Bool {
    let number = withUnsafeBytes(of: state.blocks.bigEndian) { Data(count: 4) + Data($0) }
    state.blocks += 1
    guard let nonce = try? AES.GCM.Nonce(data: number),
      let sealed = try? AES.GCM.seal(Data(), using: key, nonce: nonce, authenticating: block)
    else { return false }
    state.tags.update(data: sealed.tag)
    return true
  }
}

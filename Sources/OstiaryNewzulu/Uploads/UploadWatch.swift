internal import Crypto
internal import Foundation
internal import OstiaryCore

/// Watches whether the source of an upload stays the same while its parts are sent.
///
/// A file's device, inode, size and times are compared first. Where they differ, or say too little because the file has just
/// been changed, the parts that were sent are read again.
final class UploadWatch: Sendable {
  private let source: UploadSource
  /// What the file was when the parts that were sent were last known to be its own.
  private let known: Locked<UploadSource.Stamp?>

  init(_ source: UploadSource) {
    self.source = source
    known = Locked(source.stamp)
  }

  /// Whether the parts that were sent are still those of the source.
  /// - Parameter rereads: whether they are read again in any case.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` when the file can't be read.
  func isSame(as table: NewzuluUploadState, rereads: Bool) async throws -> Bool {
    let stamp = try source.currentStamp()
    if let stamp, stamp.size != table.fileSize { return false }
    if !rereads, stamp == known.withLock({ $0 }), stamp?.isYoung(at: Date()) != true { return true }
    for index in table.parts.indices where table.parts[index].isStored {
      try Task.checkCancellation()
      let bytes = try await source.read(at: table.offset(ofPart: index), count: table.length(ofPart: index))
      guard Data(SHA256.hash(data: bytes)) == table.parts[index].digest else { return false }
    }
    known.withLock { $0 = stamp }
    return true
  }
}

/// The digest of a part, taken from the bytes that are sent.
final class PartDigest: Sendable {
  private struct State: Sendable {
    var hash = SHA256()
    /// The offset that comes next; `nil` when a part of the bytes was skipped.
    var next: Int? = 0
  }

  private let state = Locked(State())

  /// Takes bytes that are sent. A part that is sent again begins at 0.
  func add(at offset: Int, _ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      if offset == 0 { state = State() }
      guard state.next == offset else {
        state.next = nil
        return
      }
      state.hash.update(bufferPointer: bytes)
      state.next = offset + bytes.count
    }
  }

  /// The digest of so many bytes; `nil` when they were not all taken in order.
  func value(ofBytes count: Int64) -> Data? {
    state.withLock { state in
      guard let next = state.next, Int64(next) == count else { return nil }
      return Data(state.hash.finalize())
    }
  }
}

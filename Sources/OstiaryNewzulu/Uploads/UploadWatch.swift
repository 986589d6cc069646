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
      guard PartDigest.isDigest(table.parts[index].digest, of: bytes) else { return false }
    }
    known.withLock { $0 = stamp }
    return true
  }
}

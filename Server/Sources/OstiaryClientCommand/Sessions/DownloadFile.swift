internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A file for a response's body. It gets its name when it is complete; after a failed download the earlier file is
/// unchanged.
struct DownloadFile: Sendable {
  private let path: String
  private let destination: String
  private let isReplaced: Bool
  /// The permissions: a file that is replaced keeps its own.
  private let permissions: mode_t

  /// - Throws: if it is already clear that the file can't be written; later may be too late for the request.
  init(_ url: URL) throws {
    let given = url.path(percentEncoded: false)
    let status = FileStatus(path: given)
    let kind = status?.kind ?? .regular
    guard kind != .folder else { throw OstiaryError.file(FileMessage.folder(given)) }
    // A device or a pipe is written to, not replaced.
    isReplaced = kind == .regular
    // The target of a symbolic link is replaced, not the link.
    path = isReplaced ? url.resolvingSymlinksInPath().path(percentEncoded: false) : given
    permissions = mode_t(status?.permissions ?? 0o666)
    destination = isReplaced ? "\(path).\(UUID().uuidString).part" : given
    let place = isReplaced ? URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) : given
    guard access(place, W_OK) == 0 else { throw failure(errno) }
  }

  /// Writes the body and returns its size in bytes.
  func fill(from body: ResponseBody) async throws -> Int {
    let flags = O_WRONLY | O_CLOEXEC | (isReplaced ? O_CREAT | O_EXCL : 0)
    let descriptor = open(destination, flags, permissions)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor)
    // A signal that ends the process leaves no part of a file behind.
    let signals = isReplaced ? EndingSignals { [destination] in unlink(destination) } : nil
    defer { signals?.release() }
    var size = 0
    do {
      for try await piece in body {
        try sink.write(piece)
        size += piece.count
      }
      if isReplaced, rename(destination, path) != 0 { throw failure(errno) }
    } catch {
      if isReplaced { unlink(destination) }
      throw error
    }
    return size
  }

  private func failure(_ number: Int32) -> OstiaryError {
    OstiaryError.file(FileMessage.unwritable(path, reason: String(cString: strerror(number))))
  }
}

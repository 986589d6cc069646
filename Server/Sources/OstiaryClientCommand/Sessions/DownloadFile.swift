internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A file that a response's body goes to. It appears under its name when it is whole; a broken download leaves what was
/// there before.
struct DownloadFile: Sendable {
  private let path: String
  private let destination: String
  private let isReplaced: Bool
  /// Who may read it: a file that is replaced keeps what it was allowed.
  private let permissions: mode_t

  /// - Throws: when it can be seen already that the file can't be written; later may be too late for the request.
  init(_ url: URL) throws {
    let given = url.path(percentEncoded: false)
    var status = stat()
    let exists = stat(given, &status) == 0
    let type = exists ? status.st_mode & S_IFMT : S_IFREG
    guard type != S_IFDIR else { throw OstiaryError.file("\(given) is a folder.") }
    // A device or a pipe is written to, not replaced.
    isReplaced = type == S_IFREG
    // What is replaced is the file that a symbolic link leads to, not the link.
    path = isReplaced ? url.resolvingSymlinksInPath().path(percentEncoded: false) : given
    permissions = exists ? status.st_mode & 0o777 : 0o666
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
    OstiaryError.file("\(path) can't be written: \(String(cString: strerror(number))).")
  }
}

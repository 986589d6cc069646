internal import Foundation
internal import OstiaryCore
internal import OstiaryServer

/// A file that a response's body goes to. It appears under its name when it is whole; a broken download leaves what was
/// there before.
struct DownloadFile: Sendable {
  private let url: URL
  private let destination: String
  private let isReplaced: Bool

  init(_ url: URL) throws {
    self.url = url
    let path = url.path(percentEncoded: false)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let type = attributes?[.type] as? FileAttributeType
    guard type != .typeDirectory else { throw OstiaryError.file("\(path) is a folder.") }
    // A device or a pipe is written to, not replaced.
    isReplaced = type == nil || type == .typeRegular
    destination = isReplaced ? "\(path).\(UUID().uuidString).part" : path
  }

  /// Writes the body and returns its size in bytes.
  func fill(from body: ResponseBody) async throws -> Int {
    let flags = O_WRONLY | O_CLOEXEC | (isReplaced ? O_CREAT | O_EXCL : 0)
    let descriptor = open(destination, flags, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var size = 0
    do {
      for try await piece in body {
        do {
          try handle.write(contentsOf: piece)
        } catch {
          throw failure(EIO)
        }
        size += piece.count
      }
      try? handle.close()
      if isReplaced, rename(destination, url.path(percentEncoded: false)) != 0 { throw failure(errno) }
    } catch {
      if isReplaced { unlink(destination) }
      throw error
    }
    return size
  }

  private func failure(_ number: Int32) -> OstiaryError {
    OstiaryError.file("\(url.path(percentEncoded: false)) can't be written: \(String(cString: strerror(number))).")
  }
}

package import Foundation
internal import OstiaryCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Writes a private file in parts. It has another name until it is complete and durable, so that no reader finds a part of it.
///
/// It is for one thread. A writer that is let go without ``commit()`` leaves nothing.
package final class PrivateFileWriter {
  private let path: String
  private let folder: String
  private let temporary: String
  private var descriptor: CInt
  private var buffer = Data()
  private static let bufferSize = 1 << 20

  /// Makes the file under its other name, in a folder that exists.
  /// - Throws: `storeUnavailable`, as all functions here.
  package init(url: URL) throws {
    path = url.path(percentEncoded: false)
    folder = url.deletingLastPathComponent().path(percentEncoded: false)
    temporary = "\(path).\(UUID().uuidString).new"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw OstiaryError.ownFile(path, "written", errno) }
  }

  deinit { discard() }

  /// Adds to the file.
  package func write(_ data: Data) throws {
    buffer.append(data)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Makes the file durable, and gives it its name. A file of that name is replaced.
  package func commit() throws {
    try flush()
    guard fsync(descriptor) == 0 else { throw failure(errno) }
    close()
    guard rename(temporary, path) == 0 else {
      let number = errno
      unlink(temporary)
      throw failure(number)
    }
    // The name is as durable as the content, where the file system can do that.
    let opened = open(folder, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { return }
    fsync(opened)
    closeDescriptor(opened)
  }

  /// Removes what was written. It does nothing after ``commit()``.
  package func discard() {
    guard descriptor >= 0 else { return }
    close()
    unlink(temporary)
  }

  private func close() {
    closeDescriptor(descriptor)
    descriptor = -1
  }

  private func flush() throws {
    guard descriptor >= 0 else { throw failure(EBADF) }
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failure(errno) }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure(_ number: CInt) -> OstiaryError { .ownFile(path, "written", number) }
}

// Inside the type, its own functions hide the system's.
private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func closeDescriptor(_ descriptor: CInt) { _ = close(descriptor) }

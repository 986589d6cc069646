internal import Foundation
internal import OstiaryCore

/// A small file of the command's own that nobody else may read, changed by one process at a time.
struct PrivateFile: Sendable {
  let url: URL

  /// What is in the file, up to `limit` bytes; `nil` when there is none.
  func read(limit: Int) throws -> Data? {
    let descriptor = open(url.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", errno)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var data = Data()
    do {
      while data.count <= limit, let piece = try handle.read(upToCount: 65536), !piece.isEmpty { data.append(piece) }
    } catch {
      throw failure("read", EIO)
    }
    guard data.count <= limit else {
      throw OstiaryError.file("\(url.path(percentEncoded: false)) is larger than it can be.", advice: "Move it away.")
    }
    return data
  }

  /// Replaces the file's content at once and durably: a reader sees the old or the new, whatever happens.
  func replace(with data: Data) throws {
    try makeFolder()
    let path = url.path(percentEncoded: false)
    let temporary = "\(path).\(UUID().uuidString).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written", errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: data)
      try handle.synchronize()
      try handle.close()
      guard rename(temporary, path) == 0 else { throw failure("replaced", errno) }
    } catch {
      unlink(temporary)
      throw (error as? OstiaryError) ?? failure("written", EIO)
    }
  }

  /// Adds to the end of the file in one write.
  func append(_ data: Data) throws {
    try makeFolder()
    let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written", errno) }
    defer { close(descriptor) }
    let count = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == data.count else { throw failure("written", errno) }
  }

  /// Runs `body` while no other process, and nobody else in this one, runs one for this file. The lock is the kernel's
  /// and ends with its holder.
  func withLock<Result>(_ body: () throws -> Result) throws -> Result {
    try makeFolder()
    let descriptor = open(url.path(percentEncoded: false) + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("locked", errno) }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("locked", errno) }
    }
    return try body()
  }

  private func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw OstiaryError.file("The folder \(url.deletingLastPathComponent().path) can't be made.")
    }
  }

  private func failure(_ what: String, _ number: Int32) -> OstiaryError {
    OstiaryError.file("\(url.path(percentEncoded: false)) can't be \(what): \(String(cString: strerror(number))).")
  }
}

package import Foundation
internal import OstiaryCore

/// A small file that only its owner can read or write. One process at a time changes it.
package struct PrivateFile: Sendable {
  /// The file's location.
  package let url: URL

  /// Names the file, which need not exist.
  package init(url: URL) { self.url = url }

  private var path: String { url.path(percentEncoded: false) }

  /// Makes the file if there is none, in a folder that exists, and removes the access of other users if they have any.
  /// Does not follow a symbolic link.
  /// - Throws: `fileFailed`, as all functions here.
  package func create() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("made", errno) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw failure("kept from others", errno) }
  }

  /// Whether the file exists and other users may read or write it.
  package func isOpenToOthers() throws -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return false }
      throw failure("looked at", errno)
    }
    return status.st_mode & 0o077 != 0
  }

  /// The file's content, up to `limit` bytes; `nil` if there is no file.
  package func read(limit: Int) throws -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
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
      throw OstiaryError.file("\(path) is larger than it can be.", advice: "Move it away.")
    }
    return data
  }

  /// Replaces the file's content atomically and durably: a reader sees the old or the new content, also after a crash.
  package func replace(with data: Data) throws {
    try makeFolder()
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

  /// Appends to the file in one write.
  package func append(_ data: Data) throws {
    try makeFolder()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written", errno) }
    defer { close(descriptor) }
    let count = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == data.count else { throw failure("written", errno) }
  }

  /// Runs `body` while no other process, and no other thread of this one, runs a body for this file. The lock is the
  /// kernel's and ends with its holder. A holder may be stopped for as long as it lives, so the wait for it is bounded.
  /// - Parameter patience: How long to wait for another holder.
  /// - Throws: `storeUnavailable` when that time has passed, `fileFailed`, and the errors of `body`.
  package func withLock<Result>(waiting patience: Duration = .seconds(10), _ body: () throws -> Result) throws -> Result
  {
    try makeFolder()
    let descriptor = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("locked", errno) }
    defer { close(descriptor) }
    try lock(descriptor, waiting: patience)
    return try body()
  }

  /// Takes the lock. The kernel has no bounded wait, so the lock is tried again and again, at most twenty times a second.
  private func lock(_ descriptor: Int32, waiting patience: Duration) throws {
    let end = SuspendingClock.now + patience
    var pause: UInt32 = 1_000
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("locked", errno) }
      guard SuspendingClock.now < end else {
        throw OstiaryError(
          .storeUnavailable, "\(path) is held by another process.",
          advice: "Try again, or end the process that holds \(path).lock.", requestMayHaveExecuted: false)
      }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
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
    OstiaryError.file("\(path) can't be \(what): \(String(cString: strerror(number))).")
  }
}

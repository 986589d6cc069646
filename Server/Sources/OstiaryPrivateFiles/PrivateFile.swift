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
  /// - Throws: `storeUnavailable`, as all functions here.
  package func create() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("made", errno) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw failure("kept from others", errno) }
  }

  /// Whether the file exists and other users may read or write it.
  package func isOpenToOthers() throws -> Bool {
    var number: CInt = 0
    guard let status = FileStatus(path: path, failure: &number) else {
      if number == ENOENT { return false }
      throw failure("looked at", number)
    }
    return status.permissions & 0o077 != 0
  }

  /// The file's content, up to `limit` bytes; `nil` if there is no file.
  package func read(limit: Int) throws -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", errno)
    }
    defer { close(descriptor) }
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 65_536)
    while data.count <= limit {
      let count = piece.withUnsafeMutableBytes { readBytes(descriptor, into: $0) }
      if count == 0 { break }
      if count > 0 { data.append(contentsOf: piece[..<count]) } else if errno != EINTR { throw failure("read", errno) }
    }
    guard data.count <= limit else {
      throw OstiaryError.file("\(path) is larger than it can be.", advice: "Move it away.")
    }
    return data
  }

  /// Replaces the file's content atomically and durably: a reader sees the old or the new content, also after a crash.
  package func replace(with data: Data) throws {
    try makeFolder()
    let writer = try PrivateFileWriter(url: url)
    try writer.write(data)
    try writer.commit()
  }

  /// Makes the file with this content, durably. An existing file stays as it is.
  /// - Returns: whether it was made.
  package func make(with data: Data) throws -> Bool {
    try makeFolder()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw failure("made", errno)
    }
    do {
      defer { close(descriptor) }
      try write(data, to: descriptor)
      guard fsync(descriptor) == 0 else { throw failure("written", errno) }
    } catch {
      unlink(path)
      throw error
    }
    return true
  }

  private func write(_ data: Data, to descriptor: Int32) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(descriptor, $0) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failure("written", errno) }
    }
  }

  /// Appends to the file in one write.
  package func append(_ data: Data) throws {
    try makeFolder()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written", errno) }
    defer { close(descriptor) }
    let count = data.withUnsafeBytes { writeBytes(descriptor, $0) }
    guard count == data.count else { throw failure("written", count < 0 ? errno : ENOSPC) }
  }

  /// Runs `body` while no other process, and no other thread of this one, runs a body for this file. The lock is the
  /// kernel's and ends with its holder. A holder may be stopped for as long as it lives, so the wait for it is bounded.
  /// - Parameter patience: How long to wait for another holder.
  /// - Throws: `storeUnavailable`, also when that time has passed, and the errors of `body`.
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
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    var path = folder.hasPrefix("/") ? "/" : ""
    for name in folder.split(separator: "/") {
      path += "\(name)/"
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      let number = errno
      // On a read-only file system, and where only a folder below may be written, the call fails for one that is there.
      if FileStatus(path: path) == nil { throw OstiaryError.ownFile("The folder \(folder)", "made", number) }
    }
  }

  private func failure(_ what: String, _ number: Int32) -> OstiaryError { .ownFile(path, what, number) }
}

// Inside the type, its own functions hide the system's.
private func readBytes(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

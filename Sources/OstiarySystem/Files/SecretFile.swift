#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif
internal import Dispatch
package import Foundation

/// A small file that only this user can read, read and changed as a whole.
package struct SecretFile: Sendable {
  /// The places in a change at which a process may die. Tests kill it there.
  package enum Step: String, CaseIterable, Sendable {
    /// The file is locked for changes.
    case locked
    /// The new contents are in a file of their own, on the disk.
    case written
    /// They are in the file's place.
    case placed
    /// They are there for good.
    case synced
  }

  /// Far more than any file of keys needs.
  private static let sizeLimit = 256 * 1024

  /// How long to wait for others who change the file, in tries of about two milliseconds.
  private static let lockTries = 5_000

  package let path: String
  private let refusedRights: mode_t
  private let onStep: @Sendable (Step) -> Void

  /// - Parameter refusedRights: the file is refused if it gives one of these.
  package init(_ url: URL, refusedRights: mode_t = 0o077, onStep: @escaping @Sendable (Step) -> Void = { _ in }) {
    path = url.absoluteURL.path(percentEncoded: false)
    self.refusedRights = refusedRights
    self.onStep = onStep
  }

  /// Reads the file.
  /// - Returns: `nil` when there is none.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it can't be read, or others could read it.
  package func read() throws(OstiaryError) -> Data? {
    guard let file = try open(path, O_RDONLY) else { return nil }
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw .refusedFile(path, "it is not an ordinary file") }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .refusedFile(path, "it belongs to another user")
    }
    guard status.st_mode & refusedRights == 0 else {
      throw OstiaryError(
        .storeUnavailable, "Refusing to use \(path): others may read it.",
        advice: "Take their rights away (chmod 600). If another user may have read it, change the key.")
    }
    let data = try file.read(upTo: Self.sizeLimit)
    guard data.count <= Self.sizeLimit else { throw .refusedFile(path, "it is too large") }
    return data
  }

  /// Makes or changes the file, excluding other writers. It waits for the disk, on a thread of its own.
  /// - Parameter new: given what is there, says what shall be; `nil` leaves it.
  /// - Returns: what is there afterwards.
  package func change(
    _ new: @escaping @Sendable (Data?) throws(OstiaryError) -> Data?
  ) async throws(OstiaryError) -> Data {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { () throws(OstiaryError) in try changeBlocking(new) })
      }
    }
    return try result.get()
  }

  private func changeBlocking(_ new: (Data?) throws(OstiaryError) -> Data?) throws(OstiaryError) -> Data {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent().path(percentEncoded: false)
    makeFolder(folder)
    let lock = try lock()
    defer { lock.unlock() }
    onStep(.locked)
    let old = try read()
    guard let data = try new(old) else {
      guard let old else { throw .file(ENOENT, cannot: "read", path) }
      return old
    }
    let temporary = path + ".new"
    // What a process has left that died here.
    guard unlink(temporary) == 0 || errno == ENOENT else { throw .file(errno, cannot: "remove", temporary) }
    guard let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL) else {
      throw .file(ENOENT, cannot: "create", temporary)
    }
    defer { unlink(temporary) }
    try file.write(data)
    try file.synchronize()
    onStep(.written)
    // A first file is linked, not renamed: one that another process has made in spite of the lock stays.
    guard (old == nil ? link(temporary, path) : rename(temporary, path)) == 0 else {
      throw .file(errno, cannot: "write", path)
    }
    onStep(.placed)
    try open(folder, O_RDONLY | O_DIRECTORY)?.synchronize()
    onStep(.synced)
    return data
  }

  private func lock() throws(OstiaryError) -> FileDescriptor {
    guard let lock = try open(path + ".lock", O_RDWR | O_CREAT) else { throw .file(ENOENT, cannot: "open", path) }
    for _ in 0..<Self.lockTries {
      if try lock.tryLock() { return lock }
      usleep(UInt32.random(in: 500...3_500))
    }
    throw .storeBusy
  }

  private func makeFolder(_ folder: String) {
    // Where it fails, opening a file in it says why.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func open(_ path: String, _ flags: CInt) throws(OstiaryError) -> FileDescriptor? {
    guard !path.utf8.contains(0) else { throw .refusedFile("the file", "its path contains a zero byte") }
    let number = openat(AT_FDCWD, path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      if errno == ENOENT, flags & O_CREAT == 0 { return nil }
      throw .file(errno, cannot: "open", path)
    }
    return FileDescriptor(number, path: path)
  }
}

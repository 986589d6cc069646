import Foundation
import NIOCore
internal import NIOPosix

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A part's file while it is written. A lock shows to a cleaning process that the file is in use. It ends with the
/// value or the process, whichever ends first.
///
/// Calls of the file system may wait for the disk, so they run on threads that may block.
final class PartFile: Sendable {
  let url: URL
  private let descriptor: Int32

  private init(url: URL, descriptor: Int32) {
    self.url = url
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Makes the file, for its owner only, and the folder if there is none.
  /// - Throws: `storageFull` or another storage code.
  static func create(at url: URL) async throws -> PartFile {
    try await onDisk {
      try? FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
      let file = try PartFile(opening: url, flags: O_CREAT | O_EXCL)
      guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw failure(errno) }
      return file
    }
  }

  /// Opens an existing file for writing, without a lock: it may be a device, which other processes use.
  convenience init(opening url: URL, flags: Int32 = 0) throws(ServerError) {
    let descriptor = open(url.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    self.init(url: url, descriptor: descriptor)
  }

  /// Writes all of `bytes`.
  func write(_ bytes: ByteBuffer) async throws {
    try await Self.onDisk { [self] in
      try bytes.withUnsafeReadableBytes { bytes throws in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { throw Self.failure(count < 0 ? errno : EIO) }
          rest = rest.dropFirst(count)
        }
      }
    }
  }

  /// Makes the written bytes, and the name, durable.
  func synchronize() async throws {
    try await Self.onDisk { [self] in
      guard fsync(descriptor) == 0 else { throw Self.failure(errno) }
      let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
      guard folder >= 0 else { throw Self.failure(errno) }
      defer { close(folder) }
      guard fsync(folder) == 0 else { throw Self.failure(errno) }
    }
  }

  /// Removes the file, and its folder if it is empty.
  func discard() async {
    await Self.remove(url)
  }

  /// Removes an unused file, and its folder if it is empty.
  static func remove(_ url: URL) async {
    _ = try? await onDisk {
      unlink(url.path)
      rmdir(url.deletingLastPathComponent().path)
    }
  }

  /// Removes a folder if it is empty.
  static func removeFolder(_ url: URL) async {
    _ = try? await onDisk { rmdir(url.path) }
  }

  /// Whether a process is writing to the file at `url`: it must not be removed then.
  static func isInUse(_ url: URL) -> Bool {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Bytes that can still be written in a folder, or in the nearest one above it that exists.
  static func freeSpace(at folder: URL) async throws -> Int {
    try await onDisk {
      var folder = folder
      while true {
        var space = statvfs()
        if statvfs(folder.path, &space) == 0 {
          let (bytes, overflows) = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
          return overflows ? Int.max : Int(clamping: bytes)
        }
        guard errno == ENOENT, folder.pathComponents.count > 1 else { throw failure(errno) }
        folder.deleteLastPathComponent()
      }
    }
  }

  /// Runs work that may wait for the disk, on a thread that may block.
  static func onDisk<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(work)
  }

  private static func failure(_ number: Int32) -> ServerError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG:
      ServerError(
        .storageFull, "The disk is full.", advice: "Free some space; nothing has been lost.",
        retryAfter: .seconds(60))
    case EACCES, EPERM, EROFS:
      ServerError(
        .storageDenied, "The folder for uploads can't be written to.", advice: "Check who owns it.",
        retryAfter: .seconds(60))
    default:
      ServerError(
        .storageFailed, "A file of an upload failed (\(number)).", advice: "Check the disk.",
        retryAfter: .seconds(5))
    }
  }
}

/// `write(2)`, which is hidden by the method of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

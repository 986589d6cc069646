import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin

  private func fdatasync(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_FULLFSYNC) }
#endif

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CLOEXEC, 0o600) }

/// Files by the system's calls alone.
struct RawFile: Sendable {
  let folder: String
  private var path: String { folder + "/raw.dat" }

  private func check(_ isGood: Bool) throws {
    guard isGood else { throw BenchmarkError(message: "\(path): \(String(cString: strerror(errno)))") }
  }

  /// Opens the file for writing in place.
  func openPlace() throws -> Int32 {
    let descriptor = openFile(folder + "/raw.place", O_RDWR | O_CREAT)
    try check(descriptor >= 0)
    return descriptor
  }

  /// The least that a disk takes: over what is there, without a second copy.
  func overwrite(_ data: Data, in descriptor: Int32) throws {
    try check(data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == data.count)
    try check(fdatasync(descriptor) == 0)
  }

  /// What most programs do to be safe: a new file, which takes the old one's name.
  func replace(with data: Data) throws {
    let temporary = path + ".tmp"
    let descriptor = openFile(temporary, O_WRONLY | O_CREAT | O_TRUNC)
    try check(descriptor >= 0)
    try check(data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == data.count)
    try check(fsync(descriptor) == 0)
    close(descriptor)
    try check(rename(temporary, path) == 0)
  }

  /// Makes the new name durable, too.
  func synchronizeFolder() throws {
    let descriptor = openFile(folder, O_RDONLY | O_DIRECTORY)
    try check(descriptor >= 0)
    try check(fsync(descriptor) == 0)
    close(descriptor)
  }

  func contents() throws -> Data {
    let descriptor = openFile(path, O_RDONLY)
    try check(descriptor >= 0)
    defer { close(descriptor) }
    var data = Data(count: 4096)
    let count = data.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    try check(count >= 0)
    return data.prefix(count)
  }

  /// Locks and unlocks an open file.
  func lockOnce(_ descriptor: Int32) throws {
    try check(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try check(flock(descriptor, LOCK_UN) == 0)
  }
}

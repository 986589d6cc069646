#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that only its owner can read or write.
enum PrivateFile {
  /// Makes the file if there is none, and takes others' rights away if there are any. Does not follow a symbolic link.
  static func create(at path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fchmod(descriptor, 0o600) == 0
  }
}

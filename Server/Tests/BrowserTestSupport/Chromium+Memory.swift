import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

extension Chromium {
  /// Where its files are in memory, if there is room for them and for what its processes share. A browser makes some hundred files as
  /// it starts, which takes longer on a disk than all the rest, and they are gone soon after.
  static let memory: URL? = {
    let memory = "/dev/shm"
    var system = statvfs()
    guard access(memory, W_OK) == 0, statvfs(memory, &system) == 0,
      UInt64(system.f_bavail) * UInt64(system.f_frsize) >= 4 << 30
    else { return nil }
    return URL(filePath: memory, directoryHint: .isDirectory)
  }()
}

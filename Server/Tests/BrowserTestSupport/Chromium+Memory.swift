import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

extension Chromium {
  /// Starts it, and removes its files when it has ended, however it and this process end: its last processes write on for a moment.
  static let start = """
    (while kill -0 $$; do sleep 1; done; rm -rf "$OSTIARY_BROWSER"; sleep 1; rm -rf "$OSTIARY_BROWSER") \
      </dev/null >/dev/null 2>&1 &
    exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1
    """

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

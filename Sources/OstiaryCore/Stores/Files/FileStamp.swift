internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Tells files apart without opening them.
package enum FileStamp {
  /// The system's clock of file times ticks that coarsely, in nanoseconds, with room to spare: two changes within it may
  /// look like one.
  private static let tick: Int64 = 50_000_000

  /// What stands for the present content of a file, which may be absent.
  /// - Returns: `nil` when the system can't tell.
  package static func take(_ path: String) -> StoreStamp? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT ? StoreStamp(0) : nil }
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    let time = Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let present = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
    // A file that has just been changed may change again without looking different. Its stamp equals no other.
    let isSettled = time &+ tick < present
    return StoreStamp(
      UInt64(truncatingIfNeeded: status.st_ino), UInt64(truncatingIfNeeded: time),
      UInt64(truncatingIfNeeded: status.st_size), isSettled ? 0 : UInt64(truncatingIfNeeded: present))
  }
}

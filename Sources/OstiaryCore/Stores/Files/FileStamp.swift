#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells one state of a file from another without reading it.
package struct FileStamp: Equatable, Sendable {
  /// The system's clock of file times ticks that coarsely, in nanoseconds, with room to spare: two changes within it may
  /// look like one.
  private static let tick: Int64 = 50_000_000

  private let number: UInt64
  /// In nanoseconds.
  let changed: Int64
  private let size: UInt64
  /// In nanoseconds. Where writers keep generations, the generation.
  let modified: Int64

  init(_ status: stat) {
    #if canImport(Darwin)
      let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
    #else
      let (changed, modified) = (status.st_ctim, status.st_mtim)
    #endif
    number = UInt64(truncatingIfNeeded: status.st_ino)
    self.changed = Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec)
    self.modified = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
    size = UInt64(truncatingIfNeeded: status.st_size)
  }

  /// Stands for the content of a file that looks like this, where every writer raises its generation.
  var store: StoreStamp { StoreStamp(number, UInt64(bitPattern: changed), size, UInt64(bitPattern: modified)) }

  /// Stands for the content of a file that looks like this at the time `now`, or for no file in a folder that does.
  func store(at now: Int64, isAbsence: Bool = false) -> StoreStamp {
    // A file that has just been changed may change again without looking different. Its stamp equals no other.
    let isSettled = changed &+ Self.tick < now
    return StoreStamp(
      isAbsence ? ~number : number, UInt64(bitPattern: changed), size, isSettled ? 0 : UInt64(bitPattern: now))
  }

  /// The system's time, in nanoseconds.
  package static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
  }

  /// What stands for the present content of a file, which may be absent.
  /// - Parameters:
  ///   - removals: the file whose generation is raised with every removal in the folder; `nil` where generations aren't kept.
  ///   - now: the time before, because a file that changes while it is looked at must not seem to have settled.
  /// - Returns: `nil` when the system can't tell.
  package static func take(_ path: String, removals: String? = nil, at now: Int64 = now) -> StoreStamp? {
    var status = stat()
    if lstat(path, &status) == 0 {
      return removals == nil ? FileStamp(status).store(at: now) : FileStamp(status).store
    }
    return errno == ENOENT ? absence(of: path, removals, at: now) : nil
  }

  /// Stands for no file. One that has come and gone since must not look like one that was never there: a process may
  /// have read it in between. Both changed the folder.
  private static func absence(of path: String, _ removals: String?, at now: Int64) -> StoreStamp? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    var status = stat()
    if stat(String(folder), &status) == 0 {
      let stamp = FileStamp(status)
      guard let removals, lstat(removals, &status) == 0 else { return stamp.store(at: now, isAbsence: true) }
      let removal = FileStamp(status)
      return StoreStamp(
        ~removal.number, UInt64(bitPattern: removal.modified), stamp.number, UInt64(bitPattern: stamp.changed))
    }
    // Without a folder nothing is left that could tell: such a stamp equals no other.
    return errno == ENOENT ? StoreStamp(0, 0, 0, UInt64(bitPattern: now)) : nil
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file whose stamp is taken before every request.
///
/// On Linux it is kept open for that, because finding a file by its name costs several times what examining it does.
/// Every change of the file itself, such as its removal or another name, shows in what is open, and then it is looked for
/// again. What doesn't show there, another folder of the same name, is seen within a second.
package final class StampedFile: Sendable {
  private struct Found: Sendable {
    let file: FileDescriptor
    let stamp: FileStamp
    let time: Int64
  }

  /// How long what is open is taken for the file of that name, in nanoseconds.
  private static let recheck: Int64 = 1_000_000_000

  #if os(Linux)
    /// `O_PATH`, which Swift's module of the system leaves out: merely a handle. Nothing can be read with it, no permission
    /// to read is needed, and closing it gives up no lock.
    private static let handle: CInt = 0o10_000_000
  #endif

  private let path: String
  private let removals: String?
  private let now: @Sendable () -> Int64
  private let found = Locked<Found?>(nil)

  /// - Parameter removals: the file whose generation is raised with every removal in the folder; `nil` where writers keep
  ///   no generations. Then a file that has just been changed has stamps that equal no other.
  package convenience init(_ path: String, removals: String? = nil) {
    self.init(path, removals: removals) { FileStamp.now }
  }

  /// - Parameter now: tells the system's time, in nanoseconds.
  init(_ path: String, removals: String? = nil, now: @escaping @Sendable () -> Int64) {
    self.path = path
    self.removals = removals
    self.now = now
  }

  /// What stands for the present content of the file, which may be absent.
  /// - Returns: `nil` when the system can't tell.
  package func take() -> StoreStamp? {
    let now = now()
    #if os(Linux)
      return found.withLock { found in
        var status = stat()
        if let known = found, (0..<Self.recheck).contains(now &- known.time),
          fstat(known.file.number, &status) == 0, status.st_nlink > 0, FileStamp(status) == known.stamp
        {
          return store(known.stamp, at: now)
        }
        found = nil
        let number = open(path, Self.handle | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return FileStamp.take(path, removals: removals, at: now) }
        let file = FileDescriptor(number, path: path)
        guard fstat(number, &status) == 0 else { return nil }
        guard status.st_nlink > 0 else { return FileStamp.take(path, removals: removals, at: now) }
        let stamp = FileStamp(status)
        found = Found(file: file, stamp: stamp, time: now)
        return store(stamp, at: now)
      }
    #else
      return FileStamp.take(path, removals: removals, at: now)
    #endif
  }

  #if os(Linux)
    private func store(_ stamp: FileStamp, at now: Int64) -> StoreStamp {
      removals == nil ? stamp.store(at: now) : stamp.store
    }
  #endif
}

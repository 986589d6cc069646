#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A number in a file's metadata that grows with every change: the time of its last modification, set by hand to more than
/// it was.
///
/// The system's own clock of file times ticks every few milliseconds, so two changes within a tick look alike, and the
/// number of a file that is gone is given to the next. Writers hold the lock for writing, so each sees what the last has
/// left.
extension FileDescriptor {
  /// What is tried, in nanoseconds: file systems keep times that finely, or only whole seconds, or every other.
  private static let steps: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000, 2_000_000_000]

  /// The present generation, in nanoseconds.
  func generation() throws(OstiaryError) -> Int64 { FileStamp(try status()).modified }

  /// Makes the generation greater than an earlier one.
  /// - Returns: whether that could be done.
  func raiseGeneration(beyond old: Int64) -> Bool {
    for step in Self.steps {
      let time = max(FileStamp.now, old &+ step)
      let value = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
      guard futimens(number, [value, value]) == 0, let new = try? generation() else { return false }
      if new > old { return true }
    }
    return false
  }

  /// What stands for the present content, where generations are kept.
  var stamp: StoreStamp? { (try? status()).map { FileStamp($0).store } }
}

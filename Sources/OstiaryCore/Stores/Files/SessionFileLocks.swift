import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The locks on files (`flock`) in a folder of sessions. Their files stay open between uses.
struct SessionFileLocks: Sendable {
  /// How long to wait for other writers, in tries of about two milliseconds.
  private static let writeLockTries = 5_000

  private let openLocks = OpenLocks()

  /// Waits until no other process changes a file in the folder.
  func lockForWriting(in folder: PrivateFolder) throws(OstiaryError) -> FileDescriptor {
    for _ in 0..<Self.writeLockTries {
      if let lock = try tryLock(SessionFiles.writeLock, opening: { folder }) { return lock }
      usleep(UInt32.random(in: 500...3_500))
    }
    throw .storeBusy
  }

  /// Takes a lock, if it is free.
  /// - Parameter folder: opens the folder; asked only when the lock's file is not open yet.
  func tryLock(
    _ name: String, opening folder: () throws(OstiaryError) -> PrivateFolder?
  ) throws(OstiaryError) -> FileDescriptor? {
    switch try tryOpenLock(name) {
    case .ours(let lock): return lock
    case .theirs: return nil
    case .unknown: break
    }
    guard let folder = try folder(), let (lock, _) = try folder.file(name, O_RDWR | O_CREAT), try lock.tryLock() else {
      return nil
    }
    // Another process may have removed the file meanwhile; a lock on a nameless file excludes no other process.
    guard try folder.holds(lock, as: name) else { return nil }
    try openLocks.keep(lock, as: name)
    return lock
  }

  /// Whose a lock is.
  private enum Owner {
    case ours(FileDescriptor)
    case theirs
    /// Its file has to be opened to know.
    case unknown
  }

  /// Takes a lock whose file is open already, if it is free.
  private func tryOpenLock(_ name: String) throws(OstiaryError) -> Owner {
    guard let lock = openLocks[name] else { return .unknown }
    let isOurs = try lock.file.tryLock()
    // Asked once it is locked: the file may have been removed before, and others may lock a new one.
    if lock.isStillNamed { return isOurs ? .ours(lock.file) : .theirs }
    if isOurs { lock.file.unlock() }
    openLocks.forget(name)
    return .unknown
  }
}

import Dispatch
import Foundation
import OstiaryCore
import Testing

/// Holds a file's lock as another process does: the kernel's locks belong to an open file, not to a process.
///
/// Should the code under test wait for it without a bound, it is let go in the end, so that the test fails and ends.
final class LockHolder: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private let released = Locked(false)

  /// Takes the lock of a private file; its folder has to be there.
  init(_ file: URL) throws {
    let descriptor = open(file.path(percentEncoded: false) + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let (ended, released) = (ended, released)
    Thread.detachNewThread {
      if ended.wait(timeout: .now() + 60) == .timedOut { released.withLock { $0 = true } }
      close(descriptor)
    }
  }

  deinit { ended.signal() }

  /// Whether the lock had to be let go because the code under test waited for it all the time.
  var hadToLetGo: Bool { released.withLock { $0 } }
}

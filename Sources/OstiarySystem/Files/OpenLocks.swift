#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

/// Lock files that stay open between uses, because opening one costs several times what locking it does.
///
/// A lock (`flock`) belongs to the open file, so only one task at a time may use a name here. A forked process has its
/// parent's open files and would share its locks; it opens files of its own.
///
/// - Important: A process that forks without executing anything leaves the child a share in its open files: a lock that
///   the parent holds when it is killed is then free only when the child has ended, or has used the store.
package final class OpenLocks: Sendable {
  /// How many files stay open. Beyond that, all are closed and opened again as they are needed.
  private static let limit = 64

  private struct State: Sendable {
    /// Who has opened the files.
    var process: pid_t = 0
    var files: [String: OpenLock] = [:]
  }

  private let state = Locked(State())
  private let process: @Sendable () -> pid_t

  /// - Parameter process: says which process this is.
  package init(process: @escaping @Sendable () -> pid_t = { getpid() }) {
    self.process = process
  }

  /// The open file of a name.
  package subscript(name: String) -> OpenLock? {
    let process = process()
    return state.withLock { $0.process == process ? $0.files[name] : nil }
  }

  /// Keeps a file open. A file that is locked at the moment stays open until its lock is given back.
  package func keep(_ file: FileDescriptor, as name: String) throws(OstiaryError) {
    let lock = OpenLock(file, try file.status())
    let process = process()
    state.withLock { state in
      if state.process != process || state.files.count >= Self.limit { state.files = [:] }
      state.process = process
      state.files[name] = lock
    }
  }

  /// Closes a file, once no task uses it.
  package func forget(_ name: String) {
    state.withLock { $0.files[name] = nil }
  }
}

/// A lock file that is open.
package struct OpenLock: Sendable {
  package let file: FileDescriptor
  private let device: UInt64
  private let number: UInt64

  fileprivate init(_ file: FileDescriptor, _ status: stat) {
    self.file = file
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Whether the path that the file was opened by still leads to it, links at its end not followed.
  package var isStillNamed: Bool {
    var named = stat()
    return lstat(file.path, &named) == 0 && UInt64(truncatingIfNeeded: named.st_dev) == device
      && UInt64(truncatingIfNeeded: named.st_ino) == number
  }
}

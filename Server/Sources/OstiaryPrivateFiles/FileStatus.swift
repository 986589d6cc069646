internal import Foundation

/// What the system says of a file.
///
/// The one place that reads the system's structure for it here: which module the compiler takes for that structure's own depends on the
/// modules that it has read before, so that a file that compiles in a debug build may be refused in a release build
/// (`MemberImportVisibility`).
package struct FileStatus: Sendable {
  package enum Kind: Sendable {
    case regular
    case folder
    /// A device, a pipe or a socket.
    case other
  }

  package let kind: Kind
  /// What the owner, the group and others may do, as in `chmod`.
  package let permissions: UInt16
  /// The size in bytes.
  package let size: Int64

  /// Looks at a file, or at the target of a symbolic link. Nil if it is not there, or can't be looked at.
  package init?(path: String) {
    var ignored: CInt = 0
    self.init(path: path, failure: &ignored)
  }

  /// - Parameter failure: gets the call's `errno` where there is no result.
  init?(path: String, failure: inout CInt) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      failure = errno
      return nil
    }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      default: .other
      }
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    size = Int64(status.st_size)
  }
}

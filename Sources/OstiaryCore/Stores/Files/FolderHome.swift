#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file system on which a store's folder was when it held something.
///
/// A folder is also missing, or empty, while its file system isn't mounted. That must not be taken for a sign-out.
final class FolderHome: Sendable {
  private let device = Locked<UInt64?>(nil)

  /// Remembers where the folder is.
  func note(_ device: UInt64) {
    self.device.withLock { known in if known != device { known = device } }
  }

  /// Whether a folder may be taken for the one that held something.
  func isUnknown(or device: UInt64) -> Bool {
    self.device.withLock { $0 == nil || $0 == device }
  }

  /// Whether a folder that is missing is missing on the file system that held it.
  func isStillMounted(_ path: String) -> Bool {
    guard let device = device.withLock({ $0 }) else { return true }
    var path = path[...]
    while let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
      var status = stat()
      if stat(path.isEmpty ? "/" : String(path), &status) == 0 {
        return UInt64(truncatingIfNeeded: status.st_dev) == device
      }
    }
    return true
  }
}

extension OstiaryError {
  /// The file system of the store's folder is gone.
  static func unmountedFolder(_ path: String) -> OstiaryError {
    OstiaryError(
      .storeUnavailable, "The file system that held \(path) is no longer mounted.",
      advice: "Mount it again; the sessions on it are not lost.")
  }
}

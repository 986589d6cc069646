#if os(Linux)
  package import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A file system in memory with little room, mounted as long as this object exists. Mounting takes root.
  package final class SmallDisk: Sendable {
    /// Where it is mounted.
    package let url: URL

    /// Mounts one.
    /// - Parameters:
    ///   - folder: Where. The folder is made if it does not exist.
    ///   - size: The room, as `mount` writes it: `64k`.
    /// - Returns: nil where this process can't mount anything.
    package init?(at folder: URL, size: String) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      guard geteuid() == 0, mount("tmpfs", folder.path, "tmpfs", 0, "size=\(size)") == 0 else { return nil }
      url = folder
    }

    deinit {
      umount2(url.path, Int32(MNT_DETACH))
    }

    /// Makes it read-only.
    /// - Returns: whether it is; not while a process has a file on it open for writing.
    package func makeReadOnly() -> Bool {
      mount("tmpfs", url.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }
  }
#endif

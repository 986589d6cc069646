#if os(Linux)
  import Foundation
  import Glibc

  /// A file system in memory with little room, mounted as long as this object exists. Mounting takes root.
  final class FullDisk: Sendable {
    let url: URL

    /// - Returns: nil where this process can't mount anything.
    init?(at url: URL, size: String) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      guard geteuid() == 0, mount("tmpfs", url.path, "tmpfs", 0, "size=\(size),mode=700") == 0 else { return nil }
      self.url = url
    }

    /// Leaves no room.
    func fill() {
      let file = open(url.appending(path: "ballast").path, O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      for size in [4096, 1] {
        let bytes = [UInt8](repeating: 1, count: size)
        while write(file, bytes, size) > 0 {}
      }
    }

    struct CantRemount: Error {}

    /// Refuses every change from now on.
    func makeReadOnly() throws {
      let flags = UInt(MS_REMOUNT) | UInt(MS_RDONLY)
      guard mount("tmpfs", url.path, "tmpfs", flags, "") == 0 else { throw CantRemount() }
    }

    deinit { umount2(url.path, Int32(MNT_DETACH)) }
  }
#endif

#if SQLite
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import Foundation
  import OstiaryCore

  /// Room on a disk that is held by a file without a name, until it is needed or its process dies.
  ///
  /// A database takes room as it is written, so what a server has just given could not be saved on a disk that has become
  /// full since it was asked. Given back, this room is there for it.
  final class ReservedRoom: Sendable {
    private let file: FileDescriptor
    private let size = Locked(0)

    /// Reserves room in a folder's file system.
    /// - Throws: ``OstiaryError`` `storeUnavailable` when the disk is full.
    init(in path: String, _ size: Int) throws(OstiaryError) {
      let name = ".room-\(UInt64.random(in: .min ... .max)).tmp"
      guard let folder = try PrivateFolder.open(path, creating: true),
        let (file, _) = try folder.file(name, O_RDWR | O_CREAT | O_EXCL)
      else { throw .file(ENOENT, cannot: "create", path) }
      try folder.remove(name)
      self.file = file
      try grow(to: size)
    }

    /// Reserves more. What is reserved stays so when that fails.
    func grow(to size: Int) throws(OstiaryError) {
      let code = self.size.withLock { held -> CInt in
        guard held < size else { return 0 }
        #if canImport(Darwin)
          let missing = Data(count: size - held)
          let isWritten =
            missing.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(held)) } == missing.count
          let code = isWritten ? 0 : errno == 0 ? ENOSPC : errno
        #else
          let code = posix_fallocate(file.number, off_t(held), off_t(size - held))
        #endif
        if code == 0 { held = size }
        return code
      }
      guard code == 0 else { throw .file(code, cannot: "reserve room beside", file.path) }
    }

    /// Gives the room back.
    /// - Returns: whether there was any.
    func release() -> Bool {
      let held = size.withLock { held in
        defer { held = 0 }
        return held
      }
      guard held > 0, ftruncate(file.number, 0) == 0 else { return false }
      // Some file systems let go of what was freed only when that is on the disk.
      _ = fsync(file.number)
      return true
    }
  }
#endif

#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif
package import Foundation

/// An open file. It is closed, and a lock on it released, with the last reference to it.
package final class FileDescriptor: Sendable {
  package let number: CInt
  /// For messages.
  package let path: String

  /// Takes over an open descriptor.
  package init(_ number: CInt, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    close(number)
  }

  /// What the file is.
  package func status() throws(OstiaryError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .file(errno, cannot: "examine", path) }
    return status
  }

  /// Makes sure that the file is of the right type and ours alone, taking rights away from others if they have any.
  package func makePrivate(type: mode_t, rights: mode_t) throws(OstiaryError) -> stat {
    let status = try status()
    guard status.st_mode & S_IFMT == type else {
      throw .refusedFile(path, type == S_IFDIR ? "it is not a folder" : "it is not an ordinary file")
    }
    guard status.st_uid == geteuid() else { throw .refusedFile(path, "it belongs to another user") }
    if status.st_mode & 0o077 != 0, fchmod(number, rights) != 0 {
      throw .file(errno, cannot: "make private", path)
    }
    return status
  }

  /// Reads everything, but not more than `limit` + 1 bytes.
  package func read(upTo limit: Int) throws(OstiaryError) -> Data {
    try read(size: Int(clamping: try status().st_size), upTo: limit) { Data($0) }
  }

  /// Reads everything, but not more than `limit` + 1 bytes, and lends it.
  /// - Parameter size: how much there is.
  package func read<Value>(
    size: Int, upTo limit: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(OstiaryError) -> Value {
    // One byte more than there is: the end of the file shows in the same call.
    let room = min(max(0, size), limit) + 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer { buffer.deallocate() }
    var filled = 0
    while filled < room {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      #if canImport(Darwin)
        let count = Darwin.read(number, rest.baseAddress, rest.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(number, rest.baseAddress, rest.count)
      #else
        let count = Musl.read(number, rest.baseAddress, rest.count)
      #endif
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw .file(errno, cannot: "read", path)
      }
      filled += count
    }
    return body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
  }

  /// Writes everything.
  package func write(_ data: Data) throws(OstiaryError) {
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(number, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          Glibc.write(number, bytes.baseAddress, bytes.count)
        #else
          Musl.write(number, bytes.baseAddress, bytes.count)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .file(errno, cannot: "write", path)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes everything at a place in the file.
  package func write(_ data: Data, at offset: Int64) throws(OstiaryError) {
    var rest = data
    var offset = off_t(offset)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, offset) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .file(errno, cannot: "write", path)
      }
      rest = rest.dropFirst(count)
      offset += off_t(count)
    }
  }

  /// Waits until what has been written in place is on the disk; the file's dates may come later.
  package func synchronizeData() throws(OstiaryError) {
    #if canImport(Darwin)
      try synchronize()
    #else
      while fdatasync(number) != 0 {
        guard errno == EINTR else { throw .file(errno, cannot: "write", path) }
      }
    #endif
  }

  /// Waits until the file is on the disk.
  package func synchronize() throws(OstiaryError) {
    #if canImport(Darwin)
      // fsync leaves the data in the drive's cache; where the stronger call is not supported, it has to do.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(number) != 0 {
      switch errno {
      case EINTR: continue
      // Some file systems can't synchronise a folder and don't have to.
      case EINVAL, ENOTSUP: return
      default: throw .file(errno, cannot: "write", path)
      }
    }
  }

  /// Locks the file for this descriptor (`flock`), if it is not locked for another.
  package func tryLock() throws(OstiaryError) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return false
      default: throw .file(errno, cannot: "lock", path)
      }
    }
    return true
  }

  /// Locks the file for this descriptor, blocking the thread while it is locked for another.
  package func lock() throws(OstiaryError) {
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .file(errno, cannot: "lock", path) }
    }
  }

  /// Gives the lock back. Closing the file would too, but only the last reference to it closes it.
  package func unlock() {
    _ = flock(number, LOCK_UN)
  }
}

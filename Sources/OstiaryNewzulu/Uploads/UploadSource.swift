internal import Foundation
internal import OstiaryCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#endif

/// The bytes of an upload, read a part at a time.
struct UploadSource: Sendable {
  /// What the system says of a file. Bytes that are written change it, but for two changes within one tick of the clock.
  struct Stamp: Sendable, Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// When the bytes, and when anything of the file, were last changed.
    let modified: Date
    let changed: Date

    init(_ info: stat) {
      device = UInt64(truncatingIfNeeded: info.st_dev)
      inode = UInt64(info.st_ino)
      size = Int64(info.st_size)
      #if canImport(Darwin)
        (modified, changed) = (Self.date(info.st_mtimespec), Self.date(info.st_ctimespec))
      #else
        (modified, changed) = (Self.date(info.st_mtim), Self.date(info.st_ctim))
      #endif
    }

    private static func date(_ time: timespec) -> Date {
      Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Whether the file has been changed so lately that another change may have left the same stamp.
    func isYoung(at now: Date) -> Bool { abs(now.timeIntervalSince(changed)) < 2 }
  }

  private let source: NewzuluUpload.Source
  /// How many bytes there are.
  let size: Int64
  /// What the file was at the beginning; `nil` for bytes in memory.
  let stamp: Stamp?

  /// When the file was last changed, if it is one.
  var modified: Date? { stamp?.modified }

  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` for what is no file, can't be read or is empty.
  init(_ source: NewzuluUpload.Source) throws {
    self.source = source
    switch source {
    case .data(let data):
      size = Int64(data.count)
      stamp = nil
    case .file(let url):
      let measured = try Self.measure(url)
      (size, stamp) = (measured.size, measured)
    }
    guard size > 0 else { throw OstiaryError.unusableUpload("There is nothing to upload: the file is empty.") }
  }

  /// Reads a part. A file is read on a thread of its own, because a disk may take its time.
  func read(at offset: Int64, count: Int64) async throws -> Data {
    guard let length = Int(exactly: count), length >= 0, offset >= 0, offset <= size, count <= size - offset else {
      throw Self.changed
    }
    switch source {
    case .data(let data):
      let start = data.index(data.startIndex, offsetBy: Int(offset))
      return data[start..<data.index(start, offsetBy: length)]
    case .file(let url):
      return try await BlockingWork.run { try Self.read(url, at: offset, count: length) }
    }
  }

  /// A part to be read while it is sent; `nil` where the bytes are in memory anyway.
  /// - Parameter digest: takes the bytes that are sent.
  func body(at offset: Int64, count: Int64, digest: PartDigest) throws -> BodySource? {
    guard case .file(let url) = source else { return nil }
    guard let length = Int(exactly: count), length >= 0, offset >= 0, offset <= size, count <= size - offset else {
      throw Self.changed
    }
    let file = try Self.open(url)
    return BodySource(length: length) { start, bytes in
      try Self.read(file, at: offset + Int64(start), into: bytes)
      digest.add(at: start, UnsafeRawBufferPointer(bytes))
    }
  }

  /// What the file is now; `nil` for bytes in memory.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` when there is no such file any more.
  func currentStamp() throws -> Stamp? {
    guard case .file(let url) = source else { return nil }
    return try Self.measure(url)
  }

  static var changed: OstiaryError {
    .unusableUpload("The file has changed while it was being uploaded.")
  }

  private static func measure(_ url: URL) throws -> Stamp {
    guard url.isFileURL else { throw OstiaryError.unusableUpload("What should be uploaded is not a file.") }
    let file = try open(url)
    defer { try? file.close() }
    var info = stat()
    guard fstat(file.fileDescriptor, &info) == 0 else {
      throw OstiaryError.unusableUpload("The file can't be read: \(String(cString: strerror(errno))).")
    }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw OstiaryError.unusableUpload("What should be uploaded is not a regular file.")
    }
    return Stamp(info)
  }

  private static func open(_ url: URL) throws -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: url)
    } catch {
      throw OstiaryError.unusableUpload("The file can't be read.", underlying: error)
    }
  }

  private static func read(_ url: URL, at offset: Int64, count: Int) throws -> Data {
    let file = try open(url)
    defer { try? file.close() }
    // FileHandle itself reads a block at a time, and Data would fill its room with zeros first.
    guard let bytes = malloc(max(1, count)) else {
      throw OstiaryError.unusableUpload("There is not enough memory for a part of \(count) bytes.")
    }
    do {
      try read(file, at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: count))
    } catch {
      free(bytes)
      throw error
    }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }

  private static func read(_ file: FileHandle, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) throws {
    var filled = 0
    while filled < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
      let count = pread(file.fileDescriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
      if count < 0 {
        if errno == EINTR { continue }
        throw OstiaryError.unusableUpload("The file can't be read: \(String(cString: strerror(errno))).")
      }
      guard count > 0 else { throw changed }
      filled += count
    }
  }
}

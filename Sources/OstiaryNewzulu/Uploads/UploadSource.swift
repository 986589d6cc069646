internal import Dispatch
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
  private let source: NewzuluUpload.Source
  /// How many bytes there are.
  let size: Int64
  /// When the file was last changed, if it is one.
  let modified: Date?

  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` for what is no file, can't be read or is empty.
  init(_ source: NewzuluUpload.Source) throws {
    self.source = source
    switch source {
    case .data(let data):
      size = Int64(data.count)
      modified = nil
    case .file(let url):
      (size, modified) = try Self.measure(url)
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
      return try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try Self.read(url, at: offset, count: length) })
        }
      }
    }
  }

  /// A part to be read while it is sent; `nil` where the bytes are in memory anyway.
  func body(at offset: Int64, count: Int64) throws -> BodySource? {
    guard case .file(let url) = source else { return nil }
    guard let length = Int(exactly: count), length >= 0, offset >= 0, offset <= size, count <= size - offset else {
      throw Self.changed
    }
    let file = try Self.open(url)
    return BodySource(length: length) { start, bytes in
      try Self.read(file, at: offset + Int64(start), into: bytes)
    }
  }

  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` if the file is not as it was.
  func checkUnchanged() throws {
    guard case .file(let url) = source else { return }
    guard try Self.measure(url) == (size, modified) else { throw Self.changed }
  }

  private static var changed: OstiaryError {
    .unusableUpload("The file has changed while it was being uploaded.")
  }

  private static func measure(_ url: URL) throws -> (Int64, Date?) {
    guard url.isFileURL else { throw OstiaryError.unusableUpload("What should be uploaded is not a file.") }
    do {
      let path = url.resolvingSymlinksInPath().path(percentEncoded: false)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw OstiaryError.unusableUpload("What should be uploaded is not a regular file.")
      }
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return (Int64(clamping: try file.seekToEnd()), attributes[.modificationDate] as? Date)
    } catch let error as OstiaryError {
      throw error
    } catch {
      throw OstiaryError.unusableUpload("The file can't be read.", underlying: error)
    }
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

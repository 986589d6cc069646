internal import Dispatch
internal import Foundation
internal import OstiaryCore

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

  private static func read(_ url: URL, at offset: Int64, count: Int) throws -> Data {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      try file.seek(toOffset: UInt64(offset))
      var data = Data()
      while data.count < count, let piece = try file.read(upToCount: count - data.count), !piece.isEmpty {
        if data.isEmpty { data = piece } else { data.append(piece) }
      }
      guard data.count == count else { throw changed }
      return data
    } catch let error as OstiaryError {
      throw error
    } catch {
      throw OstiaryError.unusableUpload("The file can't be read.", underlying: error)
    }
  }
}

internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A document named on the command line.
struct DocumentFile: Sendable {
  /// Its name on the command line.
  let name: String
  /// Its bytes: no more than a document may have, and one, which shows that there are too many.
  let data: Data
  /// Where it is; nil for standard input.
  let path: String?

  /// Reads a file, or standard input for `-`.
  /// - Throws: ``OstiaryError`` `fileFailed` if it can't be read.
  init(_ path: String, limit: Int, _ environment: CommandEnvironment) throws {
    guard path != "-" else {
      name = FileMessage.standardInput
      data = try environment.input.read(limit)
      self.path = nil
      return
    }
    name = path
    let file = environment.url(path: path).path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
      throw OstiaryError.file(FileMessage.missingDocument(path))
    }
    guard !isFolder.boolValue else {
      throw OstiaryError.file(FileMessage.folderWithDocument(path))
    }
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw OstiaryError.file(FileMessage.unreadableDocument(path))
    }
    defer { try? handle.close() }
    var data = Data()
    do {
      while data.count <= limit, let piece = try handle.read(upToCount: limit - data.count + 1), !piece.isEmpty {
        data.append(piece)
      }
    } catch {
      throw OstiaryError.file(FileMessage.unreadableDocument(path))
    }
    self.data = data
    self.path = file
  }
}

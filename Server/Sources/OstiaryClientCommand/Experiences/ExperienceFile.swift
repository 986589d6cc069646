internal import Foundation
internal import OstiaryCore
internal import OstiaryExperiences
internal import OstiaryPrivateFiles

/// A document named on the command line.
struct ExperienceFile: Sendable {
  /// Its name on the command line.
  let name: String
  /// Its bytes: no more than a document may have, and one, which shows that there are too many.
  let json: Data

  /// Reads a file, or standard input for `-`.
  /// - Throws: ``OstiaryError`` `invalidInput` if it can't be read.
  init(_ path: String, _ environment: CommandEnvironment) throws {
    let limit = ExperienceLimits.standard.bytes
    guard path != "-" else {
      name = FileMessage.standardInput
      json = try environment.input.read(limit)
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
    var json = Data()
    do {
      while json.count <= limit, let piece = try handle.read(upToCount: limit - json.count + 1), !piece.isEmpty {
        json.append(piece)
      }
    } catch {
      throw OstiaryError.file(FileMessage.unreadableDocument(path))
    }
    self.json = json
  }
}

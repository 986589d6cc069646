internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles

extension CommandEnvironment {
  /// The text of a file that an option names.
  /// - Throws: ``OstiaryError`` `invalidInput` for a file that can't be read.
  func text(ofFile path: String) throws -> String {
    guard let text = try? String(contentsOf: url(path: path), encoding: .utf8) else {
      throw OstiaryError.file(FileMessage.unreadable(path))
    }
    return text
  }

  /// What the lines of a file say that an option names.
  /// - Parameters:
  ///   - emptiness: What is said of the file at this path if it has nothing in it.
  ///   - read: Reads a line; its second argument says for errors which one it is. Nil for a remark.
  /// - Throws: ``OstiaryError`` `invalidInput` for a file that can't be read, or that has nothing in it.
  func lines<Value>(
    ofFile path: String?, orSay emptiness: (_ path: String) -> DoorOptionMessage,
    _ read: (_ line: Substring, _ place: String) throws -> Value?
  ) throws -> [Value] {
    guard let path else { return [] }
    let values = try text(ofFile: path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated().compactMap { number, line in try read(line, "\(path.printable), line \(number + 1)") }
    // Without one the server would make one of its own, which an operator who gives a file does not expect.
    if values.isEmpty { throw OstiaryError.usage(emptiness(path)) }
    return values
  }

  /// The document in a file that an option names.
  /// - Throws: ``OstiaryError`` `invalidInput` for a file that can't be read.
  func document(ofFile path: String) throws -> Data {
    guard let file = try? FileHandle(forReadingFrom: url(path: path)) else {
      throw OstiaryError.file(FileMessage.unreadable(path))
    }
    defer { try? file.close() }
    // One byte more than the limit: a larger file is refused and never read as a whole.
    guard let data = try? file.read(upToCount: (1 << 20) + 1) else {
      throw OstiaryError.file(DoorOptionMessage.emptyDocument(path))
    }
    return data
  }
}

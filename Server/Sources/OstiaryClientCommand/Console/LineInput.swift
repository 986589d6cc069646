internal import Foundation
internal import OstiaryCore

/// Lines of a descriptor, read one at a time: it reads nothing after a line's end.
struct LineInput: Sendable {
  /// The longest line that is read, in bytes.
  static let limit = 65536
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads a line, without its end. Blocks until there is one.
  /// - Returns: `nil` at the end of input.
  /// - Throws: ``OstiaryError`` `invalidInput` for a line that is too long, is no UTF-8, or can't be read.
  func readLine() throws -> Secret? {
    var line: [UInt8] = []
    while let byte = try readByte() {
      if byte == UInt8(ascii: "\n") { return try Self.text(line) }
      guard line.count < Self.limit else { throw OstiaryError.usage(FileMessage.lineTooLong) }
      line.append(byte)
    }
    // The last line of a file may have no end. On a terminal only a person who wants to leave ends the input.
    return line.isEmpty || isatty(descriptor) == 1 ? nil : try Self.text(line)
  }

  private func readByte() throws -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count > 0 { return byte }
      if count == 0 { return nil }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another process made it non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
      // A terminal's error after its other side has been closed.
      case EIO: return nil
      default: throw OstiaryError.usage(FileMessage.lineUnreadable)
      }
    }
  }

  private static func text(_ line: [UInt8]) throws -> Secret {
    let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
    guard let text = String(validating: line, as: UTF8.self) else { throw OstiaryError.usage(FileMessage.lineNotUTF8) }
    return Secret(text)
  }
}

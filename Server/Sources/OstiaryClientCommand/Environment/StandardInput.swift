internal import Foundation
package import OstiaryCore
internal import OstiaryPrivateFiles

/// Standard input, read as a whole.
package struct StandardInput: Sendable {
  /// Reads to the end, but no more than `limit` bytes and one: the extra byte shows that there is too much.
  let read: @Sendable (_ limit: Int) throws -> Data

  /// This process's standard input.
  static var process: StandardInput {
    StandardInput { limit in
      var data = Data()
      while data.count <= limit {
        let piece: Data?
        do {
          piece = try FileHandle.standardInput.read(upToCount: min(65536, limit - data.count + 1))
        } catch {
          throw OstiaryError.file("Standard input can't be read.", advice: "Connect it to a file or a pipe.")
        }
        guard let piece, !piece.isEmpty else { break }
        data.append(piece)
      }
      return data
    }
  }

  /// The password for `--password-stdin`: all text up to the end of input, without the line end that `echo` adds. Every
  /// other character belongs to the password, spaces and inner line ends included.
  package func password() throws -> Secret {
    let limit = 65536
    var data = try read(limit)
    guard data.count <= limit else { throw OstiaryError.usage("The password on standard input is too long.") }
    if data.last == UInt8(ascii: "\n") {
      data.removeLast()
      if data.last == UInt8(ascii: "\r") { data.removeLast() }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw OstiaryError.usage("The password on standard input is not UTF-8.")
    }
    guard !text.isEmpty else {
      throw OstiaryError.usage(
        "There is no password on standard input.", advice: "Pipe it in: printf %s \"$PASSWORD\" | ostiary …")
    }
    return Secret(text)
  }
}

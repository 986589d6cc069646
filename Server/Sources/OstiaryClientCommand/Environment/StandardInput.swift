internal import Foundation
package import OstiaryCore
internal import OstiaryPrivateFiles

/// Standard input, read as a whole.
package struct StandardInput: Sendable {
  /// The longest password that is read, in bytes.
  static let passwordLimit = 65536

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
          throw OstiaryError.file(FileMessage.inputUnreadable)
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
    try Self.password(in: try read(Self.passwordLimit), .standardInput)
  }

  /// The password in what was read, by the same rule.
  /// - Parameter place: where it was read.
  static func password(in data: Data, _ place: PasswordPlace) throws -> Secret {
    guard data.count <= passwordLimit else { throw OstiaryError.usage(PasswordMessage.tooLong(place)) }
    var data = data
    if data.last == UInt8(ascii: "\n") {
      data.removeLast()
      if data.last == UInt8(ascii: "\r") { data.removeLast() }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw OstiaryError.usage(PasswordMessage.notUTF8(place))
    }
    guard !text.isEmpty else { throw OstiaryError.usage(PasswordMessage.missing(place)) }
    return Secret(text)
  }
}

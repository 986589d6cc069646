internal import Crypto
internal import Foundation
internal import OstiaryCore

/// Writes what a form sends, in each of its three encodings (HTML standard §4.10.21.5 to 8).
struct FormWriter {
  let entries: [HTMLForm.Entry]
  let charset: TextCharset

  /// The body and its content type.
  func body(_ encoding: HTMLForm.Encoding) throws -> (Data, String) {
    switch encoding {
    case .urlEncoded: return (Data(try urlEncoded().utf8), encoding.rawValue)
    case .plainText: return (try plainText(), "\(encoding.rawValue)")
    case .multipart:
      let (body, boundary) = try multipart()
      return (body, "\(encoding.rawValue); boundary=\(boundary)")
    }
  }

  /// Names and values with everything but letters, digits and `*-._` escaped, a space as a plus.
  func urlEncoded() throws -> String {
    try entries.map { entry in
      "\(FormEncoding.encode(try bytes(entry.name)))=\(FormEncoding.encode(try bytes(entry.value)))"
    }.joined(separator: "&")
  }

  private func plainText() throws -> Data {
    var body = Data()
    for entry in entries { body += try bytes(entry.name) + Array("=".utf8) + bytes(entry.value) + Self.lineBreak }
    return body
  }

  /// RFC 7578, with names escaped as browsers do.
  private func multipart() throws -> (Data, boundary: String) {
    let parts = try entries.map { entry -> [UInt8] in
      var part = Array("Content-Disposition: form-data; name=\"".utf8) + Self.escaped(try bytes(entry.name))
      part += Array("\"".utf8)
      if entry.isFile { part += Array("; filename=\"\"\r\nContent-Type: application/octet-stream".utf8) }
      return part + Self.lineBreak + Self.lineBreak + (try bytes(entry.value)) + Self.lineBreak
    }
    // Made from the parts, so that none can hold it and the same form is the same bytes.
    var hash = SHA256()
    for part in parts { hash.update(data: part) }
    let boundary =
      "----form" + hash.finalize().prefix(16).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    var body = Data()
    for part in parts { body += Array("--\(boundary)\r\n".utf8) + part }
    body += Array("--\(boundary)--\r\n".utf8)
    return (body, boundary)
  }

  /// The bytes of a name or value, its line breaks those of the network.
  private func bytes(_ text: String) throws -> [UInt8] {
    guard let bytes = charset.encode(Self.normalised(text)) else {
      throw OstiaryError(
        .invalidInput, "The form's character set (\(charset.name)) can't carry all characters of the input.",
        advice: "Use only ASCII characters.", requestMayHaveExecuted: false)
    }
    return bytes
  }

  private static let lineBreak: [UInt8] = [0x0D, 0x0A]

  /// Every line break as CR LF.
  static func normalised(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
    var output: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case 0x0D: output += lineBreak
      case 0x0A: if previous != 0x0D { output += lineBreak }
      default: output.append(byte)
      }
      previous = byte
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func escaped(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x0A: Array("%0A".utf8)
      case 0x0D: Array("%0D".utf8)
      case UInt8(ascii: "\""): Array("%22".utf8)
      default: [byte]
      }
    }
  }
}

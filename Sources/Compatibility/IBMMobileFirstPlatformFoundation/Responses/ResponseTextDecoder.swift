internal import Foundation

/// Makes text of a body, as far as its content type allows.
struct ResponseTextDecoder {
  private let mediaType: String
  private let charset: String?

  init(contentType: String?) {
    let parts = (contentType ?? "").lowercased().split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    mediaType = parts.first ?? ""
    charset = parts.dropFirst().first { $0.hasPrefix("charset=") }
      .map { $0.dropFirst("charset=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")) }
  }

  func decode(_ body: Data) -> String? {
    if let encoding { return String(data: body, encoding: encoding) }
    // Old gateways serve their pages in ISO 8859-1 and say nothing (RFC 2616 §3.7.1, which was theirs).
    return String(data: body, encoding: .utf8) ?? (isText ? String(data: body, encoding: .isoLatin1) : nil)
  }

  private var isText: Bool {
    mediaType.hasPrefix("text/") || mediaType.hasSuffix("xml") || mediaType.hasSuffix("javascript")
  }

  /// The encoding that is named, if it is one that is known. `nil` for UTF-8, too, as some servers are wrong about that.
  private var encoding: String.Encoding? {
    switch charset {
    case "iso-8859-1", "latin1", "us-ascii", "ascii": .isoLatin1
    case "windows-1252", "cp1252": .windowsCP1252
    case "iso-8859-2": .isoLatin2
    case "utf-16": .utf16
    case "utf-16le": .utf16LittleEndian
    case "utf-16be": .utf16BigEndian
    default: nil
    }
  }
}

internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// The address of a MobileFirst server, and what addresses mean that are relative to it.
struct ServerAddress: Sendable {
  /// Where the server is.
  let origin: Origin
  /// The path of the server's interface, such as `/mfp/api/`.
  let base: String

  /// The address of a server: its protocol, host, port and context, with or without `api` behind it.
  init?(_ url: URL) {
    guard let origin = Origin(url), url.user() == nil else { return nil }
    self.origin = origin
    var path = url.path(percentEncoded: true)[...]
    while path.hasSuffix("/") { path.removeLast() }
    base = path.hasSuffix("/api") ? "\(path)/" : "\(path)/api/"
  }

  /// What a request for `text` is sent to: an absolute address, or one relative to a server's interface.
  ///
  /// A relative address is put behind the interface's path with one slash between them, whether it begins with one or not,
  /// and its dot segments lead up at most to the root.
  /// - Throws: ``OstiaryError`` `invalidRequest`.
  static func head(
    _ method: HTTPRequest.Method, for text: String, at server: ServerAddress?
  ) throws -> HTTPRequest {
    let lowercased = text.prefix(8).lowercased()
    if lowercased.hasPrefix("http://") || lowercased == "https://" {
      guard let url = URL(string: text) else {
        throw OstiaryError(.invalidRequest, "The address can't be read.", requestMayHaveExecuted: false)
      }
      return try HTTPRequest(method, to: url)
    }
    guard let server else {
      throw OstiaryError(
        .invalidRequest, "There is no server that the address could be relative to.",
        advice: "Call setServerUrl(_:) first, or put a file mfpclient.plist into the app.",
        requestMayHaveExecuted: false)
    }
    return HTTPRequest(
      method: method, scheme: server.origin.scheme, authority: server.origin.authority, path: server.target(text))
  }

  /// The path and query of an address that is relative to the server's interface.
  func target(_ relative: String) -> String {
    let text = relative.prefix { $0 != "#" }
    let path = text.prefix { $0 != "?" }
    let query = text[path.endIndex...]
    return Self.encoded(Self.withoutDots(base + path.drop { $0 == "/" })) + Self.encoded(String(query))
  }

  /// The path without `.` and `..` (RFC 3986 §5.2.4).
  private static func withoutDots(_ path: String) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var kept: [Substring] = []
    for segment in segments {
      switch segment {
      case ".": break
      case "..": _ = kept.popLast()
      default: kept.append(segment)
      }
    }
    if let last = segments.last, last == "." || last == ".." { kept.append("") }
    return "/" + kept.joined(separator: "/")
  }

  /// The text with everything escaped that HTTP can't send.
  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if (0x21...0x7E).contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
      }
    }
    return result
  }
}

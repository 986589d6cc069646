public import Foundation
public import HTTPTypes

/// A whole response, its body in memory.
public struct TransportResponse: Sendable {
  /// Status and fields; repeated fields are kept apart.
  public var head: HTTPResponse
  /// The body, no larger than the request allowed.
  public var body: Data
  /// The address that answered: the last one when redirects were followed.
  public var url: URL?

  /// Makes a response.
  public init(_ head: HTTPResponse, body: Data = Data(), url: URL? = nil) {
    self.head = head
    self.body = body
    self.url = url
  }

  /// The status code.
  public var status: HTTPResponse.Status { head.status }

  /// The body as UTF-8 text; bytes that are not UTF-8 are replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The media type in lower case without parameters (`text/html`), or `nil` when there is none.
  public var mediaType: String? { head.mediaType }
}

extension TransportResponse: Redacted {
  /// Status and size. Fields may hold cookies, the body tokens; they are not shown.
  public var description: String { "\(head.status), \(body.count) bytes" }
}

extension HTTPResponse {
  /// The media type in lower case without parameters, or `nil` when there is none (RFC 9110 §8.3).
  package var mediaType: String? {
    guard let value = headerFields[.contentType] else { return nil }
    if value.hasOnlyBytes(where: { $0 < 0x80 }) {
      return ASCII.lowercased(ASCII.trimmed(value.utf8.prefix { $0 != UInt8(ascii: ";") }))
    }
    let type = value.prefix { $0 != ";" }
    return type.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

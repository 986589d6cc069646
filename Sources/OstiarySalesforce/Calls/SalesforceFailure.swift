internal import Foundation
internal import HTTPTypes
public import OstiaryCore

/// What a Salesforce server says when it fails a request: codes in a JSON array or in XML, or a word in plain text.
public struct SalesforceFailure: Sendable, Hashable {
  /// The error codes: `INVALID_SESSION_ID`, `REQUEST_LIMIT_EXCEEDED`, `Bad_OAuth_Token`.
  public let codes: Set<String>

  /// The code for a session that is over.
  public static let invalidSessionID = "INVALID_SESSION_ID"
  /// The word for a token that is no good, of the identity and userinfo services.
  public static let badOAuthToken = "Bad_OAuth_Token"

  /// Reads a response.
  /// - Returns: `nil` when it is no failure, or says nothing that could be a code.
  public init?(_ response: TransportResponse) {
    guard response.status.code >= 400, response.body.count <= Self.maximumSize else { return nil }
    let codes = Self.codes(in: response.body)
    guard !codes.isEmpty else { return nil }
    self.codes = codes
  }

  /// How much of a body is looked at, in bytes. Real ones are some hundred.
  static let maximumSize = 64 * 1024

  /// Whether the server has accepted the session and answers by itself: with a success that is no page, or with codes for
  /// what is wrong with the call. Other answers may be a portal's.
  package static func isServersOwn(_ response: TransportResponse) -> Bool {
    switch response.status.code {
    case 200..<300, 304: response.head.headerFields[.contentType]?.lowercased().contains("html") != true
    case 401: false
    case 400..<500: SalesforceFailure(response) != nil
    default: false
    }
  }

  private static func codes(in body: Data) -> Set<String> {
    let text = String(decoding: body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    switch text.first {
    case "[", "{":
      guard let value = JSONValue(json: body) else { return [] }
      return Set((value.array ?? [value]).compactMap { ($0["errorCode"] ?? $0["error"])?.string }.filter(isCode))
    case "<":
      return Set(FlatXML.leaves(of: text).filter { $0.name == "errorCode" || $0.name == "exceptionCode" }.map(\.text))
        .filter(isCode)
    default:
      return isCode(text) ? [text] : []
    }
  }

  private static func isCode(_ text: String) -> Bool {
    (1...80).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 || $0 == UInt8(ascii: "_") }
  }
}

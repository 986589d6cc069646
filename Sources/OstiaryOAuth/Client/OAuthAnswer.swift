internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// A successful answer of one of the server's endpoints.
struct OAuthAnswer: Sendable {
  /// The members; `nil` when the body is nothing that has members.
  let members: [String: JSONValue]?
  let isEmpty: Bool
  /// When the request was sent, by this device's clock: what is promised for a time is promised from then on, or later.
  let sentAt: Date
  /// The server's clock minus this device's, in seconds.
  let clockSkew: TimeInterval
  let request: HTTPRequest
  /// Whether the answer is one that a server may give only once: it may have spent what was shown.
  let isToRenewal: Bool

  /// The members of a JSON object (RFC 6749 §5.1), or the parameters of a form, which some servers answer with. A form
  /// that goes by the name of plain text counts when it has tokens, not when it has an error: a proxy's page may quote one.
  static func members(of response: TransportResponse) -> [String: JSONValue]? {
    let known: Set =
      switch response.mediaType {
      case FormEncoding.mediaType: ["access_token", "error", "device_code"]
      case "text/plain": ["access_token", "device_code"]
      default: []
      }
    if !known.isEmpty, let members = formMembers(of: response.body, known) { return members }
    return JSONValue(json: response.body)?.object
  }

  private static func formMembers(of body: Data, _ known: Set<String>) -> [String: JSONValue]? {
    let text = String(decoding: body, as: UTF8.self)
    let pairs = FormEncoding.parse(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard pairs.contains(where: { known.contains($0.name) }) else { return nil }
    return Dictionary(pairs.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The members.
  /// - Throws: ``OstiaryError`` `unexpectedResponse`, which is no word about a session; `unreadableAnswer` for an answer to
  ///   a renewal.
  func requireMembers() throws -> [String: JSONValue] {
    guard let members else { throw unexpected("The authorization server's answer is not a JSON object.") }
    return members
  }

  func unexpected(_ message: String) -> OstiaryError {
    OstiaryError(
      isToRenewal ? .unreadableAnswer : .unexpectedResponse, message, request: request, requestMayHaveExecuted: true)
  }
}

extension JSONValue {
  /// The text of a string that is not blank.
  var word: String? { string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 } }

  /// A string, or a whole number as text: servers write identifiers both ways.
  var identifier: String? {
    if case .integer(let number) = self { return String(number) }
    return word
  }

  /// A number, or a string that is one: `3600`, `"3600"`, `3600.0`.
  var looseNumber: Double? {
    let number = double ?? string.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}

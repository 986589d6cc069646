import HTTPTypes
import OstiaryCore

/// The format of the OAuth endpoints' answers: the one of `format`, else of `Accept`, else JSON.
enum SalesforceOAuthFormat: String, Sendable {
  case json, urlencoded, xml

  init(_ request: DoorRequest, _ form: SalesforceForm) {
    if let named = form["format"].flatMap({ Self(rawValue: $0.lowercasedASCII) }) {
      self = named
      return
    }
    let types = request.headers[values: .accept].flatMap(\.listElements).lazy
      .map { $0.bytePrefix(before: ";").trimmingBlanks.lowercasedASCII }
    self = types.compactMap { Self.types[$0] }.first ?? .json
  }

  private static let types: [String: SalesforceOAuthFormat] = [
    "application/json": .json, "application/x-www-form-urlencoded": .urlencoded, "application/xml": .xml,
    "text/xml": .xml,
  ]

  /// An answer with these members, in their order if the format has one.
  func response(_ members: [(String, JSONValue)], status: HTTPResponse.Status = .ok) throws -> DoorResponse {
    switch self {
    case .json:
      return try .json(.object(Dictionary(members) { first, _ in first }), status: status).withCharset
    case .urlencoded:
      let pairs = members.map { "\($0.0)=\(Self.encode(Self.text($0.1)))" }
      return DoorResponse(
        status: status, headers: [.contentType: "application/x-www-form-urlencoded;charset=UTF-8"],
        body: Array(pairs.joined(separator: "&").utf8))
    case .xml:
      return .xml(.element("OAuth", members.map { .element($0.0, text: Self.text($0.1)) }), status: status)
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    default: ""
    }
  }

  /// A value in a query, a fragment or a form: all characters except the unreserved ones (RFC 3986 §2.3) are encoded.
  static func encode(_ text: String) -> String {
    PercentEncoding.encode(text)
  }
}

public import HTTPTypes

/// One request, read to its end, as a door sees it.
public struct DoorRequest: Sendable {
  /// The method.
  public let method: HTTPRequest.Method
  /// The path as it was sent, still percent-encoded, without the query.
  public let path: String
  /// The decoded query.
  public let query: FormFields
  /// The header fields.
  public let headers: HTTPFields
  /// The body, no longer than the server's limit.
  public let body: [UInt8]
  /// The decoded path segments that the route's pattern names.
  public internal(set) var parameters: [String: String]
  /// The client's address, for limits: the connection's other end or, where that is a trusted proxy, what it says.
  public let clientAddress: String
  /// Names this request in logs and error pages.
  public let id: String
  /// The path and the query as they were sent, for whoever sends them on.
  var target = ""
  /// The host and port that the client asked for (`Host`).
  var authority: String?
  /// Whether the connection's other end is a proxy whose word is taken on what it was asked.
  var isFromTrustedProxy = false

  /// The decoded fields of a form body, or nil when the body is none or is malformed.
  public var form: FormFields? {
    let type = headers[.contentType]?.prefix { $0 != ";" }.trimmingBlanks.lowercased()
    guard type == "application/x-www-form-urlencoded" else { return nil }
    return FormFields(encoded: body)
  }

  /// Every value that the request carries for a cookie, byte for byte, in order, without decoding.
  public func cookies(named name: String) -> [String] {
    headers[values: .cookie].flatMap { line in
      line.split(separator: ";").compactMap { pair in
        let pair = pair.trimmingBlanks
        guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
        return String(pair[pair.index(after: equals)...])
      }
    }
  }

  /// Whether a browser says that another site's page caused this request (Fetch Metadata, `Sec-Fetch-Site`).
  ///
  /// Programs other than browsers don't send the field, and are not subject to cross-site request forgery.
  public var isCrossSite: Bool {
    guard let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] else { return false }
    return site == "cross-site" || site == "same-site"
  }

  /// Whether the client would rather have JSON than a page.
  public var prefersJSON: Bool {
    let accept = headers[values: .accept].joined(separator: ",").lowercased()
    return accept.contains("json") && !accept.contains("text/html")
  }
}

extension DoorRequest: CustomStringConvertible, CustomReflectable {
  /// The method and path; never the query, header or body, since secrets travel there.
  public var description: String { "\(method.rawValue) \(path)" }
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

extension StringProtocol {
  /// The text without blanks and tabs at its ends (RFC 9110 §5.6.3).
  var trimmingBlanks: SubSequence {
    var rest = self[...]
    while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return rest
  }
}

package import HTTPTypes
package import OstiaryCore

/// One request, read to its end, as a door sees it.
package struct DoorRequest: Sendable {
  /// The method.
  package let method: HTTPRequest.Method
  /// The path as it was sent, still percent-encoded, without the query.
  package let path: String
  /// The decoded query.
  package let query: FormFields
  /// The header fields.
  package let headers: HTTPFields
  /// The body, no longer than the server's limit.
  package let body: [UInt8]
  /// The decoded path segments that the route's pattern names.
  package internal(set) var parameters: [String: String]
  /// The client's address, for limits: the connection's peer or, if that is a trusted proxy, the address that it reports.
  package let clientAddress: String
  /// Identifies this request in logs and error pages.
  package let id: String
  /// The path and the query as they were sent, for passing them on.
  var target = ""
  /// The host and port that the client asked for (`Host`).
  var authority: String?
  /// Whether the connection's peer is a proxy whose report about the original request is trusted.
  var isFromTrustedProxy = false

  /// The decoded fields of a form body; nil if the body is no form or is malformed.
  package var form: FormFields? {
    guard mediaType == "application/x-www-form-urlencoded" else { return nil }
    return FormFields(encoded: body)
  }

  /// The media type of the body, in lower case and without parameters.
  var mediaType: String? {
    headers[.contentType].map { $0.bytePrefix(before: ";").trimmingBlanks.lowercasedASCII }
  }

  /// The token of the `Authorization` field (RFC 6750, section 2.1); nil without a field of the form `Scheme token`.
  /// - Parameter schemes: The schemes that may announce it, in lower case.
  package func token(schemes: Set<String>) -> Secret? {
    guard let words = headers[.authorization]?.byteParts(at: " ").filter({ !$0.isEmpty }), words.count == 2,
      schemes.contains(words[0].lowercasedASCII)
    else { return nil }
    return Secret(String(words[1]))
  }

  /// Every value that the request carries for a cookie, byte for byte, in order, without decoding.
  package func cookies(named name: String) -> [String] {
    headers[values: .cookie].flatMap { line in
      line.byteParts(at: ";").compactMap { pair in
        guard let (found, value) = pair.trimmingBlanks.byteHalves(at: "="), found.hasSameBytes(as: name) else {
          return nil
        }
        return String(value)
      }
    }
  }

  /// Whether a browser says that a page of another site caused this request: by `Sec-Fetch-Site` (Fetch Metadata) or, as
  /// browsers without that do, by `Origin`.
  ///
  /// Programs other than browsers send neither, and are not subject to cross-site request forgery. A browser says `null`
  /// for the server's own pages, too, which name no referrer; what these send is known by what the form carries.
  /// - Parameter origins: The origins whose pages may cause it.
  package func isFromOtherSite(than origins: Set<Origin>) -> Bool {
    func told(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    let site = told("Sec-Fetch-Site")
    if site == "cross-site" || site == "same-site" { return true }
    guard let named = told("Origin"), named != "null" else { return false }
    return Origin(plain: named).map { !origins.contains($0) } ?? true
  }

  /// Whether the client prefers JSON to a page.
  package var prefersJSON: Bool {
    let ranges = headers[values: .accept].flatMap(\.listElements).map {
      $0.bytePrefix(before: ";").trimmingBlanks.lowercasedASCII
    }
    return ranges.contains { $0.hasByteSuffix("json") } && !ranges.contains("text/html")
  }
}

extension DoorRequest: CustomStringConvertible, CustomReflectable {
  /// The method and path; never the query, header or body, since they may contain secrets.
  package var description: String { "\(method.rawValue) \(path)" }
  package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

internal import HTTPTypes
internal import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  internal import FoundationNetworking
#else
  internal import Foundation
#endif

extension URLRequest {
  /// The same request in Foundation's words.
  /// - Throws: ``OstiaryError`` `invalidRequest` when it has no usable address.
  init(_ request: TransportRequest) throws {
    guard let url = URL(string: try request.head.absoluteAddress()) else {
      throw request.head.unsendable("The request's address is not a usable URL.")
    }
    self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    // The transport measures the time that the request may take; this is the time between two bytes.
    timeoutInterval = 7 * 24 * 3600
    httpShouldHandleCookies = false
    httpMethod = request.head.method.rawValue
    httpBody = request.body
    var fields: [String: String] = [:]
    var spellings: [String: String] = [:]
    for field in request.head.headerFields where !["host", "content-length"].contains(field.name.canonicalName) {
      // Foundation keeps one value for a name, in one spelling.
      let name = spellings[field.name.canonicalName, default: field.name.rawName]
      spellings[field.name.canonicalName] = name
      let separator = field.name == .cookie ? "; " : ", "
      fields[name] = fields[name].map { $0 + separator + field.value } ?? field.value
    }
    if spellings["accept-encoding"] == nil { fields["Accept-Encoding"] = "identity" }
    allHTTPHeaderFields = fields
  }
}

extension HTTPResponse {
  /// The same head in HTTPTypes' words, or `nil` when its status or a field's name is none that HTTP has.
  ///
  /// Foundation joins repeated fields with commas. That changes no meaning but that of `Set-Cookie`, whose values are
  /// taken apart again.
  init?(_ response: HTTPURLResponse) {
    guard (100...999).contains(response.statusCode) else { return nil }
    var fields = HTTPFields()
    for (name, value) in response.allHeaderFields {
      guard let text = name as? String, let name = HTTPField.Name(text), let value = value as? String else {
        return nil
      }
      let values = name == .setCookie ? SetCookieSplitter.split(value) : [value]
      for value in values { fields.append(HTTPField(name: name, value: value)) }
    }
    self.init(status: .init(code: response.statusCode), headerFields: fields)
  }
}

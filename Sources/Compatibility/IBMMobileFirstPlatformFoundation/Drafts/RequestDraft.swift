internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// A request as the app described it, before its address is known.
struct RequestDraft: Sendable {
  var method: HTTPRequest.Method
  /// Absolute, or relative to the server's interface.
  var address: String
  /// What is added to the address's query, encoded.
  var query = ""
  var fields: [FieldChoice] = []
  var body: Data?
  /// What the body is, unless a field of the app's own says otherwise.
  var contentType: String?
  var timeout: Duration

  /// A field that the app has chosen.
  struct FieldChoice: Sendable {
    var name: String
    var value: String
  }

  /// The request for a server.
  /// - Parameter global: fields that every request to the server itself carries.
  /// - Throws: ``OstiaryError`` `invalidRequest` for what HTTP can't send.
  func request(to server: ServerAddress?, global: [String: String]) throws -> TransportRequest {
    var address = address
    if !query.isEmpty {
      let fragment = address.firstIndex(of: "#") ?? address.endIndex
      address = address[..<fragment] + (address[..<fragment].contains("?") ? "&" : "?") + query
    }
    var head = try ServerAddress.head(method, for: address, at: server)
    head.headerFields[.accept] = "*/*"
    let languages = Locale.preferredLanguages.prefix(3).joined(separator: ", ")
    if !languages.isEmpty { head.headerFields[.acceptLanguage] = languages }
    try Self.set("X-Requested-With", "XMLHttpRequest", in: &head)
    if body != nil, let contentType { head.headerFields[.contentType] = contentType }
    // They may hold a token, and are meant for the server.
    if let server, Origin(head) == server.origin {
      for (name, value) in global.sorted(by: { $0.key < $1.key }) { try Self.set(name, value, in: &head) }
    }
    for field in fields { try Self.set(field.name, field.value, in: &head) }
    return TransportRequest(head, body: body, timeout: timeout)
  }

  private static func set(_ name: String, _ value: String, in head: inout HTTPRequest) throws {
    guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
      throw OstiaryError(
        .invalidRequest, "A field of the request has a name or a value that HTTP can't send.", request: head,
        requestMayHaveExecuted: false)
    }
    head.headerFields[name] = value
  }
}

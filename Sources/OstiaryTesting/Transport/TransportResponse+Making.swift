import Foundation
public import HTTPTypes
public import OstiaryCore

extension TransportResponse {
  /// A response with a status, fields and no body.
  public static func status(_ status: HTTPResponse.Status, headerFields: HTTPFields = [:]) -> TransportResponse {
    TransportResponse(HTTPResponse(status: status, headerFields: headerFields))
  }

  /// A JSON response.
  public static func json(
    _ value: [String: JSONValue], status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:]
  ) -> TransportResponse {
    var fields = headerFields
    fields[.contentType] = "application/json"
    // A JSONValue holds nothing that JSON can't say, but for numbers without a value.
    let body = (try? JSONEncoder().encode(JSONValue.object(value))) ?? Data("{}".utf8)
    return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: body)
  }

  /// An HTML page.
  public static func html(_ text: String, status: HTTPResponse.Status = .ok) -> TransportResponse {
    let fields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: Data(text.utf8))
  }
}

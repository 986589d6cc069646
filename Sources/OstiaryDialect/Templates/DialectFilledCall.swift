package import Foundation
package import HTTPTypes
package import OstiaryCore

/// A call with its values: everything of a request but the origin and the session's proof.
package struct DialectFilledCall: Sendable {
  /// The method.
  package var method: HTTPRequest.Method
  /// Path and query, escaped.
  package var target: String
  /// The fields, with the body's type and Basic credentials.
  package var fields: HTTPFields
  /// The body.
  package var body: Data?
}

extension DialectFilledCall: Redacted {
  /// The method. Path, query, fields and body hold values.
  package var description: String { method.rawValue }
}

extension DialectValues {
  /// Fills a call.
  /// - Throws: `invalidInput`, which names the value and the place, where a value is absent or can't stand there.
  package func fill(_ call: DialectCall) throws(OstiaryError) -> DialectFilledCall {
    guard let path = try fill(call.path, in: .path) else { throw DialectValueRefusal.malformed.error }
    let query = try self.query(call.query)
    var fields = try headers(call.headers)
    if let basic = call.basic, let value = try authorization(basic) { fields[.authorization] = value.reveal() }
    var body: Data?
    switch call.body {
    case .json(let json)?:
      body = try self.json(json)
      if fields[.contentType] == nil { fields[.contentType] = "application/json" }
    case .form(let form)?:
      body = try self.form(form)
      if fields[.contentType] == nil { fields[.contentType] = FormEncoding.mediaType }
    case nil: break
    }
    return DialectFilledCall(
      method: call.method, target: query.map { "\(path.reveal())?\($0.reveal())" } ?? path.reveal(), fields: fields,
      body: body)
  }
}

import HTTPTypes
import OstiaryCore

/// A failed call to the org's data, as its caller sees it: a list of one error, with the code that clients use.
struct SalesforceDataFailure: Error {
  let status: HTTPResponse.Status
  let code: String
  let message: String
  var fields: [String] = []

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, fields: [String] = []) {
    self.status = status
    self.code = code
    self.message = message
    self.fields = fields
  }

  /// The session has ended, or never existed: clients renew after this error.
  static let invalidSession = SalesforceDataFailure(
    .unauthorized, "INVALID_SESSION_ID", "Session expired or invalid")
  /// The token lacks the scope for this call.
  static let sessionOfOtherScope = SalesforceDataFailure(
    .unauthorized, "INVALID_SESSION_ID", "This session is not valid for use with the REST API")
  static let apiDisabled = SalesforceDataFailure(
    .forbidden, "API_DISABLED_FOR_ORG", "API is not enabled for this Organization or Partner")
  static let requestLimitExceeded = SalesforceDataFailure(
    .forbidden, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.")
  static let notFound = SalesforceDataFailure(.notFound, "NOT_FOUND", "The requested resource does not exist")
  static let malformedJSON = SalesforceDataFailure(.badRequest, "JSON_PARSER_ERROR", "The body is not a JSON object")
  static let storageLimitExceeded = SalesforceDataFailure(
    .badRequest, "STORAGE_LIMIT_EXCEEDED", "storage limit exceeded")
  static let unsupportedMediaType = SalesforceDataFailure(
    .unsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json")

  static let queryTimeout = SalesforceDataFailure(
    .badRequest, "QUERY_TIMEOUT", "Your query request was running for too long.")
  static let tooManyQueries = SalesforceDataFailure(
    .forbidden, "REQUEST_LIMIT_EXCEEDED", "ConcurrentRequests (Concurrent API Requests) Limit exceeded.")

  static func malformedQuery(_ reason: String) -> SalesforceDataFailure {
    SalesforceDataFailure(.badRequest, "MALFORMED_QUERY", reason)
  }

  static func methodNotAllowed(_ method: HTTPRequest.Method) -> SalesforceDataFailure {
    SalesforceDataFailure(
      .methodNotAllowed, "METHOD_NOT_ALLOWED", "HTTP Method '\(method.rawValue)' not allowed here.")
  }

  /// The list as JSON.
  var body: JSONValue {
    var error: [String: JSONValue] = ["errorCode": .string(code), "message": .string(message)]
    if !fields.isEmpty { error["fields"] = .array(fields.map(JSONValue.string)) }
    return .array([.object(error)])
  }

  /// The answer in the format that the caller asked for.
  func response(_ format: SalesforceDataFormat) throws -> DoorResponse {
    var response: DoorResponse
    switch format {
    case .json: response = try .json(body, status: status).withCharset
    case .xml:
      let members = [("errorCode", code), ("message", message)] + fields.map { ("fields", $0) }
      response = .xml(
        .element("Errors", [.element("Error", members.map { .element($0.0, text: $0.1) })]), status: status)
    }
    if status == .unauthorized { response.headers[.wwwAuthenticate] = "Token" }
    return response
  }
}

extension DoorResponse {
  /// The same answer, whose type names the character set, as the vendor's does.
  var withCharset: DoorResponse {
    var copy = self
    copy.headers[.contentType] = "application/json;charset=UTF-8"
    return copy
  }
}

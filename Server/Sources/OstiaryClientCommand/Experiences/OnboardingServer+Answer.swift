internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryExperiences

extension OnboardingServer {
  /// A server's answer to entered values: 200 `{"userId": …}`, or 422 `{"error": …, "fields": {"email": "taken"}}`.
  struct Answer: Sendable {
    /// The validation of the fields.
    var result = ValidationResult.valid
    /// The user's id, if the answer has one.
    var userID: String?
    /// The name of a recovery that continues, if there is one.
    var recovery: String?

    init(_ response: TransportResponse, to request: TransportRequest, on server: String) throws {
      switch response.status.code {
      case 200, 201, 204:
        let members = try Self.object(response, request, server)
        userID = members?["userId"].flatMap(Self.identifier)
        recovery = members?["flow"]?.string
      case 422: try refuse(try Self.object(response, request, server) ?? [:])
      default: throw Self.failure(response, request, server)
      }
    }

    private mutating func refuse(_ members: [String: JSONValue]) throws {
      for (key, message) in members["fields"]?.object ?? [:] { result.invalidate(field: key, message: message.string) }
      if let message = members["error"]?.string, !message.isEmpty { result.invalidate(message: message) }
      // It was refused, with or without a reason.
      if result.isValid { result.invalidate(message: "The server did not accept this.") }
    }

    private static func identifier(_ value: JSONValue) -> String? {
      switch value {
      case .string(let text): text.isEmpty ? nil : text
      case .integer(let number): String(number)
      default: nil
      }
    }

    private static func object(
      _ response: TransportResponse, _ request: TransportRequest, _ server: String
    ) throws -> [String: JSONValue]? {
      guard !response.body.isEmpty else { return nil }
      guard let members = JSONValue(json: response.body)?.object else {
        throw OstiaryError(
          .unexpectedResponse, "\(server) answered something that is no JSON object.",
          advice: "Check the server's address.", request: request.head)
      }
      return members
    }

    /// A failure that is about no field. The server's text for it, `{"error": …}`, was written for users.
    private static func failure(
      _ response: TransportResponse, _ request: TransportRequest, _ server: String
    ) -> OstiaryError {
      let code = response.status.code
      let said = JSONValue(json: response.body)?["error"]?.string
      switch code {
      case 401, 403:
        return OstiaryError(
          .invalidCredentials, said ?? "\(server) takes nothing from this app (\(code)).",
          advice: said == nil ? "Check --token." : "", request: request.head)
      case 404, 405:
        return OstiaryError(
          .unexpectedResponse, "\(server) takes nothing at \(request.head.path ?? "/") (\(code)).",
          advice: "Check the server's address.", disposition: .misuse, request: request.head)
      case 408, 429, 500...599:
        let wait = response.head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: Date()) }
        return OstiaryError(
          .serverUnavailable, said ?? "\(server) can't answer now (\(code)).",
          advice: said != nil ? "" : wait.map { "Try again in \(Timestamp.words($0))." } ?? "Try again later.",
          disposition: .transient(retryAfter: wait), request: request.head)
      default:
        return OstiaryError(
          .unexpectedResponse, said ?? "\(server) answered \(code), which says nothing about what was entered.",
          advice: said == nil ? "Check the server's address." : "", request: request.head)
      }
    }
  }
}

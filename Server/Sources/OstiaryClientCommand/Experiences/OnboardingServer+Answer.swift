internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryExperiences

extension OnboardingServer {
  /// A server's answer to entered values: 200 `{"userId": …}`, or 422 `{"error": …, "fields": {"email": "taken"}}`, perhaps
  /// with stable codes: `{"code": …, "codes": {"email": "email.taken"}, "limit": …, "limits": {"password": 15}}`. Codes are
  /// worded in the user's language.
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
      let (codes, limits) = (members["codes"]?.object ?? [:], members["limits"]?.object ?? [:])
      for (key, message) in members["fields"]?.object ?? [:] {
        result.invalidate(
          field: key, message: message.string, code: codes[key]?.string, limit: Self.limit(limits[key]))
      }
      if let message = members["error"]?.string, !message.isEmpty {
        result.invalidate(message: message, code: members["code"]?.string, limit: Self.limit(members["limit"]))
      }
      // It was refused, with or without a reason.
      if result.isValid { result.invalidate(message: ExperienceMessage.refusedWithoutReason.line.plain) }
    }

    private static func limit(_ value: JSONValue?) -> Int? { value?.double.flatMap { Int(exactly: $0) } }

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
          .unexpectedResponse, ExperienceMessage.noObject(server: server), request: request.head)
      }
      return members
    }

    /// A failure that is about no field. The server's text for it, `{"error": …}`, was written for users.
    private static func failure(
      _ response: TransportResponse, _ request: TransportRequest, _ server: String
    ) -> OstiaryError {
      let code = response.status.code
      let said = JSONValue(json: response.body)?["error"]?.string.map { ExperienceMessage.said($0) }
      func error(
        _ code: OstiaryError.Code, _ message: ExperienceMessage, _ disposition: OstiaryError.Disposition? = nil
      ) -> OstiaryError {
        OstiaryError(code, message, disposition: disposition, request: request.head)
      }
      switch code {
      case 401, 403: return error(.invalidCredentials, said ?? .appRefused(server: server, status: code))
      case 404, 405:
        let path = request.head.path ?? "/"
        return error(.unexpectedResponse, .nothingThere(server: server, path: path, status: code), .misuse)
      case 408, 429, 500...599:
        let wait = response.head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: Date()) }
        let message = said ?? .unavailable(server: server, status: code, wait: wait.map(Timestamp.words))
        return error(.serverUnavailable, message, .transient(retryAfter: wait))
      default: return error(.unexpectedResponse, said ?? .unclear(server: server, status: code))
      }
    }
  }
}

import HTTPTypes
import OstiaryCore

extension DoorResponse {
  /// A generic error: what happened in words, the request's id, and nothing about the inside.
  static func failure(_ status: HTTPResponse.Status, _ message: String, for request: DoorRequest) -> DoorResponse {
    guard !request.prefersJSON else {
      let error: JSONValue = .object([
        "status": .integer(Int64(status.code)), "message": .string(message), "requestId": .string(request.id),
      ])
      return (try? .json(.object(["error": error]), status: status)) ?? DoorResponse(status: status)
    }
    return .page(.error(title: status.reasonPhrase, message: message, requestID: request.id), status: status)
  }

  /// The store can't be used right now, so nothing can be decided. Never to be mistaken for a sign-out.
  static func unavailable(for request: DoorRequest) -> DoorResponse {
    failure(.serviceUnavailable, "The service is not available right now. Please try again shortly.", for: request)
      .retrying(after: .seconds(5))
  }
}

import HTTPTypes
import OstiaryCore

extension DoorResponse {
  /// A page. Its policy allows the house style and forms that go back to this server, nothing else.
  static func page(_ page: Page, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Page.contentSecurityPolicy],
      body: Array(page.html.source.utf8))
  }
}

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

extension Page {
  /// Something went wrong. Says what, and by which id to find it in the log.
  static func error(title: String, message: String, requestID: String) -> Page {
    Page(
      title: title,
      content: """
        <p>\(message)</p>
        <p class="quiet">Request \(requestID)</p>
        """)
  }
}

import HTTPTypes
import OstiaryCore

extension DoorResponse {
  /// A page. Its content security policy allows the server's style and forms that go back to this server, nothing else.
  static func page(_ page: Page, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Page.contentSecurityPolicy],
      body: Array(page.html.source.utf8))
  }
}

extension DoorResponse {
  /// A generic error: a message for people, the request's id, and no internal details.
  static func failure(_ status: HTTPResponse.Status, _ message: String, for request: DoorRequest) -> DoorResponse {
    guard !request.prefersJSON else {
      let error: JSONValue = .object([
        "status": .integer(Int64(status.code)), "message": .string(message), "requestId": .string(request.id),
      ])
      return (try? .json(.object(["error": error]), status: status)) ?? DoorResponse(status: status)
    }
    return .page(.error(title: status.reasonPhrase, message: message, requestID: request.id), status: status)
  }

  /// The answer if the store can't be used: nothing can be decided. A client must not take it for a sign-out.
  static func unavailable(for request: DoorRequest) -> DoorResponse {
    failure(.serviceUnavailable, "The service is not available right now. Please try again shortly.", for: request)
      .retrying(after: .seconds(5))
  }
}

extension Page {
  /// An error page. It shows the message and the id by which the log has the request.
  static func error(title: String, message: String, requestID: String) -> Page {
    Page(
      title: title,
      content: """
        <p>\(message)</p>
        <p class="quiet">Request \(requestID)</p>
        """)
  }
}

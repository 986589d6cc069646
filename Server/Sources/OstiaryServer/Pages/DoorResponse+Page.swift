import HTTPTypes
import OstiaryCore

extension DoorResponse {
  /// A page. Its content security policy allows the server's style and forms that go back to this server, nothing else.
  static func page(_ page: Page, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .contentLanguage: page.language,
        .contentSecurityPolicy: Page.contentSecurityPolicy,
      ],
      body: Array(page.html.source.utf8))
  }
}

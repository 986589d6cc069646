import HTTPTypes

extension DoorResponse {
  /// A page. Its policy allows the house style and forms that go back to this server, nothing else.
  static func page(_ page: Page, status: HTTPResponse.Status = .ok) -> DoorResponse {
    DoorResponse(
      status: status,
      headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Page.contentSecurityPolicy],
      body: Array(page.html.source.utf8))
  }
}

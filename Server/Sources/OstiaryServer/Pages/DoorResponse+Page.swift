import HTTPTypes
import OstiaryCore
internal import OstiaryExperiences

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

extension DoorResponse {
  private static let experienceStyle = Page.hash(ofStyle: ExperiencePage.styleSheet)

  /// A page that the SDK draws of a document's screen, with the style of such pages and no other.
  /// - Parameter origins: Where the form's answer may lead, besides this server.
  static func page(
    _ page: ExperiencePage, status: HTTPResponse.Status, language: String, leadingTo origins: [String]
  ) -> DoorResponse {
    DoorResponse(
      status: status,
      headers: [
        .contentType: "text/html; charset=utf-8", .contentLanguage: language,
        .contentSecurityPolicy: Page.policy(style: experienceStyle, leadingTo: origins),
      ],
      body: Array(page.html.utf8))
  }
}

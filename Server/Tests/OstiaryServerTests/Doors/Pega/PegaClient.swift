import Foundation
import OstiaryCore

/// What a Pega client sends, written by hand and not with the SDK, so that both can be wrong only separately.
extension Client {
  static let servlet = "/prweb/PRServlet"
  static let loginActivity = servlet + "?pyActivity=pzMobileAppConfiguration"

  /// Signs in, or asks who is signed in where there is no credential.
  @discardableResult
  func login(_ name: String, _ password: String) async throws -> Answer {
    try await get(Self.loginActivity, headers: Self.basic(name, password))
  }

  @discardableResult
  func loginByQuery(_ name: String, _ password: String) async throws -> Answer {
    try await get(Self.loginActivity + Self.queryCredential(name, password))
  }

  static func queryCredential(_ name: String, _ password: String) -> String {
    "&pzAuth=guest&UserIdentifier=\(encode(name))&Password=\(encode(Data(password.utf8).base64EncodedString()))"
  }

  /// Goes to the login page and submits its form.
  @discardableResult
  func loginByForm(_ name: String, _ password: String) async throws -> Answer {
    let first = try await get(Self.servlet)
    let page = try await get(first.header("Location") ?? "/missing-location")
    return try await submit(page, name, password)
  }

  /// Fills in the form of a page and sends it.
  @discardableResult
  func submit(_ page: Answer, _ name: String, _ password: String) async throws -> Answer {
    let action = page.body.firstMatch(of: /<form id="credentialsForm" method="post" action="([^"]+)">/)?.1
    return try await post(
      action.map(String.init) ?? "/missing-form",
      form: [
        ("pzAuth", "guest"), ("UserIdentifier", name), ("Password", password),
        ("pyActivity=Code-Security.Login", ""), ("lockScreenID", ""), ("lockScreenPassword", ""),
        ("newPassword", ""), ("confirmNewPassword", ""),
      ])
  }

  /// Who the cookies say is signed in.
  func whoAmI() async throws -> String? {
    try await get(Self.loginActivity).json["operator"]?.string
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// A server with one experience and one account, as the command's user meets it.
final class OnboardingStub: Sendable {
  static let token = "app-token-71"
  static let password = "a long enough password"

  /// One log-in and one sign-up, each of one screen.
  static let document = """
    {"format": 1, "id": "small", "version": 1, "type": "login",
      "texts": {"en": {"send": "Send a code"}, "de": {"send": "Code schicken"}, "fr": {"send": "Envoyer un code"}}, "flows": [
      {"id": "log-in", "kind": "login", "screens": [{"id": "credentials", "title": "Log in",
        "fields": [
          {"key": "email", "kind": "email", "label": "E-mail", "required": true, "error": "Check the address."},
          {"key": "password", "kind": "password", "label": "Password", "required": true}],
        "actions": [{"id": "log-in", "kind": "submit", "label": "Log in"}, {"id": "close", "kind": "skip"},
          {"id": "terms", "kind": "openURL", "url": "https://example.com/terms", "style": "link", "label": "Terms"},
          {"id": "facebook", "kind": "provider", "provider": "facebook", "style": "link"}]}]},
      {"id": "sign-up", "kind": "signUp", "screens": [{"id": "account", "title": "Welcome, {{name|friend}}",
        "fields": [
          {"key": "email", "kind": "email", "label": "E-mail", "required": true},
          {"key": "password", "kind": "newPassword", "label": "Password", "required": true},
          {"key": "age", "kind": "number", "label": "Age"},
          {"key": "news", "kind": "toggle", "label": "News"}],
        "actions": [{"id": "create", "kind": "submit"}]}]},
      {"id": "recover", "kind": "recoverPassword", "screens": [{"id": "address",
        "fields": [{"key": "email", "kind": "email", "label": "E-mail", "required": true}],
        "actions": [{"id": "send", "kind": "submit", "label": {"key": "send"}}]}]}]}
    """

  let server: LoopbackServer

  /// - Parameter answer: what is answered instead, by path; `nil` for the usual.
  init(_ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Action? = { _ in nil }) throws {
    server = try LoopbackServer { request in [answer(request) ?? Self.usual(request)] }
  }

  /// Where its paths begin.
  var address: String { server.url("/onboarding").absoluteString }

  private static func usual(_ request: LoopbackServer.Request) -> LoopbackServer.Action {
    let body = JSONValue(json: request.body)
    let token = HTTPField.Name("X-Primer-Token").flatMap { request.fields[$0] }
    switch request.path {
    case "/onboarding/v1/experience":
      return token == Self.token ? .response(200, body: document) : .response(401)
    case "/onboarding/validate", "/onboarding/recover": return .response(200, body: "{}")
    case "/onboarding/login":
      return body?["password"]?.string == password
        ? .response(200, body: #"{"userId": "u-1"}"#)
        : .response(422, body: #"{"error": "That did not work.", "fields": {}}"#)
    case "/onboarding/signup":
      return body?["email"]?.string == "taken@example.com"
        ? .response(422, body: #"{"fields": {"email": "This address is taken."}}"#)
        : .response(200, body: #"{"userId": 7}"#)
    default: return .response(404)
    }
  }
}

import Foundation
import OstiaryCore
import OstiaryExperiences

/// Experiences for these tests.
enum Onboarding {
  /// A log-in on one screen, a sign-up on two, a recovery, and a custom flow.
  static let document = Data(
    """
    {"format": 1, "version": 1, "id": "welcome", "type": "newUser", "variations": [{"name": "cta", "variation": "B"}], "flows": [
      {"id": "sign-up", "kind": "signUp", "screens": [
        {"id": "account", "title": "Hello {{first_name}}", "fields": [
          {"key": "email", "kind": "email", "required": true, "unique": true, "error": "Please check your email"},
          {"key": "password", "kind": "newPassword", "required": true}],
         "actions": [{"id": "next", "kind": "next"}, {"id": "skip", "kind": "skip"},
           {"id": "facebook", "kind": "provider", "provider": "facebook"},
           {"id": "log-in", "kind": "goToFlow", "flow": "log-in"}]},
        {"id": "profile", "fields": [
          {"key": "age", "kind": "number"}, {"key": "news", "kind": "toggle"}, {"key": "city", "kind": "text"}],
         "triggers": [{"name": "terms", "onSuccess": {"kind": "next"}, "onFailure": {"kind": "back"}}],
         "actions": [{"id": "done", "kind": "submit"}, {"id": "share", "kind": "submitFields", "fields": ["city"],
             "onSuccess": {"kind": "openURL", "url": "https://terms.example/"}}]}]},
      {"id": "log-in", "kind": "login", "screens": [
        {"id": "credentials", "fields": [
          {"key": "email", "kind": "email", "required": true}, {"key": "password", "kind": "password", "required": true}],
         "actions": [{"id": "go", "kind": "submit"}]}]},
      {"id": "recover", "kind": "recoverPassword", "screens": [
        {"id": "address", "fields": [{"key": "email", "kind": "email", "required": true}],
         "actions": [{"id": "send", "kind": "submit"}]}]},
      {"id": "tour", "kind": "custom", "screens": [{"id": "look", "actions": [{"id": "end", "kind": "next"}]}]}]}
    """.utf8)
}

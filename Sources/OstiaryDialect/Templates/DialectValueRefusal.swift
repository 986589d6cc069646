internal import OstiaryCore

/// Why a value is not put into a place. It names values, and never says what they are.
enum DialectValueRefusal {
  /// The template itself can't be sent.
  case malformed
  case absent(String, TemplatePlace)
  case password(String, TemplatePlace)
  case typed(String, TemplatePlace)
  case notTyped(String, DialectTemplate.Value.Kind)
  case segment([String])
  case characters([String], TemplatePlace)
  case fieldName
  case basic([String])

  var error: OstiaryError {
    switch self {
    case .malformed:
      refusal("A template of the dialect can't be sent.", "Check the dialect: check() names the place.")
    case .absent(let name, let place):
      refusal(
        "There is no value \(name) for \(place.name).",
        "Give it as a setting, or check what the dialect reads before the call.")
    case .password(let name, let place):
      refusal(
        "The value \(name) is not put into \(place.name).",
        "Passwords and codes belong into a body or Basic credentials of a sign-in.")
    case .typed(let name, let place):
      refusal(
        "The value \(name) can't be a number or a flag in \(place.name).",
        "Only a whole text of a JSON body can be {\(name):number} or {\(name):boolean}.")
    case .notTyped(let name, let kind):
      refusal("The value \(name) is no \(kind == .number ? "number" : "true or false").", "Check the setting.")
    case .segment(let names):
      refusal(
        "The values \(Self.list(names)) make a segment of a path that is empty or made of dots.",
        "Check the values: such a path leads elsewhere.")
    case .characters(let names, let place):
      refusal(
        "The values \(Self.list(names)) have characters that \(place.name) can't carry, or nothing at all.",
        "Check the values for line breaks and for characters outside ASCII.")
    case .fieldName:
      refusal("A field's name in the dialect can't be sent.", "Check the dialect: check() names the place.")
    case .basic(let names):
      refusal(
        "The values \(Self.list(names)) can't be sent as Basic credentials.",
        "A user name with a colon and control characters can't be sent so.")
    }
  }

  private func refusal(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(.invalidInput, message, advice: advice, requestMayHaveExecuted: false)
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "of the dialect" : names.joined(separator: ", ")
  }
}

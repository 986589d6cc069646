/// How the arguments of a call travel.
public enum NewzuluEncoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// As a JSON object.
  case json
  /// As a form, with nested arguments in brackets: `filters[channel]=3`.
  case form
}

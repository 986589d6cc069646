internal import OstiaryCore

extension OAuthClient {
  /// A scope and parameters as the server's vendor wants them. What the app has said itself stays.
  func adapted(_ scope: String?, _ parameters: OAuthParameters) -> (scope: String?, parameters: OAuthParameters) {
    guard let preset, let scope else { return (scope, parameters) }
    var parameters = parameters
    var words = scope.split(separator: " ").map(String.init)
    var more: [String: String] = [:]
    if let offline = preset.offlineParameters, words.contains("offline_access") {
      words.removeAll { $0 == "offline_access" }
      more.merge(offline) { $1 }
    }
    for rule in preset.scopeParameters where !rule.scopes.isDisjoint(with: words) {
      more.merge(rule.parameters) { $1 }
    }
    for (name, value) in more.sorted(by: { $0.key < $1.key }) where parameters[name] == nil {
      parameters.add(name, value)
    }
    return (words.isEmpty ? nil : words.joined(separator: " "), parameters)
  }

  /// Takes over what the vendor's servers say otherwise.
  mutating func take(_ preset: ServerPreset?) {
    self.preset = preset
    terminalRefusals.passingSuberrors.formUnion(preset?.passingSuberrors ?? [])
  }
}

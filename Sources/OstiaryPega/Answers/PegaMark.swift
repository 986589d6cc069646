internal import HTTPTypes
internal import OstiaryCore

/// What shows that a refusal is the Pega server's own. One without it may be a proxy's or a portal's.
enum PegaMark {
  /// Whether the fields have it: the realm of the server's challenge, or a cookie of its session.
  static func isIn(_ head: HTTPResponse, _ configuration: PegaConfiguration) -> Bool {
    let mark = configuration.realmMark.lowercased()
    if head.authenticationChallenges.contains(where: { $0.realm?.lowercased().contains(mark) == true }) { return true }
    return head.headerFields[values: .setCookie].contains { field in
      configuration.sessionCookieNames.contains { field.hasPrefix($0 + "=") }
    }
  }

  /// Whether the fields or the body have it; in a body it is the server's error list or its login form.
  static func isIn(_ response: TransportResponse, _ configuration: PegaConfiguration) -> Bool {
    if isIn(response.head, configuration) { return true }
    if response.mediaType == "text/html" {
      return PegaPage(response, configuration: configuration).loginForm != nil
    }
    return errorIDs(response, configuration.keys)?.isEmpty == false
  }

  /// The names in the server's error list, `{"errors":[{"ID":"…"}]}`; `nil` when there is no list.
  static func errorIDs(_ response: TransportResponse, _ keys: PegaConfiguration.ResponseKeys) -> [String]? {
    JSONValue(json: response.body)?[keys.errors]?.array?.compactMap { $0[keys.errorID]?.string }
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

public import HTTPTypes

/// One challenge of a `WWW-Authenticate` field: how the server would like to be convinced (RFC 9110 §11.3).
public struct AuthenticationChallenge: Sendable, Hashable {
  /// The scheme in lower case: `basic`, `bearer`.
  public let scheme: String
  /// The parameters; their names are in lower case.
  public let parameters: [String: String]
  /// What some schemes send in place of parameters.
  public let token68: String?

  /// Makes a challenge.
  package init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// The realm: which part of the server asks.
  public var realm: String? { parameters["realm"] }

  /// Reads the challenges of one field. The comma separates parameters as well as challenges, so whether a word begins
  /// the next challenge is known by what follows it.
  /// - Returns: `nil` for a field that is malformed, says a parameter twice, or is longer than 16 KiB: nothing in such
  ///   a field can be trusted.
  package static func parse(_ field: String) -> [AuthenticationChallenge]? {
    guard field.utf8.count <= maximumLength else { return nil }
    var parser = ChallengeParser(field)
    return parser.parse()
  }

  /// Reads the challenges of one field that may have malformed ones among them: some servers write an address where
  /// parameters belong, and some proxies join that with the next field.
  /// - Returns: those that are well-formed beyond doubt; none of a field that is longer than 16 KiB.
  package static func salvage(_ field: String) -> [AuthenticationChallenge] {
    guard field.utf8.count <= maximumLength else { return [] }
    var parser = ChallengeParser(field)
    return parser.salvage()
  }

  private static let maximumLength = 16_384
}

extension HTTPResponse {
  /// The well-formed challenges of all `WWW-Authenticate` fields, malformed ones among them left out. A field of more than
  /// 16 KiB has none.
  public var authenticationChallenges: [AuthenticationChallenge] {
    headerFields[values: .wwwAuthenticate].flatMap(AuthenticationChallenge.salvage)
  }
}

/// What a session shows the server: cookies, tokens, or both.
public struct Proof: Sendable, Codable, Equatable {
  /// The session's own cookies.
  public var cookies: CookieJar
  /// Tokens by name; an authenticator documents its names.
  public var tokens: [String: Secret]

  /// Makes a proof.
  public init(cookies: CookieJar = CookieJar(), tokens: [String: Secret] = [:]) {
    self.cookies = cookies
    self.tokens = tokens
  }
}

extension Proof: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "Proof(\(cookies.count) cookies, \(tokens.count) tokens)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["cookies": cookies.count, "tokens": tokens.count], displayStyle: .struct)
  }
}

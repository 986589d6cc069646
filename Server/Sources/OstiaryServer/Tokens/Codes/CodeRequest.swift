/// What to issue an authorization code for.
public struct CodeRequest: Sendable {
  /// What redeeming the code will grant.
  public var grant: GrantRequest
  /// Where the browser is sent with the code, as the client wrote it; nil where it wrote none. Redeeming must name the
  /// same, or none where there was none.
  public var redirectURI: String?
  /// The client's PKCE challenge.
  public var challenge: CodeChallenge?
  /// What the code's text begins with.
  public var prefix: String

  /// Describes a code.
  public init(
    grant: GrantRequest, redirectURI: String?, challenge: CodeChallenge?, prefix: String = "ost_ac_"
  ) {
    self.grant = grant
    self.redirectURI = redirectURI
    self.challenge = challenge
    self.prefix = prefix
  }
}

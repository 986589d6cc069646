/// What the servers of one vendor do otherwise than the specifications, as data. It is chosen by the issuer; a server without one works by
/// the specifications alone.
public struct ServerPreset: Sendable {
  /// One difference, in a sentence, and where the vendor tells of it.
  public struct Difference: Sendable, Hashable {
    /// What the servers do.
    public let text: String
    /// The vendor's page.
    public let source: String

    init(_ text: String, _ source: String) {
      self.text = text
      self.source = source
    }
  }

  /// The vendor's name for people.
  public let name: String
  /// What is different.
  public let differences: [Difference]
  /// Which issuers are the vendor's.
  let issuers: IssuerPattern
  /// How a refresh token is asked for where `offline_access` is not understood: parameters of the page in place of that scope.
  var offlineParameters: [String: String]?
  /// Parameters of the page that some scopes need.
  var scopeParameters: [(scopes: Set<String>, parameters: [String: String])] = []
  /// Other texts by which ID tokens mean the issuer (`iss`).
  var otherIssuerNames: Set<String> = []
  /// What the metadata of these issuers name in place of the one that was asked.
  var issuersInDocuments: [IssuerAlias] = []
  /// With which further word a refusal is not the server's last word on a session (`suberror`).
  var passingSuberrors: Set<String> = []
  /// Whether an API demands claims of a token that only a new sign-in gives (`insufficient_claims`).
  var demandsClaims = false
  /// How the page that ends a sign-in takes the address to go back to, and whether it says the state there.
  var logoutReturn: (name: String, hasState: Bool)?

  init(_ name: String, for issuers: IssuerPattern, _ differences: [Difference]) {
    self.name = name
    self.issuers = issuers
    self.differences = differences
  }

  /// All presets.
  public static let all: [ServerPreset] = [google, entra, apple, okta, auth0, keycloak, cognito]

  /// The preset for an issuer; `nil` for a server of another vendor.
  public static func of(_ issuer: String) -> ServerPreset? { all.first { $0.issuers.matches(issuer) } }
}

extension ServerPreset: CustomStringConvertible {
  /// The vendor.
  public var description: String { name }
}

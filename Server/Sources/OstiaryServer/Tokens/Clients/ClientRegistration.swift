public import OstiaryCore

/// A client to be registered.
public struct ClientRegistration: Sendable {
  /// The `client_id`: 1 to 256 printable ASCII characters without spaces; nil for a random one.
  public var id: String?
  /// The name to show.
  public var name: String
  /// Where browsers may be sent back to.
  public var redirectURIs: [String]
  /// The scopes it may ask for.
  public var scopes: [String]
  /// What its tokens are like.
  public var policy: TokenPolicy
  /// What doors want to know. At most 4 KiB of JSON.
  public var attributes: [String: JSONValue]
  /// How it proves who it is.
  public var authentication: Authentication

  /// How a client proves who it is.
  public enum Authentication: Sendable {
    /// Not at all: an app that people install can't keep a secret (RFC 6749 §2.1).
    case none
    /// With a secret of 256 bits that the server makes.
    case newSecret
    /// With this secret, which must look like at least 112 random bits.
    case secret(Secret)
  }

  /// Describes a client.
  public init(
    id: String? = nil, name: String, redirectURIs: [String] = [], scopes: [String] = [],
    policy: TokenPolicy = .standard, attributes: [String: JSONValue] = [:], authentication: Authentication
  ) {
    self.id = id
    self.name = name
    self.redirectURIs = redirectURIs
    self.scopes = scopes
    self.policy = policy
    self.attributes = attributes
    self.authentication = authentication
  }

  /// Whether a client can have that id: 1 to 256 printable ASCII characters, no spaces.
  static func isValid(id: String) -> Bool {
    (1...256).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

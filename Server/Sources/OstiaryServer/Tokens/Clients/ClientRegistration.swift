package import Foundation
package import OstiaryCore

/// A client to be registered.
package struct ClientRegistration: Sendable {
  /// The `client_id`: 1 to 256 printable ASCII characters without spaces; nil for a random one.
  package var id: String?
  /// The name to show.
  package var name: String
  /// Where browsers may be sent back to.
  package var redirectURIs: [String]
  /// The scopes it may ask for.
  package var scopes: [String]
  /// What its tokens are like.
  package var policy: TokenPolicy
  /// What doors want to know. At most 4 KiB of JSON.
  package var attributes: [String: JSONValue]
  /// How it proves who it is.
  package var authentication: Authentication

  /// How a client proves who it is.
  package enum Authentication: Sendable {
    /// Not at all: an app that people install can't keep a secret (RFC 6749 §2.1).
    case none
    /// With a secret of 256 bits that the server makes.
    case newSecret
    /// With this secret, which must look like at least 112 random bits.
    case secret(Secret)
  }

  /// Describes a client.
  package init(
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

/// A program that may ask for tokens: an OAuth client, or a connected app.
package struct Client: Hashable, Sendable, Identifiable {
  /// The `client_id`: no secret.
  package let id: String
  /// The name to show.
  package let name: String
  /// Whether it has a secret and must present it.
  package let isConfidential: Bool
  /// Where browsers may be sent back to; compared byte for byte.
  package let redirectURIs: [String]
  /// The scopes it may ask for.
  package let scopes: [String]
  /// What its tokens are like.
  package let policy: TokenPolicy
  /// What doors want to know.
  package let attributes: [String: JSONValue]
  /// Whether it is kept out.
  package let isDisabled: Bool
  /// When it was registered.
  package let createdAt: Date
}

/// A client that has just been registered, or been given another secret.
package struct RegisteredClient: Sendable {
  /// The client.
  package let client: Client
  /// Its new secret, in the only copy there is; nil for a client without one.
  package let secret: Secret?
}

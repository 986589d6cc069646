package import Foundation
package import OstiaryCore

/// A client to be registered.
package struct ClientRegistration: Sendable {
  /// The `client_id`: 1 to 256 printable ASCII characters without spaces; nil for a random one.
  package var id: String?
  /// The name to show.
  package var name: String
  /// The addresses to which browsers may be redirected.
  package var redirectURIs: [String]
  /// The scopes it may ask for.
  package var scopes: [String]
  /// The policy of its tokens.
  package var policy: TokenPolicy
  /// Values for the doors. At most 4 KiB of JSON.
  package var attributes: [String: JSONValue]
  /// How it authenticates.
  package var authentication: Authentication

  /// How a client authenticates.
  package enum Authentication: Sendable {
    /// Not at all: an app that people install can't keep a secret (RFC 6749 §2.1).
    case none
    /// With a secret of 256 bits that the server makes.
    case newSecret
    /// With this secret, whose length and letters must allow at least 112 random bits.
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

  /// Whether a text is a valid client id: 1 to 256 printable ASCII characters, no spaces.
  static func isValid(id: String) -> Bool {
    (1...256).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// A program that may ask for tokens: an OAuth client, or a connected app.
package struct Client: Hashable, Sendable, Identifiable {
  /// The `client_id`, which is not secret.
  package let id: String
  /// The name to show.
  package let name: String
  /// Whether it has a secret and must present it.
  package let isConfidential: Bool
  /// The addresses to which browsers may be redirected; compared byte for byte.
  package let redirectURIs: [String]
  /// The scopes it may ask for.
  package let scopes: [String]
  /// The policy of its tokens.
  package let policy: TokenPolicy
  /// Values for the doors.
  package let attributes: [String: JSONValue]
  /// Whether an administrator has disabled it.
  package let isDisabled: Bool
  /// When it was registered.
  package let createdAt: Date
}

/// A client that has just been registered, or been given another secret.
package struct RegisteredClient: Sendable {
  /// The client.
  package let client: Client
  /// Its new secret; this is the only copy. Nil for a client without one.
  package let secret: Secret?
}

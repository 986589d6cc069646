public import Foundation

/// What a server gave for a credential: who the user is, the proof, when it expires, and what else the server said.
public struct Session: Sendable, Codable, Equatable {
  /// The kind of server, as its authenticator names it (`pega`).
  public let kind: AuthenticatorKind
  /// The server's base URL.
  public let server: URL
  /// Which state of which sign-in this is.
  public let version: ProofVersion
  /// Who is signed in.
  public var user: User
  /// What the server is shown.
  public var proof: Proof
  /// When the proof was given, by this device's clock.
  public var issuedAt: Date
  /// When the proof stops being accepted, by this device's clock; `nil` when only the server knows.
  public var expiresAt: Date?
  /// The server's clock minus this device's, in seconds, measured when the proof was given.
  public var clockSkew: TimeInterval
  /// What else the server said. Kept as it came.
  public var attributes: [String: JSONValue]

  /// Makes a session from what an authenticator was granted.
  public init(
    kind: AuthenticatorKind,
    server: URL,
    version: ProofVersion,
    grant: SessionGrant,
    issuedAt: Date
  ) {
    self.kind = kind
    self.server = server
    self.version = version
    self.user = grant.user
    self.proof = grant.proof
    self.issuedAt = issuedAt
    self.expiresAt = grant.expiresAt
    self.clockSkew = grant.clockSkew
    self.attributes = grant.attributes
  }

  /// The person or account a session belongs to.
  public struct User: Sendable, Codable, Hashable {
    /// The name the server knows the user by.
    public var id: String
    /// A name to show, where the server gave one.
    public var displayName: String?

    /// Makes a user.
    public init(id: String, displayName: String? = nil) {
      self.id = id
      self.displayName = displayName
    }
  }
}

extension Session {
  /// The session with the same content under another version.
  func revised(_ version: ProofVersion) -> Session {
    Session(
      kind: kind, server: server, version: version,
      grant: SessionGrant(
        user: user, proof: proof, expiresAt: expiresAt, clockSkew: clockSkew, attributes: attributes),
      issuedAt: issuedAt)
  }
}

extension Session: Redacted {
  /// Who is signed in where; never the proof, and not the attributes, which servers fill as they like.
  public var description: String { "\(kind) session \(version) of \(user.id) at \(server.host() ?? "?")" }
}

/// Where a session rests in a store: one application's session with one server.
public struct SessionKey: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The key as text. It may name a server or an account; it must not hold a secret.
  public let name: String

  /// Makes a key.
  public init(_ name: String) {
    self.name = name
  }

  public var description: String { name }
}

/// Names a kind of server: `pega`, `oauth`. An open set.
public struct AuthenticatorKind: NamedConstant {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

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

/// A session as an authenticator hands it over: all that the server said, before the session manager numbers it.
public struct SessionGrant: Sendable {
  /// Who is signed in.
  public var user: Session.User
  /// What the server is shown.
  public var proof: Proof
  /// When the proof stops being accepted, by this device's clock; `nil` when only the server knows.
  public var expiresAt: Date?
  /// The server's clock minus this device's, in seconds.
  public var clockSkew: TimeInterval
  /// What else the server said.
  public var attributes: [String: JSONValue]

  /// Makes a grant.
  public init(
    user: Session.User,
    proof: Proof,
    expiresAt: Date? = nil,
    clockSkew: TimeInterval = 0,
    attributes: [String: JSONValue] = [:]
  ) {
    self.user = user
    self.proof = proof
    self.expiresAt = expiresAt
    self.clockSkew = clockSkew
    self.attributes = attributes
  }
}

/// Names a kind of server: `pega`, `oauth`. An open set.
public struct AuthenticatorKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
}

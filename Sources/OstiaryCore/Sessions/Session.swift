public import Foundation

/// What a server gave for a credential: who the user is, the proof, when it expires, and what else the server said.
public struct Session: Sendable, Equatable {
  /// Everything that a session holds. It is kept behind one reference, so that reading a session costs one count.
  private struct Contents: Sendable, Codable, Equatable {
    var kind: AuthenticatorKind
    var server: URL
    var version: ProofVersion
    var user: User
    var proof: Proof
    var issuedAt: Date
    var expiresAt: Date?
    var clockSkew: TimeInterval
    var attributes: [String: JSONValue]
  }

  /// Contents that never change.
  private final class Box: Sendable, Equatable {
    let contents: Contents
    init(_ contents: Contents) { self.contents = contents }
    static func == (left: Box, right: Box) -> Bool { left === right || left.contents == right.contents }
  }

  private var box: Box

  /// The kind of server, as its authenticator names it (`pega`).
  public var kind: AuthenticatorKind { box.contents.kind }
  /// The server's base URL.
  public var server: URL { box.contents.server }
  /// Which state of which sign-in this is.
  public var version: ProofVersion { box.contents.version }
  /// Who is signed in.
  public var user: User {
    get { box.contents.user }
    set { change { $0.user = newValue } }
  }
  /// What the server is shown.
  public var proof: Proof {
    get { box.contents.proof }
    set { change { $0.proof = newValue } }
  }
  /// When the proof was given, by this device's clock.
  public var issuedAt: Date {
    get { box.contents.issuedAt }
    set { change { $0.issuedAt = newValue } }
  }
  /// When the proof stops being accepted, by this device's clock; `nil` when only the server knows.
  public var expiresAt: Date? {
    get { box.contents.expiresAt }
    set { change { $0.expiresAt = newValue } }
  }
  /// The server's clock minus this device's, in seconds, measured when the proof was given.
  public var clockSkew: TimeInterval {
    get { box.contents.clockSkew }
    set { change { $0.clockSkew = newValue } }
  }
  /// What else the server said. Kept as it came.
  public var attributes: [String: JSONValue] {
    get { box.contents.attributes }
    set { change { $0.attributes = newValue } }
  }

  private mutating func change(_ body: (inout Contents) -> Void) {
    var contents = box.contents
    body(&contents)
    box = Box(contents)
  }

  /// Makes a session from what an authenticator was granted.
  public init(
    kind: AuthenticatorKind,
    server: URL,
    version: ProofVersion,
    grant: SessionGrant,
    issuedAt: Date
  ) {
    box = Box(
      Contents(
        kind: kind, server: server, version: version, user: grant.user, proof: grant.proof, issuedAt: issuedAt,
        expiresAt: grant.expiresAt, clockSkew: grant.clockSkew, attributes: grant.attributes))
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

    /// A user that neither the credential, nor its handler, nor the server has named.
    package static let unknown = User(id: "unknown")
  }
}

extension Session {
  /// The session with the same content under another version.
  func revised(_ version: ProofVersion) -> Session {
    var session = self
    session.change { $0.version = version }
    return session
  }
}

extension Session: Codable {
  /// Reads a session.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws { box = Box(try Contents(from: decoder)) }

  /// Writes the session, its proof in the clear: what encodes it decides where it goes.
  public func encode(to encoder: any Encoder) throws { try box.contents.encode(to: encoder) }
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

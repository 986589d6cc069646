/// What is read of an answer. A list is the places to look at, in their order: the first that is there counts.
public struct DialectReads: Sendable, Hashable {
  /// The session's token.
  public var token: [DialectRead]
  /// The token that renews the session.
  public var renewalToken: [DialectRead]
  /// What kind of token it is, such as `Bearer`; `{kind}` in the proof.
  public var kind: [DialectRead]
  /// The user's identifier.
  public var userID: [DialectRead]
  /// The user's name.
  public var userName: [DialectRead]
  /// When the token expires.
  public var expiry: [DialectExpiry]
  /// When the renewal token expires.
  public var renewalExpiry: [DialectExpiry]
  /// What the session keeps for the app.
  public var attributes: [DialectNamedRead]
  /// What later calls use, by the names that templates use.
  public var values: [DialectNamedRead]

  /// Makes reads.
  public init(
    token: [DialectRead] = [], renewalToken: [DialectRead] = [], kind: [DialectRead] = [], userID: [DialectRead] = [],
    userName: [DialectRead] = [], expiry: [DialectExpiry] = [], renewalExpiry: [DialectExpiry] = [],
    attributes: [DialectNamedRead] = [], values: [DialectNamedRead] = []
  ) {
    self.token = token
    self.renewalToken = renewalToken
    self.kind = kind
    self.userID = userID
    self.userName = userName
    self.expiry = expiry
    self.renewalExpiry = renewalExpiry
    self.attributes = attributes
    self.values = values
  }

  /// Whether nothing is read.
  public var isEmpty: Bool { self == DialectReads() }

  /// Whether the token is the password that was given.
  public var usesApplicationPassword: Bool { token.contains { $0.source == .applicationPassword } }
}

/// A name for what is read.
public struct DialectNamedRead: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The places to look at, in their order.
  public var reads: [DialectRead]

  /// Makes a named read.
  public init(_ name: String, _ reads: DialectRead...) {
    self.init(name, reads)
  }

  /// Makes a named read.
  public init(_ name: String, _ reads: [DialectRead]) {
    self.name = name
    self.reads = reads
  }
}

public import Foundation

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

  /// Whether the server has not said yet whose the proof is, or has not shown that it accepts it. The manager then asks ``Authenticator/identify(_:in:)``
  /// before any caller sees the session; ``user`` is a placeholder until then.
  public var needsIdentification = false

  /// Whether what a renewal gave has not been judged yet. The manager writes it, shows it to no caller, and renews what it has
  /// written once more, with which the authenticator judges it. The proof must be one that ``Authenticator/attachment(for:)`` attaches
  /// nothing of, and must be over by ``expiresAt``, so that other processes, of earlier versions too, do not use it either.
  public var needsJudgement = false

  /// Whether this is the judgement of what a renewal had given, for a session that was written as not judged: it lands on nothing else.
  public var isJudgement = false

  /// What the server gave besides and was not to be believed, in words for a person: an event says that it was dropped
  /// (``SessionEvent/Kind-swift.struct/partDropped``). Never a secret.
  public var droppedPart: String?

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

extension SessionGrant: Redacted {
  /// Who is signed in; never the proof, and not the attributes, which servers fill as they like.
  public var description: String { "SessionGrant(\(user.id), \(attributes.count) attributes)" }
}

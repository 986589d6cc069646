public import OstiaryCore

/// A token as its sender presented it. **Nothing of it is verified.**
///
/// It is for finding out whose keys are needed, where that depends on who the sender claims to be. A ``TokenVerifier`` makes it a
/// ``VerifiedToken``.
public struct PresentedToken: Sendable {
  let compact: CompactJWS
  let members: StrictJSON.Members
  /// The text without its signature: what is signed. The same for each signature of the same statement.
  public let signedText: String

  /// Takes a text apart, and refuses what is never accepted.
  /// - Parameters:
  ///   - text: a signed token in the compact form.
  ///   - maximumBytes: the longest text that is read, 64 KiB at most.
  public init(_ text: String, maximumBytes: Int = 65_536) throws(JOSEError) {
    compact = try CompactJWS(text, maximumBytes: min(maximumBytes, CompactJWS.maximumBytes))
    members = try compact.claims()
    signedText = String(decoding: compact.message, as: UTF8.self)
  }

  /// What the sender says in it.
  public var unverifiedClaims: [String: JSONValue] { members.dictionary }

  /// What the sender says about the token.
  public var unverifiedHeader: TokenHeader { compact.header }
}

extension PresentedToken: Redacted {
  public var description: String { "‹token›" }
}

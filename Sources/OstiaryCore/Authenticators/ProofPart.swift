package import Foundation
package import HTTPTypes

/// Proof that some addresses of a session take in place of its other proof: an access token that is made for one API, say. It is
/// renewed by itself, and is no part of whether the session is good.
package struct ProofPart: Sendable {
  /// What the authenticator knows it by. Several addresses may have it.
  package let name: String
  /// What requests to its addresses get, and which these are.
  package let attachment: ProofAttachment
  /// Tells this proof from others of the same name; `nil` where there is none yet.
  let digest: ProofDigest?
  /// When it was given, by this device's clock.
  let givenAt: Date
  private let expiresAt: Date?

  /// Makes one.
  /// - Parameters:
  ///   - proof: what is shown; `nil` where there is none yet.
  ///   - lineage: the sign-in that it is of.
  ///   - givenAt: when it was given, by this device's clock.
  ///   - expiresAt: when it stops being accepted; `nil` when only the server knows.
  package init(
    _ name: String, _ attachment: ProofAttachment, proof: Secret?, of lineage: UUID, givenAt: Date = .distantPast,
    expiresAt: Date? = nil
  ) {
    self.name = name
    self.attachment = attachment
    digest = proof.map { ProofDigest(Proof(tokens: [name: $0]), of: lineage, isProof: { _ in false }) }
    self.givenAt = givenAt
    self.expiresAt = expiresAt
  }

  /// Whether it is the same proof, which the server has given once more.
  func isSame(as earlier: ProofPart) -> Bool {
    digest != nil && digest == earlier.digest && givenAt != earlier.givenAt
  }

  /// Whether it is good by its own date, with a margin of at most a tenth of its life.
  func isFresh(at now: Date, margin: TimeInterval) -> Bool {
    guard let expiresAt else { return true }
    return expiresAt.timeIntervalSince(now) > min(margin, max(0, expiresAt.timeIntervalSince(givenAt) / 10))
  }
}

/// An authenticator whose sessions have proof of their own for some addresses.
package protocol AuthenticatorWithParts: Authenticator {
  /// Whether a request goes to one of these addresses, before a session says so.
  func hasPart(for request: HTTPRequest) -> Bool

  /// Renews one part, in one exchange, and leaves the session's other proof as it is, but for what the exchange uses up. Where a renewal is to be
  /// judged first, it does that instead. Its errors are terminal for a definite word about the session alone.
  func renew(_ session: Session, part: String, in context: AuthenticationContext) async throws -> Renewal
}

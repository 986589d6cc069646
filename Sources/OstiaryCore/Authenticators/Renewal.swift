/// What came of a renewal.
public enum Renewal: Sendable {
  /// The server gave newer proof.
  case renewed(SessionGrant)
  /// Only a credential helps.
  case needsCredential
}

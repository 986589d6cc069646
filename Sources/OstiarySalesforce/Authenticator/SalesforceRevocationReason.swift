/// Why tokens are revoked, as Salesforce writes it down (`revoke_reason`). An open set.
public struct SalesforceRevocationReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A reason of this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// The user signed out.
  public static let userLogout = Self("user_logout")
  /// The refresh token has expired.
  public static let refreshTokenExpired = Self("refresh_token_expired")
  /// The refresh token has been replaced by another.
  public static let refreshTokenRotated = Self("refresh_token_rotated")
  /// Something took too long.
  public static let timeout = Self("timeout")
  /// Something happened that should not.
  public static let unexpected = Self("unexpected")
  /// The server's answer had an unknown form.
  public static let unexpectedResponse = Self("unexpected_response")
  /// The reason is not known.
  public static let unknown = Self("unknown")
  /// A policy of the org signs the user out.
  public static let logoutPolicy = Self("ssdk_logout_policy")
  /// What is stored here is damaged.
  public static let corruptState = Self("corrupt_state")
}

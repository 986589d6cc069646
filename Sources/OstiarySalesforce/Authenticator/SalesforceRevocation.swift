internal import Foundation
internal import HTTPTypes
public import OstiaryCore

/// Makes tokens worthless at the server.
public enum SalesforceRevocation {
  /// Revokes a token: a refresh token with every access token that was given for it, an access token alone. One that the
  /// server doesn't know, or doesn't revoke, is as good as revoked.
  /// - Throws: ``/OstiaryCore/OstiaryError`` when the server was not told, or refused.
  public static func revoke(
    _ token: Secret, reason: SalesforceRevocationReason = .userLogout, at host: SalesforceLoginHost,
    timeout: Duration = .seconds(10), in context: AuthenticationContext
  ) async throws {
    let form = FormEncoding.serialize([
      (name: "token", value: token.reveal()), (name: "revoke_reason", value: reason.rawValue),
    ])
    var request = try TransportRequest.post(
      host.address("services/oauth2/revoke"), body: Data(form.utf8), contentType: FormEncoding.mediaType)
    request.timeout = timeout
    request.responseBodyLimit = 1 << 16
    let response = try await context.transport.send(request)
    if response.status.kind == .successful { return }
    let codes = SalesforceFailure(response)?.codes ?? []
    if response.status.code < 500, !codes.isDisjoint(with: ["invalid_token", "unsupported_token_type"]) { return }
    throw OstiaryError(
      .unexpectedResponse, "The server did not confirm that the token is revoked (\(response.status.code)).",
      request: request.head)
  }
}

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

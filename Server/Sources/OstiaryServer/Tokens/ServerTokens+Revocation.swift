import Foundation
internal import GRDB
public import OstiaryCore

/// When one of these returns, what it has ended is let in nowhere, and nothing that was under way brings it back.
extension ServerTokens {
  /// Revokes a token: an access token alone, a refresh token with its family and all access tokens of it (RFC 7009).
  /// - Parameter client: who asks; nil for a door where holding the token is enough.
  /// - Returns: what it was; nil for a token that is unknown, has ended, or is another client's: then nothing has
  ///   happened. RFC 7009 §2.2 wants that answered like success.
  /// - Throws: a storage code.
  @discardableResult
  public func revoke(_ token: Secret, client: Client? = nil) async throws(ServerError) -> TokenKind? {
    throw .unfinished
  }

  /// Ends a grant with all its tokens.
  /// - Returns: whether there was one.
  @discardableResult
  public func revoke(grantID: Int64) async throws(ServerError) -> Bool {
    throw .unfinished
  }

  /// Ends all grants of a user, or those to one client.
  /// - Returns: how many there were.
  @discardableResult
  public func revokeAll(userID: String, clientID: String? = nil) async throws(ServerError) -> Int {
    throw .unfinished
  }

  /// Ends all grants to a client.
  /// - Returns: how many there were.
  @discardableResult
  public func revokeAll(clientID: String) async throws(ServerError) -> Int {
    throw .unfinished
  }

  /// The grants of a user that have not ended, the oldest first.
  public func grants(userID: String) async throws(ServerError) -> [TokenGrant] {
    throw .unfinished
  }
}

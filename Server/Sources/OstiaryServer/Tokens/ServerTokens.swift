import Foundation
internal import GRDB
public import Logging
public import OstiaryCore

/// The tokens that the server has issued: access tokens, refresh tokens, authorization codes, device codes.
///
/// **At rest** there are only SHA-256 hashes; a copy of the database yields no usable token. **Durable** is what a call
/// has confirmed; calls made at the same time share a commit. **Bounded** are the tables: what has ended is removed as
/// new comes. Several processes may share the storage.
///
/// **Rotation.** A used refresh token gets its successor, and for a short while the *same* successor again, so that a lost
/// answer signs nobody out. A later use is taken for theft: the whole family ends with its access tokens, and a security
/// event is logged (RFC 9700 §4.14.2).
public final class ServerTokens: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  let logger: Logger

  /// Makes the service over `storage`.
  public init(storage: ServerStorage, clock: any SessionClock = .system, logger: Logger) {
    self.storage = storage
    self.clock = clock
    self.logger = logger
  }

  /// Issues an access token and, if asked for, a refresh token for a new grant.
  /// - Throws: `attributesTooLarge` or a storage code.
  public func issue(_ request: GrantRequest) async throws(ServerError) -> TokenDecision {
    throw .unfinished
  }

  /// Uses a refresh token.
  /// - Parameters:
  ///   - client: who presents it, authenticated.
  ///   - scopes: what the access token shall allow, no more than was granted; nil for all of it.
  /// - Throws: a storage code: then nothing is known about the token, and nobody has been signed out.
  public func refresh(
    _ token: Secret, client: Client, scopes: [String]? = nil
  ) async throws(ServerError) -> TokenDecision {
    throw .unfinished
  }

  /// The live access token of that text, if there is one; this counts as a use.
  /// - Throws: a storage code: then nothing is known about the token, and nobody has been signed out.
  public func find(_ token: Secret) async throws(ServerError) -> AccessToken? {
    throw .unfinished
  }

  /// What is known of a live token. This doesn't count as a use.
  /// - Parameters:
  ///   - client: whose tokens it may know of; nil for everybody's, for a resource server that is trusted with them.
  /// - Returns: nil for one that is unknown, has ended, or isn't the client's.
  /// - Throws: a storage code.
  public func introspect(
    _ token: Secret, client: Client? = nil
  ) async throws(ServerError) -> TokenIntrospection? {
    throw .unfinished
  }
}

extension ServerError {
  static var unfinished: ServerError { ServerError(.storageFailed, "Not there yet.") }
}

import Foundation
internal import GRDB
public import OstiaryCore

/// The programs that may ask for tokens: OAuth clients, connected apps.
///
/// A secret has at least 112 random bits, so a fast hash keeps it safe; it is compared in constant time. Two may be good
/// at once, so that one can be replaced while programs still use the other.
public final class ServerClients: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock

  /// Makes the service over `storage`.
  public init(storage: ServerStorage, clock: any SessionClock = .system) {
    self.storage = storage
    self.clock = clock
  }

  /// Registers a client.
  /// - Throws: `clientExists`, `clientRefused`, `clientSecretTooWeak`, `attributesTooLarge` or a storage code.
  @discardableResult
  public func register(_ registration: ClientRegistration) async throws(ServerError) -> RegisteredClient {
    throw .unfinished
  }

  /// Replaces what is known of a client, except its id, secrets and tokens; whether it has a secret stays.
  /// - Throws: `clientNotFound`, `attributesTooLarge` or a storage code.
  @discardableResult
  public func update(
    _ id: String, _ change: @escaping @Sendable (inout ClientRegistration) -> Void
  ) async throws(ServerError) -> Client {
    throw .unfinished
  }

  /// The client of that id, if there is one.
  public func client(id: String) async throws(ServerError) -> Client? {
    throw .unfinished
  }

  /// All clients, by name.
  public func clients() async throws(ServerError) -> [Client] {
    throw .unfinished
  }

  /// Decides whether a client is who it says it is.
  /// - Parameter secret: what it presents, if anything. An empty one is none.
  /// - Throws: a storage code: then nothing is known about the client.
  public func authenticate(id: String, secret: Secret?) async throws(ServerError) -> ClientDecision {
    throw .unfinished
  }

  /// Gives a confidential client another secret. The one before stays good until it is retired, or for `overlap`; any
  /// older one is gone.
  /// - Parameter secret: the secret, which must look like at least 112 random bits; nil for a new one of 256.
  /// - Throws: `clientNotFound`, `clientRefused` for a client without a secret, `clientSecretTooWeak` or a storage code.
  public func addSecret(
    _ secret: Secret? = nil, clientID: String, overlap: Duration? = nil
  ) async throws(ServerError) -> RegisteredClient {
    throw .unfinished
  }

  /// Ends all secrets of a client but the newest.
  /// - Throws: `clientNotFound` or a storage code.
  public func retireOldSecrets(clientID: String) async throws(ServerError) {
    throw .unfinished
  }

  /// Keeps a client out, or lets it in again. While it is kept out its tokens are refused.
  /// - Throws: `clientNotFound` or a storage code.
  @discardableResult
  public func setDisabled(_ isDisabled: Bool, clientID: String) async throws(ServerError) -> Client {
    throw .unfinished
  }

  /// Removes a client with its secrets and all its tokens.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: String) async throws(ServerError) -> Bool {
    throw .unfinished
  }
}

import Foundation
package import OstiaryCore

/// The programs that may ask for tokens: OAuth clients, connected apps.
///
/// A secret has at least 112 random bits, so a fast hash protects it; it is compared in constant time. Two may be valid
/// at once: one can be replaced while programs still use the other.
package final class ServerClients: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  /// Whether a cached client is still valid.
  let freshness: TokenFreshness
  private let cache: ClientCache
  /// Counts the guesses at secrets.
  let guesses: GuessService

  /// Makes the service over `storage`.
  package init(storage: ServerStorage, clock: any SessionClock = .system) {
    self.storage = storage
    freshness = TokenFreshness.of(storage)
    cache = ClientCache.of(storage)
    self.clock = clock
    guesses = GuessService(storage, clock: clock)
  }

  /// The client of that id, if there is one.
  /// - Throws: a storage code.
  package func client(id: String) async throws(ServerError) -> Client? {
    try await row(id)?.client
  }

  /// All clients, by name.
  /// - Throws: a storage code.
  package func clients() async throws(ServerError) -> [Client] {
    try await storage.read { db in
      try db.values(ClientStatements.sql.ids).compactMap { (id: String) in
        try ClientRow.find(id, in: db)?.client
      }
    }
  }

  /// Authenticates a client.
  /// - Parameter secret: the presented secret; an empty one counts as none.
  /// - Throws: `overloaded` after too many wrong ones; a storage code: the client's state is unknown then.
  package func authenticate(id: String, secret: Secret?) async throws(ServerError) -> ClientDecision {
    try await authenticate(id: id, secret: secret, from: .unknown)
  }

  /// As ``authenticate(id:secret:)``.
  /// - Parameter source: the source of the secret; wrong ones are counted for it.
  func authenticate(
    id: String, secret: Secret?, from source: GuessSource
  ) async throws(ServerError) -> ClientDecision {
    let event: AuditEvent
    let result: Result<ClientDecision, ServerError>
    switch try await look(id: id, secret: secret, from: source) {
    case .right(let decision):
      result = .success(decision)
      switch decision {
      case .accepted(let client): return .accepted(client)
      // A text that is no client's id may be a secret, so the event has it as a keyed hash.
      case .unknown: event = AuditEvent(.clientRefused, .unknown, name: NameKey(id))
      case .refused: event = AuditEvent(.clientRefused, .wrong, client: id)
      case .disabled: event = AuditEvent(.clientRefused, .clientDisabled, client: id)
      }
    case .wrong:
      result = .success(.refused)
      event = AuditEvent(.clientRefused, .wrong, client: id)
    case .wait(let wait):
      result = .failure(Self.tooManySecrets(wait))
      event = AuditEvent(.clientRefused, .tooManyAttempts, client: id)
    }
    try await storage.noteRefusal(event, at: clock.now)
    return try result.get()
  }

  private static func tooManySecrets(_ wait: Duration) -> ServerError {
    ServerError(
      .overloaded, "Too many wrong secrets of this client came from there.", advice: "Try again later.",
      retryAfter: wait)
  }

  /// As ``authenticate(id:secret:)``, for the server's own use: it records no event.
  func check(id: String, secret: Secret?) async throws(ServerError) -> ClientDecision {
    switch try await look(id: id, secret: secret, from: .unknown) {
    case .right(let decision): return decision
    case .wrong: return .refused
    case .wait(let wait): throw Self.tooManySecrets(wait)
    }
  }

  /// Right if the secret is not wrong; the decision whether the client is accepted is separate.
  private func look(
    id: String, secret: Secret?, from source: GuessSource
  ) async throws(ServerError) -> GuessOutcome<ClientDecision> {
    guard let row = try await row(id) else { return .right(.unknown) }
    let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
    if row.client.isConfidential {
      guard let secret else { return .right(.refused) }
      let now = clock.now
      let guess = Guess<ClientSecretGuess>(subject: Data(id.utf8), source: source)
      switch try await guesses.lookFirst(at: guess, verify: { row.accepts(secret, at: now, $0) }) {
      case .right: break
      case .wrong: return .wrong
      case .wait(let wait): return .wait(wait)
      }
    } else {
      guard secret == nil else { return .right(.refused) }
    }
    return .right(row.client.isDisabled ? .disabled : .accepted(row.client))
  }

  private func row(_ id: String) async throws(ServerError) -> ClientRow? {
    guard ClientRegistration.isValid(id: id) else { return nil }
    // Taken before the database is read: a change made meanwhile counts as later.
    let stamp = freshness.stamp
    if let stamp, let row = cache.find(id, stamp: stamp) { return row }
    let row = try await storage.read { db in try ClientRow.find(id, in: db) }
    if let stamp, let row { cache.insert(row, stamp: stamp) }
    return row
  }
}

/// The result of authenticating a client.
package enum ClientDecision: Sendable {
  /// Authenticated: its secret is right, or it has none and presented none.
  case accepted(Client)
  /// There is no client of that id.
  case unknown
  /// Its secret is missing or wrong, or it has none and presented one.
  case refused
  /// It is disabled.
  case disabled

  /// The client, if it is authenticated.
  package var client: Client? {
    if case .accepted(let client) = self { client } else { nil }
  }
}

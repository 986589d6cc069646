import Foundation
public import OstiaryCore

/// The programs that may ask for tokens: OAuth clients, connected apps.
///
/// A secret has at least 112 random bits, so a fast hash keeps it safe; it is compared in constant time. Two may be good
/// at once, so that one can be replaced while programs still use the other.
public final class ServerClients: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  /// Whether what is remembered is true.
  let freshness: TokenFreshness
  private let cache: ClientCache

  /// Makes the service over `storage`.
  public init(storage: ServerStorage, clock: any SessionClock = .system) {
    self.storage = storage
    freshness = TokenFreshness.of(storage)
    cache = ClientCache.of(storage)
    self.clock = clock
  }

  /// The client of that id, if there is one.
  /// - Throws: a storage code.
  public func client(id: String) async throws(ServerError) -> Client? {
    try await row(id)?.client
  }

  /// All clients, by name.
  /// - Throws: a storage code.
  public func clients() async throws(ServerError) -> [Client] {
    try await storage.read { db in
      try db.values(ClientStatements.sql.ids).compactMap { (id: String) in
        try ClientRow.find(id, in: db)?.client
      }
    }
  }

  /// Decides whether a client is who it says it is.
  /// - Parameter secret: what it presents, if anything. An empty one is none.
  /// - Throws: a storage code: then nothing is known about the client.
  public func authenticate(id: String, secret: Secret?) async throws(ServerError) -> ClientDecision {
    let decision = try await check(id: id, secret: secret)
    let event: AuditEvent
    switch decision {
    case .accepted: return decision
    // What is no client's id may be a secret.
    case .unknown: event = AuditEvent(.clientRefused, .unknown, name: NameKey(id))
    case .refused: event = AuditEvent(.clientRefused, .wrong, client: id)
    case .disabled: event = AuditEvent(.clientRefused, .clientDisabled, client: id)
    }
    try await storage.noteRefusal(event, at: clock.now)
    return decision
  }

  /// As ``authenticate(id:secret:)``, for the server's own use: nothing is told.
  func check(id: String, secret: Secret?) async throws(ServerError) -> ClientDecision {
    guard let row = try await row(id) else { return .unknown }
    let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
    if row.client.isConfidential {
      guard let secret, row.accepts(secret, at: clock.now) else { return .refused }
    } else {
      guard secret == nil else { return .refused }
    }
    return row.client.isDisabled ? .disabled : .accepted(row.client)
  }

  private func row(_ id: String) async throws(ServerError) -> ClientRow? {
    guard ClientRegistration.isValid(id: id) else { return nil }
    // Told before the database is asked, so that whatever changes meanwhile counts as later.
    let stamp = freshness.stamp
    if let stamp, let row = cache.find(id, stamp: stamp) { return row }
    let row = try await storage.read { db in try ClientRow.find(id, in: db) }
    if let stamp, let row { cache.insert(row, stamp: stamp) }
    return row
  }
}

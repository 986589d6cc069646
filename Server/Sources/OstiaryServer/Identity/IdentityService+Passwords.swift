import Foundation

/// New passwords that users set themselves, in the transaction that also checks their permission.
extension IdentityService {
  /// Gives a user a new password: all their sessions end, and the count of wrong passwords is reset.
  /// - Parameter generation: The user's generation when they proved that they may.
  /// - Returns: the user as they are now; nil if they have been disabled or given another password meanwhile.
  func replacePassword(
    ofUser id: String, generation: Int, with hash: PasswordHash, now: Date, _ trail: AuditTrail,
    in db: StorageConnection
  ) throws -> User? {
    guard let user = try UserRow.findForUse(id: id, in: db)?.user, user.generation == generation, !user.isDisabled
    else {
      return nil
    }
    try db.run(
      UserStatements.sql.setPassword, hash.phc, hash.parameters.work, now, id, ends: .newPassword(user.nextGeneration))
    try trail.note(AuditEvent(.passwordChanged, .requestedByApp, user: id), in: db)
    try UserRow.endSessions(ofUser: id, .passwordChanged, trail, in: db)
    for name in [user.name, user.email].compactMap({ $0 }) { try forgetGuesses(at: name, in: db) }
    return try UserRow.find(id: id, in: db)?.user
  }

  /// Makes every cache of a user's sessions and tokens read again, once their end is durable.
  func forgetSessions(ofUser id: String) {
    changes.sessionsEnded(ofUser: id)
  }
}

extension IdentityService {
  /// The record of events about users, clients and the server, as the storage has it.
  package var auditArchive: AuditArchive { AuditArchive(storage) }

  /// The servers that share the storage.
  package func serverNodes() async throws(ServerError) -> [ServerNode] { try await storage.nodes() }
}

extension IdentityService {
  /// The resources that guesses and passwords use, at all doors together.
  var resources: [ResourceLimit] {
    let pool = hasher.pool
    return [
      ResourceLimit(
        "hash_places", "Passwords that are hashed or wait for it", .count(pool.capacity),
        standard: "33 for each core; no account and no address has more than it leaves free",
        refusal: "503, or what the door says in its stead", count: { pool.refused }),
      ResourceLimit(
        "guess_counts", "Counts of wrong guesses, and of what an address may ask for only so often",
        .count(configuration.loginLimits.mostKeys), standard: "600,000",
        refusal: "those that would be forgotten soonest are", count: nil),
      ResourceLimit(
        "guess_waits", "Waits of clients with wrong secrets, and of addresses that ask too often, in memory",
        .count(guesses.mostWaits), standard: "10,000",
        refusal: "further ones are not remembered: the next secret is looked at, and counted in the database",
        count: { [guesses] in guesses.unrememberedWaits }),
    ]
  }
}

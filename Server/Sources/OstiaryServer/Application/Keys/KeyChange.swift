package import Foundation
internal import Logging
internal import OstiaryCore

/// Changing the key of a server, for commands: while servers run, or with none.
package struct KeyChange: Sendable {
  private let storage: ServerStorage
  private let duty: KeyDuty

  /// - Parameter storage: an open storage.
  package init(_ storage: ServerStorage) {
    self.storage = storage
    duty = KeyDuty(
      storage: storage, node: ServerStorage.nodeID(of: "command"), version: nil, logger: Logger(label: "ostiary.keys"))
  }

  /// How the change stands; without keys in it where the key was never changed.
  package func status() async throws(ServerError) -> KeyRotation { try await storage.followKeys() }

  /// Offers a new key to the servers.
  /// - Parameter keys: the place that has it; nil for any.
  /// - Throws: `keyChangeUnderWay`, or a code of a key or of the storage.
  package func offer(_ keys: ServerKeySources?) async throws(ServerError) { _ = try await storage.offerKey(keys) }

  /// Takes the steps that are due, and seals rows again.
  package func turn() async throws(ServerError) -> KeyRotation { try await duty.turn() }

  /// Retires the key before the current one.
  /// - Parameter early: whether what was made with it for a time may be lost.
  /// - Returns: what keeps it; none if it is retired now.
  package func retire(early: Bool) async throws(ServerError) -> [KeyRotation.Obstacle] {
    _ = try await duty.turn()
    // From here on the trail is chained with the new key.
    try await AuditArchive(storage).seal()
    return try await storage.retireKey(early: early)
  }

  /// Whether the key is in the data folder's file, which is replaced when the new key is used.
  package var keepsKeyItself: Bool { storage.keepsKeyItself }

  /// Makes a file with the newest key (mode 0600).
  /// - Returns: false if a file is there that has something else.
  package func writeNewestKey(to url: URL) throws -> Bool { try storage.writeNewestKey(to: url) }
}

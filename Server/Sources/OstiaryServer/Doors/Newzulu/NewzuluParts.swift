import Foundation
import OstiaryCore

/// The parts of the server that the door uses, for the lifetime of the server.
struct NewzuluParts: Sendable {
  let configuration: NewzuluDoorConfiguration
  let uploads: NewzuluUploads
  private let storage: ServerStorage
  private let sessions: ServerSessions
  /// Whether uploads are removed when the server ends, like all data of a storage in memory.
  private let isTemporary: Bool

  init(
    _ configuration: NewzuluDoorConfiguration, storage: ServerStorage, folder data: URL?,
    clock: any SessionClock
  ) {
    self.configuration = configuration
    self.storage = storage
    sessions = ServerSessions(
      storage: storage, limits: configuration.sessionLimits, clock: clock, purpose: "newzulu")
    let folder: URL
    if let data {
      isTemporary = false
      folder = data.appendingPathComponent("newzulu")
    } else {
      isTemporary = true
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-newzulu-\(UUID().uuidString)")
    }
    uploads = NewzuluUploads(storage: storage, folder: folder, configuration: configuration, clock: clock)
  }

  /// The door, once its address is known.
  func door(at origin: Origin, identity: IdentityService) async throws -> NewzuluDoor {
    try await uploads.sweep()
    return NewzuluDoor(
      configuration: configuration, keys: try await NewzuluKeys.load(configuration.keys, from: storage),
      origin: origin, identity: identity, sessions: sessions, uploads: uploads)
  }

  /// Removes the uploads of a server with a storage in memory.
  func removeTemporaryFiles() {
    if isTemporary { try? FileManager.default.removeItem(at: uploads.folder) }
  }
}

import Foundation
import Logging
import OstiaryCore

/// The parts of the server that the door uses, for the lifetime of the server.
struct NewzuluParts: Sendable {
  let configuration: NewzuluDoorConfiguration
  let uploads: NewzuluUploads
  private let storage: ServerStorage
  private let sessions: ServerSessions

  init(
    _ configuration: NewzuluDoorConfiguration, storage: ServerStorage, folder data: URL?,
    clock: any SessionClock, logger: Logger
  ) {
    self.configuration = configuration
    self.storage = storage
    sessions = ServerSessions(
      storage: storage, limits: configuration.sessionLimits, clock: clock, purpose: "newzulu")
    let store: any PartStore
    if let bucket = configuration.bucket {
      store = BucketParts(bucket, storage: storage, clock: clock, logger: logger)
    } else {
      // Like all data of a storage in memory, uploads go with the server then.
      let temporary = FileManager.default.temporaryDirectory
      store = FolderParts(
        folder: data?.appendingPathComponent("newzulu")
          ?? temporary.appendingPathComponent("ostiary-newzulu-\(UUID().uuidString)"),
        leastFreeSpace: configuration.leastFreeSpace, isTemporary: data == nil)
    }
    uploads = NewzuluUploads(storage: storage, store: store, configuration: configuration, clock: clock)
  }

  /// The door, once its address is known.
  func door(at origin: Origin, identity: IdentityService) async throws -> NewzuluDoor {
    try await uploads.store.open()
    do {
      try await uploads.sweep()
    } catch let error as ServerError where error.isAboutWritesAlone {
      // It is tidied up when an upload begins, and at another start.
    }
    return NewzuluDoor(
      configuration: configuration, keys: try await NewzuluKeys.load(configuration.keys, from: storage),
      origin: origin, identity: identity, sessions: sessions, uploads: uploads)
  }

  /// Releases what the uploads have open, and removes those of a server with a storage in memory.
  func close() async { await uploads.store.close() }
}

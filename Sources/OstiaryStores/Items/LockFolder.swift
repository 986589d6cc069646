import Foundation
import OstiaryCore

/// Locks on files (`flock`), for stores that have none of their own: every lock of a process is free when it dies.
struct LockFolder: Sendable {
  /// How long a change waits for another, which takes milliseconds unless its process was stopped.
  private static let patience = Duration.seconds(30)

  private let access: FileStore
  private let changes: FileStore

  /// - Parameter folder: a folder for nothing else, the same for all processes that share the store.
  init(_ folder: URL, clock: any SessionClock) {
    access = FileStore(folder: folder, clock: clock)
    changes = FileStore(folder: folder.appending(path: "changes", directoryHint: .isDirectory), clock: clock)
  }

  /// Runs a body that has exclusive access to `key`.
  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await access.withExclusiveAccess(to: key, patience: patience, body)
  }

  /// Runs a change, a comparison and a write, of what is stored for `key`, excluding other changes. It is finished also
  /// when the task is cancelled.
  func change<Result: Sendable>(
    _ key: SessionKey, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await Task { try await changes.withExclusiveAccess(to: key, patience: Self.patience, body) }.value
  }
}

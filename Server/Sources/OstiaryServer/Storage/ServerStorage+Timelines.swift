package import Foundation

extension ServerStorage {
  /// Notes that the database has the content of a back-up: what was committed after it is lost, and clients may know of it. What
  /// restores one calls this before a server uses it. Otherwise a client that has refreshed its tokens since is signed out.
  /// - Parameter survived: when the back-up was made; nil if that is unknown.
  package func beginTimeline(survivedUntil survived: Date?, at now: Date) async throws(ServerError) {
    try await write { db in try Timeline.begin(survivedUntil: survived, at: now, in: db) }
  }

  /// The current timeline.
  package var timeline: Timeline? {
    get async throws(ServerError) { try await read { db in try Timeline.newest(in: db) } }
  }
}

import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import OstiaryCore

/// The object by which a bucket's prefix belongs to one database: a server removes what its database does not know of an upload, so a
/// second database would lose the parts of the first one.
///
/// Its text names the database: by what the database has made at random, and by its last restore. A back-up that is restored beside the
/// database that it was made of is another one.
struct BucketMarker: Sendable {
  static let name = "ostiary-database"

  private let client: BucketClient
  private let storage: ServerStorage
  private let isOwn = Locked(false)

  init(_ client: BucketClient, _ storage: ServerStorage) {
    self.client = client
    self.storage = storage
  }

  private var key: String { client.bucket.prefix + Self.name }

  /// Takes the prefix for this database if no other one has it. A second call does nothing.
  /// - Throws: `bucketDenied` if another one has it, or another code of the bucket's or of the storage.
  func claim() async throws {
    guard !isOwn.withLock({ $0 }) else { return }
    let own = try await text()
    // Of two databases that take it at once the one that has written last has it: the other one finds that out now, or at its next start.
    for _ in 0..<2 {
      let answer = try await client.send(.GET, key)
      guard answer.status == .notFound else {
        guard answer.text.trimmingCharacters(in: .whitespacesAndNewlines) == own else { throw taken }
        return isOwn.withLock { $0 = true }
      }
      try await client.send(.PUT, key, body: ByteBuffer(string: own))
    }
    throw ServerError(
      .bucketBusy, "The store of the bucket for uploads does not have an object that it has taken.",
      retryAfter: .seconds(5))
  }

  private var taken: ServerError {
    ServerError(
      .bucketDenied, "The bucket \(client.bucket.name) has the uploads of another database at this prefix.",
      advice: """
        Give each database a prefix of its own (--newzulu-s3). If the other one is out of use, as one in whose place a back-up was \
        restored, remove the object \(key), and start again.
        """, retryAfter: .seconds(60))
  }

  private func text() async throws(ServerError) -> String {
    let made = try await NewzuluKeys.made(in: storage)
    let restore = try await storage.read { db in
      try db.first(TimelineStatements.sql.lastRestore) { Timeline(&$0) }
    }
    let life = restore.map { "\($0.number) \($0.beganAt?.timeIntervalSince1970 ?? 0)" } ?? ""
    return SHA256.hash(data: Data("ostiary.newzulu.bucket \(made) \(life)".utf8)).hexadecimal
  }
}

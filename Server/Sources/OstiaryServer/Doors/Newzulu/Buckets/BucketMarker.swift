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
  /// Whether the database ends with its server.
  private let isTemporary: Bool
  /// The text, once the prefix is this database's.
  private let own = Locked<String?>(nil)

  init(_ client: BucketClient, _ storage: ServerStorage) {
    self.client = client
    self.storage = storage
    isTemporary = storage.folder == nil
  }

  private var key: String { client.bucket.prefix + Self.name }

  /// Takes the prefix for this database if no other one has it. A second call does nothing.
  /// - Throws: `bucketDenied` if another one has it, or another code of the bucket's or of the storage.
  func claim() async throws {
    guard own.withLock({ $0 }) == nil else { return }
    let text = try await text()
    // Of two databases that take it at once one is let in, and the other one reads whose it is then.
    for _ in 0..<3 {
      let answer = try await client.send(.GET, key, BucketClient.Manner(advice: readingAdvice))
      guard answer.status == .notFound else {
        guard Self.owner(answer) == text else { throw taken }
        return own.withLock { $0 = text }
      }
      try await write(text)
    }
    throw ServerError(
      .bucketBusy, "The store of the bucket for uploads does not have an object that it has taken.",
      retryAfter: .seconds(5))
  }

  /// Gives the prefix back if the database ends with its server: the next one is another database, of which this one's uploads are nothing.
  func release() async {
    guard isTemporary, let text = own.withLock({ $0 }), let answer = try? await client.send(.GET, key),
      Self.owner(answer) == text
    else { return }
    _ = try? await client.send(.DELETE, key)
  }

  private func write(_ text: String) async throws {
    let body = ByteBuffer(string: text)
    var manner = BucketClient.Manner(onlyIfAbsent: true, advice: writingAdvice)
    var answer = try await client.send(.PUT, key, body: body, manner)
    if answer.status == .notImplemented {
      // At such a store the one that has written last has it: the other one finds that out now, or at its next start.
      manner.onlyIfAbsent = false
      answer = try await client.send(.PUT, key, body: body, manner)
    }
    // An object that is to be written can't be missing.
    guard answer.status != .notFound else {
      throw ServerError(
        .bucketDenied, "There is no bucket \(client.bucket.name) at \(client.bucket.endpoint).",
        advice: "Make it, or check its name.", retryAfter: .seconds(60))
    }
  }

  private static func owner(_ answer: BucketClient.Answer) -> String {
    answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// S3 says of an object that is not there that it may not be read, to credentials that may not list it.
  private var readingAdvice: String {
    """
    The server has to read the object \(key), and to be told if it is not there: the credentials need s3:GetObject for it, and \
    s3:ListBucket for the bucket without a condition that leaves it out.
    """
  }

  private var writingAdvice: String {
    "The credentials need s3:PutObject for the object \(key) and for all others at this prefix."
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

import Foundation
import Logging
import NIOCore
import NIOHTTP1
import OstiaryCore

/// Parts as objects of a bucket: `PREFIX/UPLOAD/NAME`.
///
/// A part that fits into one piece is one request; a larger one is a multipart upload of the store's, whose pieces are sent as they arrive.
/// An object is there only when it is complete. What a killed server has left is removed when the upload ends.
struct BucketParts: PartStore {
  /// The most pieces of an object.
  private static let mostPieces = 10_000
  /// The most parts on their way at a time.
  static let mostWriters = 32
  /// The most pages of a list that are read.
  private static let mostPages = 200

  private let client: BucketClient
  private let marker: BucketMarker
  private let logger: Logger
  private let writers = Locked(0)

  init(_ bucket: UploadBucket, storage: ServerStorage, clock: any SessionClock, logger: Logger) {
    client = BucketClient(bucket, clock: clock, logger: logger)
    marker = BucketMarker(client, storage)
    self.logger = logger
  }

  private var bucket: UploadBucket { client.bucket }

  var place: PartPlace {
    let inside = bucket.prefix.isEmpty ? "" : ", under \(bucket.prefix)"
    return PartPlace(
      text: "the bucket \(bucket.name) of \(bucket.endpoint)" + inside, mustBeShared: false,
      members: [
        "bucket": .string(bucket.name), "endpoint": .string(bucket.endpoint.description),
        "prefix": .string(bucket.prefix), "must_be_shared": false,
      ])
  }

  var tidiesAtEnd: Bool { true }

  func open() async throws {
    do {
      let query = [("list-type", "2"), ("max-keys", "1"), ("prefix", bucket.prefix)]
      guard try await client.send(.GET, query: query).status != .notFound else {
        throw ServerConfigurationError(problems: ["There is no bucket \(bucket.name) at \(bucket.endpoint)."])
      }
      try await marker.claim()
    } catch let error as ServerError where error.code == .bucketDenied {
      throw ServerConfigurationError(problems: ["\(error.message) \(error.advice)"])
    } catch let error as ServerError {
      // It may be back soon; uploads are answered with 503 until then.
      logger.warning("The bucket for uploads can't be reached.", metadata: ["error": "\(error.code)"])
    }
  }

  /// A bucket has no end that could be seen.
  func checkSpace(for size: Int) async throws {}

  func begin(_ name: String, ofUpload id: Int64, size: Int) async throws -> any PartWriter {
    // The store may have been away when the server started.
    try await marker.claim()
    let isTaken = writers.withLock { count in
      guard count < Self.mostWriters else { return false }
      count += 1
      return true
    }
    guard isTaken else {
      throw ServerError(.overloaded, "Too many parts are on their way to the bucket.", retryAfter: .seconds(2))
    }
    return BucketPartWriter(
      client: client, key: bucket.prefix(ofUpload: id) + name,
      pieceSize: max(bucket.pieceSize, size / Self.mostPieces + 1)
    ) { [writers] in writers.withLock { $0 -= 1 } }
  }

  func read(_ name: String, ofUpload id: Int64, _ take: (ByteBuffer) async throws -> Void) async throws {
    try await client.read(bucket.prefix(ofUpload: id) + name, take)
  }

  func remove(_ name: String, ofUpload id: Int64) async {
    guard (try? await marker.claim()) != nil else { return }
    _ = try? await client.send(.DELETE, bucket.prefix(ofUpload: id) + name)
  }

  /// All objects of an upload that has ended. Multipart uploads that were not completed are given up on the way.
  func names(ofUpload id: Int64) async -> [String] {
    guard (try? await marker.claim()) != nil else { return [] }
    let prefix = bucket.prefix(ofUpload: id)
    await giveUpBegun(under: prefix)
    var names: [String] = []
    var page: [(name: String, value: String)] = []
    for _ in 0..<Self.mostPages where names.count <= 2 * Self.mostPieces {
      let query = [(name: "list-type", value: "2"), (name: "prefix", value: prefix)] + page
      guard let answer = try? await client.send(.GET, query: query), answer.status == .ok else { break }
      names += XMLText.all("Key", in: answer.text).filter { $0.hasPrefix(prefix) }.map {
        String($0.dropFirst(prefix.count))
      }
      guard XMLText.first("IsTruncated", in: answer.text) == "true",
        let next = XMLText.first("NextContinuationToken", in: answer.text)
      else { break }
      page = [(name: "continuation-token", value: next)]
    }
    return names
  }

  /// Gives up the multipart uploads that were begun and not completed.
  private func giveUpBegun(under prefix: String) async {
    var page: [(name: String, value: String)] = []
    for _ in 0..<Self.mostPages {
      let query = [(name: "uploads", value: ""), (name: "prefix", value: prefix)] + page
      guard let answer = try? await client.send(.GET, query: query), answer.status == .ok else { return }
      let begun = zip(XMLText.all("Key", in: answer.text), XMLText.all("UploadId", in: answer.text))
      for (key, upload) in begun where key.hasPrefix(prefix) {
        _ = try? await client.send(.DELETE, key, query: [("uploadId", upload)])
      }
      guard XMLText.first("IsTruncated", in: answer.text) == "true",
        let key = XMLText.first("NextKeyMarker", in: answer.text),
        let upload = XMLText.first("NextUploadIdMarker", in: answer.text)
      else { return }
      page = [(name: "key-marker", value: key), (name: "upload-id-marker", value: upload)]
    }
  }

  /// What a killed server has left is removed when its upload ends: a bucket may have too many objects to read them all at a start.
  func uploads() async -> [Int64] { [] }

  func close() async {
    await marker.release()
    await client.close()
  }
}

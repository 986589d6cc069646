import Foundation
import NIOCore
import NIOHTTP1
import OstiaryCore

/// A part on its way into a bucket. A piece of it is in memory, so that the piece can be sent again.
struct BucketPartWriter: PartWriter {
  let client: BucketClient
  let key: String
  let pieceSize: Int
  /// Called once, when the part is complete or given up.
  let ended: @Sendable () -> Void

  private var piece = ByteBuffer()
  /// The store's name of the multipart upload, once there is one.
  private var upload: String?
  /// The marks of its pieces.
  private var marks: [String] = []
  private var hasEnded = false

  init(client: BucketClient, key: String, pieceSize: Int, ended: @escaping @Sendable () -> Void) {
    self.client = client
    self.key = key
    self.pieceSize = pieceSize
    self.ended = ended
  }

  mutating func write(_ bytes: ByteBuffer) async throws {
    var bytes = bytes
    while bytes.readableBytes > 0 {
      // A full piece waits for more: the last one completes the part.
      if piece.readableBytes >= pieceSize { try await sendPiece() }
      if var next = bytes.readSlice(length: min(bytes.readableBytes, pieceSize - piece.readableBytes)) {
        piece.writeBuffer(&next)
      }
    }
  }

  mutating func finish() async throws {
    if upload == nil {
      try expect(await client.send(.PUT, key, body: piece))
    } else {
      try await sendPiece()
      try await complete()
    }
    end()
  }

  mutating func discard() async {
    // Of its own: what is to be removed stays to be removed when the request has been cancelled.
    await Task { [client, key, upload] in
      if let upload { _ = try? await client.send(.DELETE, key, query: [("uploadId", upload)]) }
      _ = try? await client.send(.DELETE, key)
    }.value
    end()
  }

  private mutating func end() {
    guard !hasEnded else { return }
    hasEnded = true
    piece = ByteBuffer()
    ended()
  }

  private mutating func sendPiece() async throws {
    let upload = try await begun()
    let answer = try await client.send(
      .PUT, key, query: [("partNumber", String(marks.count + 1)), ("uploadId", upload)], body: piece)
    try expect(answer)
    guard let mark = answer.headers.first(name: "ETag"), mark.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !mark.contains("<"), !mark.contains("&")
    else { throw Self.unclear }
    marks.append(mark)
    piece.clear()
  }

  private mutating func begun() async throws -> String {
    if let upload { return upload }
    let answer = try await client.send(.POST, key, query: [("uploads", "")])
    try expect(answer)
    guard let name = XMLText.first("UploadId", in: answer.text), !name.isEmpty else { throw Self.unclear }
    upload = name
    return name
  }

  private mutating func complete() async throws {
    guard let upload else { return }
    let parts = marks.enumerated().map { index, mark in
      "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(mark)</ETag></Part>"
    }
    let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    let answer = try await client.send(.POST, key, query: [("uploadId", upload)], body: ByteBuffer(string: body))
    if answer.status == .notFound {
      // A lost answer makes the second request one for an upload that is complete already: then the object is there.
      try expect(await client.send(.HEAD, key))
    }
    self.upload = nil
  }

  /// An object or an upload that was there a moment ago is gone: the upload has ended, or the store has lost it.
  private func expect(_ answer: BucketClient.Answer) throws {
    guard answer.status != .notFound else { throw Self.unclear }
  }

  private static let unclear = ServerError(
    .bucketBusy, "The store of the bucket for uploads did not take a piece.", retryAfter: .seconds(5))
}

import Foundation
import HTTPTypes
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Uploads with Newzulu's platform client")
struct UploadTests {
  /// What the blocks of an upload were called with.
  final class Blocks: Sendable {
    let progress = Locked<[[Int64]]>([])
    let ends = Locked<[(error: NewzuluError?, state: UploadState?)]>([])
    private let gate = Gate()

    func end(_ error: NewzuluError?, _ state: UploadState?) {
      ends.withLock { $0.append((error, state)) }
      gate.open()
    }

    func first() async throws -> (error: NewzuluError?, state: UploadState?) {
      try await gate.pass()
      return ends.withLock { $0.first } ?? (nil, nil)
    }
  }

  static var configuration: NewzuluConfiguration {
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = 10
    configuration.uploads.parallelParts = 1
    configuration.uploads.attempts = 0
    return configuration
  }

  static let photo = Upload(
    source: URL(string: "data:image/jpeg;base64," + Data((0..<100).map { UInt8($0) }).base64EncodedString())
      ?? URL(filePath: "/"), info: UploadInfo(title: "Title", description: "Description"))

  @discardableResult
  func start(_ client: PlatformClient, _ upload: Upload, _ blocks: Blocks) -> UploadTask {
    client.startUpload(
      upload, onProgress: { done, total in blocks.progress.withLock { $0.append([done, total]) } },
      onSuccess: { blocks.end(nil, nil) }, onError: { blocks.end($0, $1) })
  }

  @Test("An upload reports its progress in order and its success once")
  func success() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: Self.configuration)
    client.setAnn()
    let blocks = Blocks()
    start(client, Self.photo, blocks)
    #expect(try await blocks.first().error == nil)
    #expect(blocks.progress.withLock { $0 } == (0...10).map { [Int64($0) * 10, 100] })
    #expect(blocks.ends.withLock { $0.count } == 1)
    #expect(stub.files.values.sorted() == ["Title"])
    let data = stub.calls("media.createMultiPartUpload").first?.arguments["fileData"]
    #expect(data?["message"] == "Description" && data?["filename"] == "upload.jpeg" && data?["type"] == "image/jpeg")
  }

  @Test("A failed upload hands over its state, from which it is resumed")
  func resuming() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: Self.configuration)
    client.setAnn()
    let puts = RequestMatch.where { $0.head.method == .put }
    stub.transport.inject(.refuseConnection, into: puts, at: .after(4))
    let blocks = Blocks()
    start(client, Self.photo, blocks)
    let (error, state) = try await blocks.first()
    #expect(error?.reason == .networkFailure)
    let reached = try #require(state)
    #expect(reached.uploadedBytes == 40 && reached.totalBytes == 100)
    stub.transport.setFaults()
    let again = Blocks()
    client.resumeUpload(
      reached, onProgress: { _, _ in }, onSuccess: { again.end(nil, nil) }, onError: { again.end($0, $1) })
    #expect(try await again.first().error == nil)
    #expect(stub.puts == 10)
    #expect(stub.content(ofFile: stub.files.keys.first ?? "") == Data((0..<100).map { UInt8($0) }))
  }

  @Test("Newzulu-N14: reasons before anything is uploaded")
  func reasons() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: Self.configuration)
    var blocks = Blocks()
    start(client, Self.photo, blocks)
    #expect(try await blocks.first().error?.reason == .notAuthenticated)
    client.setCredentials(email: "ann@example.com", password: "wrong")
    blocks = Blocks()
    start(client, Self.photo, blocks)
    let end = try await blocks.first()
    #expect(end.error?.reason == .wrongCredentials)
    #expect(end.state?.uploadedBytes == 0 && end.state?.totalBytes == 0)
    client.setAnn()
    let photo = try #require(URL(string: "assets-library://asset/asset.JPG?id=1"))
    blocks = Blocks()
    start(client, Upload(source: photo, info: UploadInfo(title: "", description: "")), blocks)
    #expect(try await blocks.first().error?.reason == .unknown)
  }

  @Test("A cancelled upload says so once, and can be resumed")
  func cancelling() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: Self.configuration)
    client.setAnn()
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: RequestMatch.where { $0.head.method == .put }, at: .after(3))
    let blocks = Blocks()
    let task = start(client, Self.photo, blocks)
    try await gate.waitForWaiting(1)
    task.cancel()
    let (error, state) = try await blocks.first()
    #expect(error?.reason == .unknown)
    #expect(state?.uploadedBytes == 30)
    gate.open()
  }
}

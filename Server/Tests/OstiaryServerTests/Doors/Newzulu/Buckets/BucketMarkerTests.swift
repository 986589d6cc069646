import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: whose a bucket is", .timeLimit(.minutes(10)))
struct BucketMarkerTests {
  private static func parts(_ stub: BucketStub, _ storage: ServerStorage) throws -> BucketParts {
    BucketParts(try stub.bucket(), storage: storage, clock: .system, logger: LogCollector().logger)
  }

  @Test("S3-09: a second database does not start with a bucket and prefix that another one has, and says what to do")
  func taken() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let bucket = try stub.bucket()
    func run(_ folder: TemporaryFolder) async throws {
      let configure: (inout ServerConfiguration) -> Void = {
        $0.storage = .folder(folder.url)
        $0.newzulu?.bucket = bucket
      }
      try await NewzuluTester.run(configure, addsUsers: false) { _ in }
    }
    let (first, second) = (TemporaryFolder(), TemporaryFolder())
    try await run(first)
    let owner = try #require(stub.owner)
    #expect(owner.count == 64)
    try await run(first)
    let error = await #expect(throws: ServerConfigurationError.self) { try await run(second) }
    let words = error?.problems.joined() ?? ""
    #expect(words.contains("another database") && words.contains("tests/ostiary-database") && words.contains("prefix"))
    #expect(!words.contains(owner) && stub.owner == owner)
    // The operator says that the first one is out of use.
    stub.give(to: nil)
    try await run(second)
    #expect(stub.owner != owner)
    await #expect(throws: ServerConfigurationError.self) { try await run(first) }
  }

  @Test(
    "S3-09: a database that was restored is told from the one of the back-up; one whose key was changed is the same")
  func restored() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let storage = try ServerStorage.forTest()
    try await Self.parts(stub, storage).open()
    let change = KeyChange.atOnce(storage)
    try await change.offer(nil)
    _ = try await change.turn()
    try await Self.parts(stub, storage).open()
    var owners = [stub.owner]
    for time in [1_800_000_001.0, 1_800_000_002.5] {
      try await storage.beginTimeline(survivedUntil: nil, at: Date(timeIntervalSince1970: time))
      await #expect(throws: ServerConfigurationError.self) { try await Self.parts(stub, storage).open() }
      stub.give(to: nil)
      try await Self.parts(stub, storage).open()
      owners.append(stub.owner)
    }
    #expect(Set(owners).count == 3)
    try await storage.close()
  }

  @Test("S3-09: a bucket that was away at the start is looked at before anything is written or removed there")
  func later() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let storage = try ServerStorage.forTest()
    let parts = try Self.parts(stub, storage)
    stub.fail { _ in [BucketStub.error(503, "SlowDown")] }
    try await parts.open()
    stub.fail(nil)
    stub.give(to: "another one")
    stub.put("tests/1/00001-there", "x")
    stub.begin(1, "tests/1/")
    await #expect(throws: ServerError(.bucketDenied, "")) {
      _ = try await parts.begin("00001-new", ofUpload: 1, size: 1)
    }
    #expect(await parts.names(ofUpload: 1).isEmpty)
    await parts.remove("00001-there", ofUpload: 1)
    #expect(stub.objects.keys.sorted() == ["tests/1/00001-there"] && stub.openUploads == 1)
    // It is free again.
    stub.give(to: nil)
    #expect(await parts.names(ofUpload: 1) == ["00001-there"])
    #expect(stub.owner?.count == 64 && stub.openUploads == 0)
    await parts.remove("00001-there", ofUpload: 1)
    #expect(stub.objects.isEmpty)
    await parts.close()
    try await storage.close()
  }

  @Test("S3-09: a store that always says that there is more is not read for ever")
  func endless() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let storage = try ServerStorage.forTest()
    let parts = try Self.parts(stub, storage)
    try await parts.open()
    let more = """
      <R><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken><NextKeyMarker>a</NextKeyMarker>\
      <NextUploadIdMarker>a</NextUploadIdMarker></R>
      """
    stub.fail { request in request.method == "GET" ? [.response(body: more)] : nil }
    #expect(await parts.names(ofUpload: 1).isEmpty)
    #expect(stub.server.requests.count < 1000)
    await parts.close()
    try await storage.close()
  }
}

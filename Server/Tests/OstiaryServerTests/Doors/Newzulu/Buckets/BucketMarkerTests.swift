import Foundation
import HTTPTypes
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

  /// Opens a bucket for a database in memory, and leaves it.
  private static func refusal(_ stub: BucketStub) async throws -> String? {
    let storage = try ServerStorage.forTest()
    let parts = try parts(stub, storage)
    var words: String?
    do {
      try await parts.open()
    } catch let error as ServerConfigurationError {
      words = error.problems.joined()
    }
    try await storage.close()
    return words
  }

  private static func isMarker(_ request: LoopbackServer.Request, _ method: String) -> Bool {
    request.method == method && request.path == "/uploads/" + BucketStub.marker
  }

  @Test("S3-09: of two databases that take a prefix at once one is let in, and the other is refused")
  func race() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let isOnce = Locked(true)
    // The other one writes after this one has looked.
    stub.fail { [weak stub] request in
      if Self.isMarker(request, "PUT"), isOnce.withLock({ $0 }) {
        isOnce.withLock { $0 = false }
        stub?.give(to: "another one")
      }
      return nil
    }
    #expect(try await Self.refusal(stub)?.contains("another database") == true)
    #expect(stub.owner == "another one" && !isOnce.withLock { $0 })
  }

  @Test(
    "S3-09: a store that knows no condition, or is writing the object for another request, is asked again",
    arguments: [(501, "NotImplemented"), (409, "ConditionalRequestConflict")])
  func conditions(_ status: Int, _ code: String) async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    stub.fail(1, BucketStub.error(status, code)) { Self.isMarker($0, "PUT") && $0.fields[.ifNoneMatch] == "*" }
    #expect(try await Self.refusal(stub) == nil)
    #expect(stub.owner?.count == 64)
    let writes = stub.server.requests.filter { Self.isMarker($0, "PUT") }
    #expect(writes.map { $0.fields[.ifNoneMatch] } == ["*", status == 501 ? nil : "*"])
  }

  @Test("S3-09: an answer that is lost after the object was written does not look like another database's")
  func lostAnswer() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    stub.loseAnswer { Self.isMarker($0, "PUT") }
    #expect(try await Self.refusal(stub) == nil)
    #expect(stub.owner?.count == 64)
  }

  @Test("S3-09: credentials that may not look at the object, or not write it, are told which right they lack")
  func rights() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    for (method, right) in [("GET", "s3:ListBucket"), ("PUT", "s3:PutObject")] {
      stub.fail { Self.isMarker($0, method) ? [BucketStub.error(403, "AccessDenied")] : nil }
      let words = try #require(try await Self.refusal(stub))
      #expect(words.contains(right) && words.contains("403") && words.contains(BucketStub.marker), "\(words)")
      #expect(stub.owner == nil)
    }
  }

  @Test("S3-09: a bucket that is gone when it is to be taken is called so")
  func gone() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    stub.fail { $0.path == "/uploads/" + BucketStub.marker ? [BucketStub.error(404, "NoSuchBucket")] : nil }
    let words = try #require(try await Self.refusal(stub))
    #expect(words.contains("There is no bucket uploads"), "\(words)")
  }

  @Test("S3-09: a server whose database is in memory gives the prefix back when it stops, and only its own")
  func inMemory() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    func storage() throws -> ServerStorage { try ServerStorage(inMemory: Migrations.all(of: houseDoors)) }
    let storages = try (0..<2).map { _ in try storage() }
    let parts = try storages.map { try Self.parts(stub, $0) }
    try await parts[0].open()
    let owner = try #require(stub.owner)
    // While the first one is there, or after it was killed.
    await #expect(throws: ServerConfigurationError.self) { try await parts[1].open() }
    await parts[1].close()
    #expect(stub.owner == owner)
    await parts[0].close()
    #expect(stub.owner == nil)
    let later = try Self.parts(stub, storages[1])
    try await later.open()
    stub.give(to: "another one")
    await later.close()
    #expect(stub.owner == "another one")
    for storage in storages { try await storage.close() }

    // One on a disk keeps it.
    stub.give(to: nil)
    let folder = TemporaryFolder()
    let stored = try ServerStorage.forTest(in: folder.url)
    let kept = try Self.parts(stub, stored)
    try await kept.open()
    await kept.close()
    #expect(stub.owner?.count == 64)
    try await stored.close()
  }
}

import Foundation
import Logging
import NIOCore
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

extension NewzuluTester {
  /// What the server reads of a file, from its store.
  func read(_ upload: Upload) async throws -> String {
    var bytes: [UInt8] = []
    try await server.application.door(NewzuluDoor.self)?.read(file: upload.number) { bytes += $0.readableBytesView }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("Newzulu door: uploads in a bucket", .timeLimit(.minutes(20)))
struct BucketUploadTests {
  private static func run(
    pieceSize: Int = 8 << 20, _ body: (NewzuluTester, BucketStub) async throws -> Void
  ) async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let bucket = try stub.bucket(pieceSize: pieceSize)
    try await NewzuluTester.run({ $0.newzulu?.bucket = bucket }) { try await body($0, stub) }
    #expect(stub.wrongHashes == 0)
  }

  @Test("S3-03: parts are objects, and the file is read from them; a part that was sent again replaces the first")
  func upload() async throws {
    try await Self.run { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 25, token: token)
      for (part, text) in [(2, "2222222222"), (1, "xxxxxxxxxx"), (1, "1111111111"), (3, "33333")] {
        let answer = try await tester.put(text, to: upload.urls[part])
        #expect(answer.status == 200 && answer.header("ETag") == "\"\(SHA256Mark.of(text))\"")
      }
      #expect(stub.objects.count == 3 && stub.objects.keys.allSatisfy { $0.hasPrefix("tests/\(upload.number)/") })
      #expect(try await tester.complete(upload, token: token).result?["status"] == "1")
      #expect(try await tester.read(upload) == "1111111111222222222233333")
      #expect(try await tester.content(of: upload) == "")
    }
  }

  @Test("S3-03: a part that is larger than a piece goes in pieces, and is one object", arguments: [1, 7, 10, 99, 100])
  func pieces(_ pieceSize: Int) async throws {
    try await Self.run(pieceSize: pieceSize) { tester, stub in
      let token = try await tester.token()
      let text = String((0..<100).map { Character(Unicode.Scalar(UInt8(0x21 + $0 % 90))) })
      let upload = try await tester.upload(size: 100, partSize: 100, token: token)
      #expect(try await tester.put(text, to: upload.urls[1]).status == 200)
      #expect(stub.objects.count == 1 && stub.openUploads == 0)
      #expect(try await tester.complete(upload, token: token).result != nil)
      #expect(try await tester.read(upload) == text)
    }
  }

  @Test("S3-04: a store that is busy is asked again, for each kind of request")
  func busy() async throws {
    let busy = [BucketStub.error(503, "SlowDown"), BucketStub.error(500, "InternalError"), .reset, .close]
    for action in busy {
      try await Self.run(pieceSize: 40) { tester, stub in
        let token = try await tester.token()
        let upload = try await tester.upload(size: 100, partSize: 100, token: token)
        for choice in ["uploads=", "partNumber=2", "uploadId="] {
          stub.fail(2, action) { $0.method != "DELETE" && $0.target.contains(choice) }
          #expect(try await tester.put(String(repeating: "a", count: 100), to: upload.urls[1]).status == 200)
        }
        stub.fail(nil)
        #expect(try await tester.complete(upload, token: token).result != nil)
        #expect(try await tester.read(upload) == String(repeating: "a", count: 100))
      }
    }
  }

  @Test("S3-04: a store that stays busy is 503 with a time to come back, and no part is confirmed; then it goes on")
  func staysBusy() async throws {
    try await Self.run { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      stub.fail { _ in [BucketStub.error(503, "SlowDown")] }
      let answer = try await tester.put("1111111111", to: upload.urls[1])
      #expect(answer.status == 503 && answer.header("Retry-After") != nil)
      #expect(try await tester.complete(upload, token: token).code == 142)
      stub.fail(nil)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 200)
      #expect(try await tester.complete(upload, token: token).result != nil)
      #expect(try await tester.read(upload) == "1111111111")
    }
  }

  @Test("S3-04: an error behind a status that was a success is an error")
  func errorBehindSuccess() async throws {
    try await Self.run(pieceSize: 40) { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 100, partSize: 100, token: token)
      let late = LoopbackServer.Action.response(
        body: "<?xml version=\"1.0\"?> <Error><Code>InternalError</Code></Error>")
      stub.fail(1, late) { $0.method == "POST" && $0.target.contains("uploadId=") }
      #expect(try await tester.put(String(repeating: "e", count: 100), to: upload.urls[1]).status == 200)
      #expect(try await tester.complete(upload, token: token).result != nil)
      #expect(try await tester.read(upload) == String(repeating: "e", count: 100))
    }
  }

  @Test("S3-05, S3-08: a store that refuses is 503, and the log says why, without a secret")
  func denied() async throws {
    try await Self.run { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      stub.fail { _ in [BucketStub.error(403, "AccessDenied")] }
      let answer = try await tester.put("1111111111", to: upload.urls[1])
      #expect(answer.status == 503 && answer.header("Retry-After") == "60")
      // What is no name is not repeated.
      stub.fail { _ in [BucketStub.error(403, "planted words")] }
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 503)
      let requests = stub.server.requests
      #expect(requests.allSatisfy { !String(decoding: $0.head, as: UTF8.self).contains(BucketStub.secret) })
      stub.fail(nil)
      let log = tester.server.logs.text
      #expect(log.contains("AccessDenied") && !log.contains("planted") && !log.contains("AKIAEXAMPLE"))
    }
  }

  @Test(
    "S3-05: a server does not start with a bucket that isn't there or that refuses, and starts with one that is away")
  func start() async throws {
    for fault in [BucketStub.error(404, "NoSuchBucket"), BucketStub.error(403, "InvalidAccessKeyId")] {
      let stub = try BucketStub()
      defer { stub.server.stop() }
      stub.fail { _ in [fault] }
      let bucket = try stub.bucket()
      await #expect(throws: ServerConfigurationError.self) {
        try await NewzuluTester.run({ $0.newzulu?.bucket = bucket }) { _ in }
      }
    }
    let stub = try BucketStub()
    let bucket = try stub.bucket()
    stub.server.stop()
    try await NewzuluTester.run({ $0.newzulu?.bucket = bucket }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 503)
    }
  }

  @Test("S3-06: an answer of the store's that is lost loses nothing: the part is there, or it is not confirmed")
  func lostAnswers() async throws {
    for (method, choice) in [("PUT", "partNumber=1"), ("PUT", "partNumber=3"), ("POST", "uploadId=")] {
      try await Self.run(pieceSize: 40) { tester, stub in
        let token = try await tester.token()
        let upload = try await tester.upload(size: 100, partSize: 100, token: token)
        stub.loseAnswer { $0.target.contains(choice) && $0.method == method }
        let text = String(repeating: "b", count: 100)
        #expect(try await tester.put(text, to: upload.urls[1]).status == 200)
        #expect(try await tester.complete(upload, token: token).result != nil)
        #expect(try await tester.read(upload) == text)
        #expect(stub.openUploads == 0)
      }
    }
  }

  @Test("S3-06: a connection that a client cuts leaves no object, and no pieces")
  func cut() async throws {
    try await Self.run(pieceSize: 10) { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 100, partSize: 100, token: token)
      _ = try await RawConnection(port: tester.server.running.port).exchange(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPUT \(try upload.path(1)) HTTP/1.1\r\nHost: localhost\r\n"
          + "Content-Length: 100\r\n\r\n" + String(repeating: "c", count: 60), until: { $0.contains("ok\n") })
      try await waitUntil { stub.server.requests.contains { $0.method == "DELETE" } && stub.openUploads == 0 }
      #expect(stub.objects.isEmpty)
      #expect(try await tester.put(String(repeating: "d", count: 100), to: upload.urls[1]).status == 200)
    }
  }

  @Test("S3-06: what a killed server has left is removed when its upload ends, and nothing of other uploads")
  func leftOvers() async throws {
    try await Self.run { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      let other = try await tester.upload(size: 10, token: token)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 200)
      #expect(try await tester.put("2222222222", to: other.urls[1]).status == 200)
      for name in 0..<5 { stub.put("tests/\(upload.number)/0000\(name)-left", "x") }
      stub.begin(7, "tests/\(upload.number)/")
      stub.put("tests/\(other.number)/left", "x")
      #expect(try await tester.complete(upload, token: token).result != nil)
      #expect(try await tester.read(upload) == "1111111111")
      #expect(stub.objects.keys.filter { $0.hasPrefix("tests/\(upload.number)/") }.count == 1)
      #expect(stub.openUploads == 0)
      #expect(stub.objects.keys.filter { $0.hasPrefix("tests/\(other.number)/") }.count == 2)
      #expect(try await tester.abort(other, token: token).result == true)
      #expect(stub.objects.keys.filter { $0.hasPrefix("tests/\(other.number)/") }.isEmpty)
    }
  }

  @Test("S3-06: what is stored of an upload goes also when the request that ends it is cancelled on the way")
  func cancelled() async throws {
    try await Self.run { tester, stub in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 200)
      let uploads = try #require(tester.server.application.door(NewzuluDoor.self)).uploads
      let jane = try #require(try await tester.server.identity.user(named: "jane", tenant: "1281"))
      let ending = Locked<Task<Void, any Error>?>(nil)
      stub.fail { _ in
        ending.withLock { $0 }?.cancel()
        return nil
      }
      // With the lock held: the first request finds the task.
      let task = ending.withLock { ending in
        let task = Task { try await uploads.abort(upload.number, of: jane, vhost: nil) }
        ending = task
        return task
      }
      try await task.value
      #expect(task.isCancelled && stub.objects.isEmpty)
    }
  }

  @Test("S3-04: a store is not asked again when the patience is over; a read of a busy one is busy, and not refused")
  func patience() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    var bucket = try stub.bucket()
    bucket.patience = .zero
    let client = BucketClient(bucket, clock: .system, logger: Logger(label: "test"))
    stub.fail { _ in [BucketStub.error(503, "SlowDown")] }
    await #expect(throws: ServerError(.bucketBusy, "")) {
      try await client.send(.PUT, "tests/1/x", body: ByteBuffer(string: "abc"))
    }
    #expect(stub.server.requests.count == 1)
    await #expect(throws: ServerError(.bucketBusy, "")) { try await client.read("tests/1/x") { _ in } }
    stub.fail { _ in [BucketStub.error(403, "AccessDenied")] }
    await #expect(throws: ServerError(.bucketDenied, "")) { try await client.read("tests/1/x") { _ in } }
    await client.close()
  }

  @Test("S3-07: several servers share a bucket: an upload that is begun at one goes on and is read at another")
  func nodes() async throws {
    let stub = try BucketStub()
    defer { stub.server.stop() }
    let bucket = try stub.bucket()
    let folder = TemporaryFolder()
    let configure: (inout ServerConfiguration) -> Void = {
      $0.storage = .folder(folder.url)
      $0.newzulu?.bucket = bucket
    }
    try await NewzuluTester.run(configure) { first in
      let token = try await first.token()
      let upload = try await first.upload(size: 20, token: token)
      #expect(try await first.put("1111111111", to: upload.urls[1]).status == 200)
      try await NewzuluTester.run(configure, addsUsers: false) { second in
        let state = try await second.state(upload, token: token)
        #expect(state.result?["parts"]?.array?.count == 1)
        let fresh = try NewzuluTester.upload(state)
        #expect(try await second.put("2222222222", to: fresh.urls[2]).status == 200)
        #expect(try await second.complete(upload, token: token).result != nil)
        #expect(try await second.read(upload) == "11111111112222222222")
      }
      #expect(try await first.read(upload) == "11111111112222222222")
    }
  }

  @Test("S3-07: where servers share a key, the address of a part is good at each of them")
  func addresses() throws {
    let ring = KeyRing.temporary()
    let origin = try #require(Origin(scheme: "http", authority: "localhost"))
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let secret = NewzuluPartAddresses(origin: origin, ring: ring).secret(forUpload: 7, until: now + 60)
    #expect(NewzuluPartAddresses(origin: origin, ring: ring).upload(of: secret, at: now) == 7)
    #expect(NewzuluPartAddresses(origin: origin, ring: ring).upload(of: secret, at: now + 61) == nil)
    #expect(NewzuluPartAddresses(origin: origin, ring: .temporary()).upload(of: secret, at: now) == nil)
    #expect(NewzuluPartAddresses(origin: origin).upload(of: secret, at: now) == nil)
  }
}

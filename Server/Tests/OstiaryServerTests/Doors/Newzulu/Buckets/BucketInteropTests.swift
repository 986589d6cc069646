import Foundation
import OstiaryCore
import NIOHTTP1
import OstiaryTesting
import PythonTestSupport
import Testing

@testable import OstiaryServer

/// A store that others wrote: moto, by which programs for AWS are tested.
@Suite("Newzulu door: uploads in a bucket of another program's", .timeLimit(.minutes(20)))
struct BucketInteropTests {
  private static let python = PythonEnvironment(name: "python-s3", packages: ["moto[server]>=5,<6"])

  @Test(
    "S3-07: parts in pieces and whole, at two servers, are one file in the bucket; an aborted one leaves nothing",
    .enabled("There is no Python 3 with venv, or its package registry can't be reached.") {
      await Self.python.interpreter() != nil
    })
  func upload() async throws {
    let python = try #require(await Self.python.interpreter())
    let port = try LoopbackPort.free()
    let process = try ChildProcess(python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", "\(port)"])
    defer { process.kill() }
    let bucket = try await Self.makeBucket(at: port)
    let folder = TemporaryFolder()
    let configure: (inout ServerConfiguration) -> Void = {
      $0.storage = .folder(folder.url)
      $0.newzulu?.bucket = bucket
    }
    // Amazon's least piece, and some more.
    let text = String(repeating: "0123456789abcdef", count: 400_000)
    try await NewzuluTester.run(configure) { first in
      let token = try await first.token()
      let upload = try await first.upload(size: text.utf8.count + 5, partSize: text.utf8.count, token: token)
      #expect(try await first.put(text, to: upload.urls[1]).status == 200)
      try await NewzuluTester.run(configure, addsUsers: false) { second in
        let fresh = try NewzuluTester.upload(try await second.state(upload, token: token))
        #expect(try await second.put("hello", to: fresh.urls[2]).status == 200)
        #expect(try await second.complete(upload, token: token).result != nil)
        #expect(try await second.read(upload) == text + "hello")
      }
      let aborted = try await first.upload(size: 10, token: token)
      #expect(try await first.put("1111111111", to: aborted.urls[1]).status == 200)
      #expect(try await first.abort(aborted, token: token).result == true)
      let client = BucketClient(bucket, clock: AdjustableClock(), logger: first.server.logs.logger)
      let listed = try await client.send(.GET, query: [("list-type", "2")])
      let names = XMLText.all("Key", in: listed.text).filter { $0 != "tests/\(BucketMarker.name)" }
      #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("tests/\(upload.number)/") })
      await client.close()
    }
  }

  /// Waits for the store, and makes a bucket.
  private static func makeBucket(at port: Int) async throws -> UploadBucket {
    let credentials = try #require(UploadBucket.Credentials(id: "AKIAEXAMPLE", secret: "secret"))
    var bucket = try #require(UploadBucket("http://127.0.0.1:\(port)/uploads/tests", credentials: credentials))
    bucket.pieceSize = 5 << 20
    // A Python takes its time to start.
    bucket.waits = Array(repeating: .milliseconds(200), count: 300)
    bucket.patience = .seconds(300)
    let client = BucketClient(bucket, clock: AdjustableClock(), logger: LogCollector().logger)
    #expect(try await client.send(.PUT).status == .ok)
    await client.close()
    return bucket
  }
}

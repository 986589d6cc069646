import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

/// The mark that a part of that content must get.
enum SHA256Mark {
  static func of(_ content: String) -> String {
    SHA256.hash(data: Data(content.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

@Suite("Newzulu door: uploads that are disturbed", .timeLimit(.minutes(10)))
struct NewzuluUploadRecoveryTests {
  @Test("A connection that is cut in the middle of a part leaves no part, and no file")
  func cut() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 20, token: token)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 200)
      for part in [1, 2] {
        _ = try await RawConnection(port: tester.server.running.port).exchange(
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nPUT \(try upload.path(part)) HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Length: 10\r\n\r\nhalf", until: { $0.contains("ok\n") })
      }
      // The server notices the cut when it notices it: wait for the files it was writing to go.
      try await waitUntil { folder.partFiles.count == 1 }
      let state = try await tester.state(upload, token: token)
      #expect(state.result?["parts"]?.array?.count == 1)
      #expect(try await tester.content(of: upload) == "1111111111")
      #expect(try await tester.put("2222222222", to: upload.urls[2]).status == 200)
      #expect(try await tester.complete(upload, token: token).result != nil)
    }
  }

  @Test("A server that is stopped or killed half-way is asked where to go on; what it had is still there")
  func restart() async throws {
    let folder = TemporaryFolder()
    let (token, upload) = try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 25, token: token)
      #expect(try await tester.put("2222222222", to: upload.urls[2]).status == 200)
      return (token, upload)
    }
    // What a killed process leaves: a file that was never written down, in this upload and in an unknown one.
    let uploads = folder.url.appendingPathComponent("newzulu")
    let orphan = uploads.appendingPathComponent("\(upload.number)/00001-0123456789abcdef")
    let stranger = uploads.appendingPathComponent("4711/00001-0123456789abcdef")
    try FileManager.default.createDirectory(
      at: stranger.deletingLastPathComponent(), withIntermediateDirectories: true)
    for file in [orphan, stranger] { try Data("half".utf8).write(to: file) }
    // And one that another process is at work on.
    let busy = uploads.appendingPathComponent("\(upload.number)/00003-0123456789abcdef")
    let writer = try await PartFile.create(at: busy)

    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }, addsUsers: false) { tester in
      #expect(!FileManager.default.fileExists(atPath: orphan.path))
      #expect(!FileManager.default.fileExists(atPath: stranger.deletingLastPathComponent().path))
      #expect(FileManager.default.fileExists(atPath: busy.path))
      await writer.discard()
      let state = try await tester.state(upload, token: token)
      #expect(state.result?["parts"]?.array?.compactMap { $0["part"]?.double } == [2])
      let fresh = try NewzuluTester.upload(state)
      #expect(try await tester.put("1111111111", to: fresh.urls[1]).status == 200)
      // The addresses died with the server that gave them, unless it shares its database with others.
      let old = try #require(upload.urls[1]).replacing(/http:\/\/[^\/]*/, with: tester.server.origin)
      let isShared = tester.server.identity.storage.isShared
      #expect(try await tester.put("1111111111", to: old).status == (isShared ? 200 : 403))
      #expect(try await tester.put("33333", to: fresh.urls[3]).status == 200)
      #expect(try await tester.complete(upload, token: token).result?["status"] == "1")
      #expect(try await tester.content(of: upload) == "1111111111222222222233333")
    }
  }

  @Test("Addresses expire; fresh ones are given; a made-up one is 403")
  func expiry() async throws {
    try await NewzuluTester.run({ $0.newzulu?.partAddressLifetime = .seconds(60) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 5, token: token)
      let url = try #require(upload.urls[1])
      tester.server.clock.advance(by: 61)
      #expect(try await tester.put("hello", to: url).status == 403)
      let fresh = try NewzuluTester.upload(try await tester.state(upload, token: token))
      #expect(try await tester.put("hello", to: fresh.urls[1]).status == 200)
      #expect(try await tester.put("hello", to: fresh.urls[1]?.replacing(/1$/, with: "2")).status == 404)
      for part in ["0", "-1", "x", "99999999999999999999"] {
        #expect(try await tester.put("hello", to: fresh.urls[1]?.replacing(/1$/, with: part)).status == 404)
      }
      for secret in [String(repeating: "A", count: 64), "x"] {
        #expect(try await tester.put("hello", to: "/services/parts/\(secret)/1").status == 403)
      }
    }
  }

  @Test("An upload in which nothing happens for long is given up with its files; one in use is not")
  func forgotten() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({
      $0.storage = .folder(folder.url)
      $0.newzulu?.unfinishedLifetime = .seconds(3600)
    }) { tester in
      let token = try await tester.token()
      let idle = try await tester.upload(size: 20, token: token)
      #expect(try await tester.put("1111111111", to: idle.urls[1]).status == 200)
      let busy = try await tester.upload(size: 20, token: token)
      tester.server.clock.advance(by: 2000)
      #expect(try await tester.put("1111111111", to: busy.urls[1]).status == 200)
      tester.server.clock.advance(by: 2000)
      _ = try await tester.upload(size: 5, token: token)
      #expect(try await tester.state(idle, token: token).code == 130)
      #expect(try await tester.state(busy, token: token).result?["parts"]?.array?.count == 1)
      #expect(folder.partFiles.count == 1)
    }
  }

  @Test("A disk without room to spare is 507 with a time to come back, at the beginning and for a part")
  func noRoom() async throws {
    let folder = TemporaryFolder()
    let (token, upload) = try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      return (token, try await tester.upload(size: 20, token: token))
    }
    try await NewzuluTester.run(
      {
        $0.storage = .folder(folder.url)
        $0.newzulu?.leastFreeSpace = Int.max
      }, addsUsers: false
    ) { tester in
      let fresh = try NewzuluTester.upload(try await tester.state(upload, token: token))
      for answer in [
        try await tester.put("1111111111", to: fresh.urls[1]), try await tester.begin(size: 5, token: token),
      ] {
        #expect(answer.status == 507)
        #expect(answer.header("Retry-After") != nil)
        #expect(answer.code == 150)
        #expect(answer.json["message"]?.string?.contains("disk is full") == true)
      }
      #expect(folder.partFiles.isEmpty)
    }
  }

  @Test("A disk that fills up while a part is written is told from any other failure")
  func diskFull() async throws {
    let full = try PartFile(opening: URL(fileURLWithPath: "/dev/full"))
    await #expect(throws: ServerError(.storageFull, "")) {
      try await full.write(ByteBuffer(string: "no room"))
    }
    let nowhere = URL(fileURLWithPath: "/proc/ostiary/part")
    await #expect(throws: ServerError.self) { _ = try await PartFile.create(at: nowhere) }
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent("part")
    let first = try await PartFile.create(at: file)
    #expect(PartFile.isInUse(file))
    await #expect(throws: ServerError(.storageFailed, "")) { _ = try await PartFile.create(at: file) }
    try await first.write(ByteBuffer(string: "all of it"))
    try await first.synchronize()
    #expect(try String(contentsOf: file, encoding: .utf8) == "all of it")
    #expect(try folder.mode(of: "part") == 0o600)
    await first.discard()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("A long part goes to the disk as it arrives")
  func longPart() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let size = 48 << 20
      let upload = try await tester.upload(size: size, partSize: size, token: token)
      let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
      var request = HTTPClientRequest(url: try #require(upload.urls[1]))
      request.method = .PUT
      request.body = .stream(
        AsyncStream<ByteBuffer> { stream in
          for _ in 0..<48 { stream.yield(piece) }
          stream.finish()
        }, length: .known(Int64(size)))
      let answer = try await Client.shared.execute(request, timeout: .seconds(120))
      #expect(answer.status == .ok)
      #expect(try await tester.complete(upload, token: token).result?["filesize"]?.double == Double(size))
      let files = try await tester.server.application.door(NewzuluDoor.self)?.content(ofFile: upload.number) ?? []
      let attributes = try FileManager.default.attributesOfItem(atPath: try #require(files.first).path)
      #expect((attributes[.size] as? NSNumber)?.intValue == size)
    }
  }

  @Test("What was uploaded to a server in memory is gone with it")
  func temporary() async throws {
    let file = try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 5, token: token)
      #expect(try await tester.put("hello", to: upload.urls[1]).status == 200)
      let file = try #require(
        try await tester.server.application.door(NewzuluDoor.self)?.content(ofFile: upload.number).first)
      #expect(FileManager.default.fileExists(atPath: file.path))
      return file
    }
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().deletingLastPathComponent().path))
  }
}

import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Newzulu door: uploads in parts", .timeLimit(.minutes(10)))
struct NewzuluUploadTests {
  @Test("Parts in any order become the file", arguments: NewzuluTester.Transport.allCases)
  func outOfOrder(transport: NewzuluTester.Transport) async throws {
    try await NewzuluTester.run { tester in
      let tester = tester.with(transport)
      let token = try await tester.token()
      let begun = try await tester.begin(size: 25, token: token)
      #expect(begun.result?["status"] == "5")
      let upload = try NewzuluTester.upload(begun)
      #expect(upload.partSize == 10)
      #expect(upload.urls.keys.sorted() == [1, 2, 3])
      var etags: [Int: String] = [:]
      for (part, content) in [(3, "33333"), (1, "1111111111"), (2, "2222222222")] {
        let answer = try await tester.put(content, to: upload.urls[part])
        #expect(answer.status == 200)
        let etag = try #require(answer.header("ETag"))
        #expect(etag.contains(/^"[0-9a-f]{64}"$/))
        etags[part] = etag
      }
      let item = try await tester.complete(upload, NewzuluTester.marks(etags), token: token)
      #expect(item.result?["status"] == "1")
      #expect(item.result?["filesize"] == 25)
      #expect(try await tester.content(of: upload) == "1111111111222222222233333")
      let again = try await tester.complete(upload, NewzuluTester.marks(etags), token: token)
      #expect(again.body == item.body)
      let state = try await tester.state(upload, token: token)
      #expect(state.result?["status"] == "1")
      #expect(state.result?.object?.keys.contains("partUrls") == false)
      #expect(try await tester.put("late", to: upload.urls[3]).status == 404)
    }
  }

  @Test(
    "The server decides the size of parts, and how many there are",
    arguments: [
      (0, 10, 10, 1), (1, 10, 10, 1), (10, 10, 10, 1), (11, 10, 10, 2), (100, 3, 10, 10), (100, 64, 64, 2),
      (5, 1_000_000, 1_000_000, 1), (100, 0, 10, 10), (1_000_000, 10, 101, 9901),
    ])
  func plan(size: Int, asked: Int, partSize: Int, parts: Int) async throws {
    try await NewzuluTester.run { tester in
      let upload = try await tester.upload(size: size, partSize: asked, token: try await tester.token())
      #expect(upload.partSize == partSize)
      #expect(upload.urls.keys.sorted() == Array(1...parts))
    }
  }

  @Test("By default a part has 5 MiB at least, the vendor's minimum")
  func vendorsMinimum() async throws {
    try await NewzuluTester.run({ $0.newzulu?.leastPartSize = NewzuluDoorConfiguration().leastPartSize }) { tester in
      let upload = try await tester.upload(size: 6 << 20, token: try await tester.token())
      #expect(upload.partSize == 5_242_880)
      #expect(upload.urls.count == 2)
    }
  }

  @Test("An empty file is one empty part")
  func empty() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 0, token: token)
      #expect(try await tester.complete(upload, token: token).code == 142)
      #expect(try await tester.put("", to: upload.urls[1]).status == 200)
      #expect(try await tester.complete(upload, token: token).result?["filesize"] == 0)
      #expect(try await tester.content(of: upload) == "")
    }
  }

  @Test("A part sent again replaces the one before, and leaves no file behind")
  func repeated() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      let first = try await tester.put("aaaaaaaaaa", to: upload.urls[1]).header("ETag")
      let second = try await tester.put("bbbbbbbbbb", to: upload.urls[1]).header("ETag")
      #expect(first != second)
      #expect(folder.partFiles.count == 1)
      let stale = try await tester.complete(upload, NewzuluTester.marks([1: first ?? ""]), token: token)
      #expect(stale.code == 142)
      #expect(stale.json["message"] == "Parts missing: 1")
      #expect(try await tester.complete(upload, NewzuluTester.marks([1: second ?? ""]), token: token).result != nil)
      #expect(try await tester.content(of: upload) == "bbbbbbbbbb")
    }
  }

  @Test("One part sent many times at once ends up as one of them, whole")
  func racing() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 10, token: token)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for digit in 0..<10 {
          group.addTask {
            try await tester.put(String(repeating: String(digit), count: 10), to: upload.urls[1]).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
      let content = try await tester.content(of: upload)
      #expect(content.utf8.count == 10)
      #expect(Set(content).count == 1)
      #expect(folder.partFiles.count == 1)
      let etag = try await tester.state(upload, token: token).result?["parts"]?.array?.first?["etag"]?.string
      #expect(etag == Self.mark(content))
    }
  }

  @Test(
    "A part of the wrong size is 400 or 413 and leaves nothing", arguments: [("short", 400), ("much too long", 413)])
  func wrongSize(content: String, status: Int) async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 25, token: token)
      #expect(try await tester.put(content, to: upload.urls[2]).status == status)
      let port = tester.server.running.port
      let path = try upload.path(2)
      let head = "PUT \(path) HTTP/1.1\r\nHost: localhost\r\n"
      let size = String(content.utf8.count, radix: 16)
      let chunked = try await RawConnection(port: port).exchange(
        head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(content)\r\n0\r\n\r\n",
        until: { $0.contains("\r\n\r\n") })
      #expect(chunked.hasPrefix("HTTP/1.1 \(status) "))
      let bare = try await RawConnection(port: port).exchange(
        head + "\r\n", until: { $0.contains("\r\n\r\n") })
      #expect(bare.hasPrefix("HTTP/1.1 400 "))
      #expect(try await tester.state(upload, token: token).result?["parts"] == .array([]))
      #expect(folder.partFiles.isEmpty)
    }
  }

  @Test("A part announced as 1 GiB is 413 before it is sent")
  func announced() async throws {
    try await NewzuluTester.run { tester in
      let upload = try await tester.upload(size: 25, token: try await tester.token())
      let path = try upload.path(1)
      let answer = try await RawConnection(port: tester.server.running.port).exchange(
        "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1073741824\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test("Who waits to be asked for a part is asked, unless it would be in vain (RFC 9110 §10.1.1)")
  func expectation() async throws {
    try await NewzuluTester.run { tester in
      let upload = try await tester.upload(size: 10, token: try await tester.token())
      let path = try upload.path(1)
      func send(_ path: String) async throws -> String {
        try await RawConnection(port: tester.server.running.port).exchange(
          [
            "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n",
            "0123456789",
          ],
          pause: .seconds(1), until: { $0.contains(/HTTP\/1\.1 [2-5]\d\d .*\r\n\r\n/.dotMatchesNewlines()) })
      }
      let good = try await send(path)
      #expect(good.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
      let bad = try await send("/services/parts/x/1")
      #expect(bad.hasPrefix("HTTP/1.1 403 "))
    }
  }

  @Test("Too large a file is code 140, too many unfinished ones 141; finishing or giving one up makes room")
  func limits() async throws {
    try await NewzuluTester.run({
      $0.newzulu?.largestFile = 100
      $0.newzulu?.mostUnfinishedUploads = 2
    }) { tester in
      let token = try await tester.token()
      #expect(try await tester.begin(size: 101, token: token).code == 140)
      #expect(try await tester.begin(size: Int.max, token: token).code == 140)
      let one = try await tester.upload(size: 100, token: token)
      let two = try await tester.upload(size: 1, token: token)
      #expect(try await tester.begin(size: 1, token: token).code == 141)
      #expect(try await tester.begin(size: 1, token: try await tester.token("bob")).result != nil)
      #expect(try await tester.abort(one, token: token).result == true)
      #expect(try await tester.begin(size: 1, token: token).result != nil)
      #expect(try await tester.begin(size: 1, token: token).code == 141)
      #expect(try await tester.put("x", to: two.urls[1]).status == 200)
      #expect(try await tester.complete(two, token: token).result != nil)
      #expect(try await tester.begin(size: 1, token: token).result != nil)
    }
  }

  @Test("Somebody else's upload is not found, whoever asks for what, and without a session nothing is")
  func otherSession() async throws {
    try await NewzuluTester.run { tester in
      let jane = try await tester.token()
      let upload = try await tester.upload(size: 5, token: jane)
      #expect(try await tester.put("hello", to: upload.urls[1]).status == 200)
      let others = [
        try await tester.token("bob"),
        try await tester.token("jane", NewzuluTester.otherPassword, vhost: "206"),
      ]
      for token in others {
        #expect(try await tester.state(upload, token: token).code == 130)
        #expect(try await tester.complete(upload, token: token).code == 130)
        #expect(try await tester.abort(upload, token: token).code == 130)
      }
      for method in ["getMultiPartUpload", "completeMultiPartUpload", "abortMultiPartUpload", "createMultiPartUpload"] {
        #expect(try await tester.call("media." + method, ["vhost": "1281", "id": upload.id]).code == 103)
        #expect(
          try await tester.call("media." + method, ["vhost": "1281", "id": upload.id], key: NewzuluTester.editorKey)
            .code
            == 103)
      }
      #expect(
        try await tester.call("media.getMultiPartUpload", ["vhost": "206", "id": upload.id], token: jane).code == 130)
      #expect(try await tester.complete(upload, token: jane).result?["status"] == "1")
    }
  }

  @Test("What is missing is named, and where to send it can be asked for")
  func missing() async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 45, token: token)
      let etag = try #require(try await tester.put("2222222222", to: upload.urls[2]).header("ETag"))
      let refused = try await tester.complete(upload, token: token)
      #expect(refused.code == 142)
      #expect(refused.json["message"] == "Parts missing: 1, 3, 4, 5")
      let state = try await tester.state(upload, token: token)
      #expect(state.result?["status"] == "5")
      #expect(state.result?["filesize"] == 45)
      let parts = state.result?["parts"]?.array
      #expect(parts?.count == 1)
      #expect(parts?.first?["part"] == 2)
      #expect(parts?.first?["size"] == 10)
      #expect(parts?.first?["etag"]?.string.map { "\"\($0)\"" } == etag)
      let fresh = try NewzuluTester.upload(state)
      #expect(fresh.urls.keys.sorted() == [1, 3, 4, 5])
      #expect(try await tester.put("5555", to: fresh.urls[5]).status == 400)
      #expect(try await tester.put("55555", to: fresh.urls[5]).status == 200)
      let partial = try await tester.complete(upload, NewzuluTester.marks([2: etag]), token: token)
      #expect(partial.json["message"] == "Parts missing: 1, 3, 4, 5")
    }
  }

  @Test("Giving up deletes what has arrived; again is fine; what is finished stays")
  func abort() async throws {
    let folder = TemporaryFolder()
    try await NewzuluTester.run({ $0.storage = .folder(folder.url) }) { tester in
      let token = try await tester.token()
      let upload = try await tester.upload(size: 25, token: token)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 200)
      #expect(folder.partFiles.count == 1)
      for _ in 0..<2 { #expect(try await tester.abort(upload, token: token).result == true) }
      #expect(folder.partFiles.isEmpty)
      #expect(try await tester.put("1111111111", to: upload.urls[1]).status == 404)
      #expect(try await tester.state(upload, token: token).code == 130)
      #expect(try await tester.complete(upload, token: token).code == 130)
      #expect(folder.partFiles.isEmpty)
      let id = try await tester.file("hello", token: token)
      #expect(try await tester.call("media.abortMultiPartUpload", ["id": id], token: token).code == 130)
      #expect(try await tester.call("media.getFileInfo", ["id": id], token: token).result != nil)
      #expect(try await tester.call("media.abortMultiPartUpload", ["id": 424242], token: token).code == 130)
    }
  }

  @Test(
    "Data that can't be a file's is refused by name",
    arguments: [
      ("filesize", .null), ("filesize", -1), ("filesize", "1e9"), ("partSize", -1), ("type", "text/html; charset=x"),
      ("type", "nonsense"), ("type", "a/b/c"), ("filename", "a\u{0}b"), ("title", .array([])),
      ("title", .string(String(repeating: "x", count: 2000))), ("channel", .object([:])),
    ] as [(String, JSONValue)])
  func refused(name: String, value: JSONValue) async throws {
    try await NewzuluTester.run { tester in
      let token = try await tester.token()
      let good: [String: JSONValue] = ["filesize": 5, "filename": "a"]
      let answer = try await tester.call(
        "media.createMultiPartUpload", ["vhost": "1281", "fileData": .object(good.merging([name: value]) { $1 })],
        token: token)
      #expect(answer.code == 120)
      #expect(answer.json["message"] == .string("Invalid argument: fileData[\(name)]"))
      #expect(try await tester.call("media.createMultiPartUpload", ["vhost": "1281"], token: token).code == 120)
    }
  }

  static func mark(_ content: String) -> String { SHA256Mark.of(content) }
}

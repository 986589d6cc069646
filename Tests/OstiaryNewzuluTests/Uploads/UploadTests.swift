import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Uploads to a Newzulu platform")
struct UploadTests {
  /// Collects progress.
  final class Watch: Sendable {
    let seen = Locked<[NewzuluUploadProgress]>([])
    var last: NewzuluUploadProgress? { seen.withLock { $0.last } }
    func note(_ progress: NewzuluUploadProgress) { seen.withLock { $0.append(progress) } }
  }

  static func photo(_ count: Int, seed: UInt64 = 1) -> NewzuluUpload {
    NewzuluUpload(data: bytes(count, seed: seed), filename: "photo.jpg", title: "A photo", message: "of nothing")
  }

  @Test(
    "Files of every size arrive whole, by JSON and by form",
    arguments: [1, 9, 10, 11, 20, 99, 100, 101], NewzuluEncoding.allCases)
  func sizes(_ size: Int, _ encoding: NewzuluEncoding) async throws {
    let stub = NewzuluStub()
    var configuration = NewzuluConfiguration.parts(of: 10, parallel: 3)
    configuration.encoding = encoding
    let watch = Watch()
    let file = try await stub.ann(configuration).startUpload(Self.photo(size), onProgress: watch.note)
    #expect(file.status == .queued && file.title == "A photo" && file.uploaderID == "11")
    #expect(stub.content(ofFile: file.id) == bytes(size))
    #expect(stub.puts == (size + 9) / 10)
    let counts = watch.seen.withLock { $0.map(\.uploadedBytes) }
    #expect(counts == counts.sorted() && counts.first == 0 && counts.last == Int64(size))
    #expect(counts.count == stub.puts + 1)
    #expect(watch.seen.withLock { $0.allSatisfy { $0.totalBytes == Int64(size) } })
  }

  @Test("What is said of a file travels with it")
  func info() async throws {
    let stub = NewzuluStub()
    _ = try await stub.ann().startUpload(Self.photo(5))
    let data = stub.calls("media.createMultiPartUpload").first?.arguments["fileData"]
    #expect(data?["title"] == "A photo" && data?["message"] == "of nothing" && data?["filename"] == "photo.jpg")
    #expect(data?["type"] == "image/jpeg" && data?["filesize"] == 5 && data?["partSize"] == 8_388_608)
  }

  @Test("A file on disk is read part by part")
  func fromFile() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a video.mp4")
      try bytes(1_000_003).write(to: url)
      let stub = NewzuluStub()
      let file = try await stub.ann(.parts(of: 100_000)).startUpload(NewzuluUpload(file: url, title: "V"))
      #expect(stub.content(ofFile: file.id) == bytes(1_000_003))
      #expect(stub.puts == 11)
    }
  }

  @Test("The server's own part size is followed; one that memory can't hold is not")
  func partSizes() async throws {
    let stub = NewzuluStub()
    stub.setMinimumPartSize(64)
    let file = try await stub.ann(.parts(of: 10)).startUpload(Self.photo(200))
    #expect(stub.content(ofFile: file.id) == bytes(200))
    #expect(stub.puts == 4)
    stub.setMinimumPartSize(65 * 1024 * 1024)
    let client = try stub.ann(.parts(of: 10, attempts: 0))
    #expect(await failure { try await client.startUpload(Self.photo(200)) }?.code == .unexpectedResponse)
  }

  @Test("A file that would have too many parts gets larger ones")
  func manyParts() async throws {
    let stub = NewzuluStub()
    var configuration = NewzuluConfiguration.parts(of: 1)
    configuration.uploads.maximumParts = 7
    let file = try await stub.ann(configuration).startUpload(Self.photo(100))
    #expect(stub.puts == 7)
    #expect(stub.content(ofFile: file.id) == bytes(100))
    configuration.uploads.maximumPartSize = 10
    #expect(await failure { try await stub.ann(configuration).startUpload(Self.photo(100)) }?.code == .unusableUpload)
  }

  @Test(
    "Failures that may pass are tried again, part by part",
    arguments: [
      Fault.refuseConnection, .dropBeforeServerActs, .dropAfterServerActed, .status(.internalServerError),
      .status(.serviceUnavailable), .status(.tooManyRequests), .status(.requestTimeout), .garbage, .reset,
    ])
  func transient(_ fault: Fault) async throws {
    let stub = NewzuluStub()
    stub.transport.inject(fault, into: RequestMatch.where { $0.head.method == .put }, at: .randomly(0.3, seed: 7))
    let client = try stub.ann(.parts(of: 10, attempts: 20), retry: RetryPolicy(attempts: 0, base: .zero))
    let file = try await client.startUpload(Self.photo(200))
    #expect(stub.content(ofFile: file.id) == bytes(200))
  }

  @Test("Calls that the server could not take are tried again, too", arguments: [429, 503])
  func busy(status: Int) async throws {
    let stub = NewzuluStub()
    let busy = Locked<Set<String>>([])
    stub.intercept { request in
      let text = String(decoding: request.body ?? Data(), as: UTF8.self)
      guard let name = ["createMultiPart", "completeMultiPart"].first(where: { text.contains($0) }) else { return nil }
      return busy.withLock { $0.insert(name).inserted } ? .status(.init(code: status)) : nil
    }
    let client = try stub.ann(.parts(of: 10), retry: RetryPolicy(attempts: 0, base: .zero))
    let file = try await client.startUpload(Self.photo(30))
    #expect(stub.content(ofFile: file.id) == bytes(30))
    #expect(stub.files.count == 1 && stub.unfinishedUploads == 0)
    #expect(busy.withLock { $0.count } == 2)
  }

  @Test("A part that the server refuses, or redirects, ends the upload at once", arguments: [307, 400, 401, 413])
  func refused(_ status: Int) async throws {
    let stub = NewzuluStub()
    let match = RequestMatch.where { $0.head.method == .put }
    stub.transport.inject(.status(.init(code: status)), into: match, at: .nth(3))
    let error = await failure { try await stub.ann(.parts(of: 10, parallel: 1)).startUpload(Self.photo(100)) }
    #expect(error?.code == .newzuluRefused)
    #expect(stub.puts == 2)
  }

  @Test("Addresses of parts that have expired are asked for anew, once for all")
  func expiredAddresses() async throws {
    let stub = NewzuluStub()
    let watch = Watch()
    let client = try stub.ann(.parts(of: 10, parallel: 4))
    let file = try await client.startUpload(Self.photo(200)) { progress in
      watch.note(progress)
      if progress.uploadedBytes == 50 { stub.expirePartAddresses() }
    }
    #expect(stub.content(ofFile: file.id) == bytes(200))
    #expect(stub.calls("media.getMultiPartUpload").count == 1)
  }

  @Test("A part that the server lost after confirming it is sent again")
  func lostPart() async throws {
    let stub = NewzuluStub()
    let isLost = Locked(false)
    let client = try stub.ann(.parts(of: 10, parallel: 1))
    let file = try await client.startUpload(Self.photo(40)) { progress in
      guard progress.uploadedBytes == 40, !isLost.withLock({ $0 }) else { return }
      isLost.withLock { $0 = true }
      stub.losePart(2)
    }
    #expect(stub.content(ofFile: file.id) == bytes(40))
    #expect(stub.puts == 5)
  }

  @Test("A session that ends during an upload costs one login")
  func expiredSession() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann(.parts(of: 10))
    let file = try await client.startUpload(Self.photo(40)) { progress in
      if progress.uploadedBytes == 20 { stub.dropSessions() }
    }
    #expect(stub.content(ofFile: file.id) == bytes(40))
    #expect(stub.logins == 2)
  }

  @Test("What can't be uploaded is told before anything is sent")
  func unusable() async throws {
    try await withTemporaryFolder { folder in
      let stub = NewzuluStub()
      let client = try stub.ann()
      let empty = folder.appending(path: "empty.jpg")
      try Data().write(to: empty)
      for url in [empty, folder, folder.appending(path: "missing.jpg"), try #require(URL(string: "http://x/a.jpg"))] {
        let error = await failure { try await client.startUpload(NewzuluUpload(file: url, title: "T")) }
        #expect(error?.code == .unusableUpload)
      }
      #expect(await failure { try await client.startUpload(Self.photo(0)) }?.code == .unusableUpload)
      #expect(stub.transport.count == 0)
    }
  }

  @Test("A file that changes meanwhile is not uploaded as a mixture", arguments: [true, false])
  func changing(_ grows: Bool) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a.jpg")
      try bytes(100).write(to: url)
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1))
      let error = await failure {
        try await client.startUpload(NewzuluUpload(file: url, title: "T")) { progress in
          guard progress.uploadedBytes == 50 else { return }
          try? bytes(grows ? 200 : 30, seed: 2).write(to: url)
        }
      }
      #expect(error?.code == .unusableUpload)
      #expect(stub.files.isEmpty)
      #expect(stub.unfinishedUploads == 0, "the server is told to forget its parts")
    }
  }

  @Test("An upload can be given up")
  func abort() async throws {
    let stub = NewzuluStub()
    let watch = Watch()
    let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
    stub.transport.inject(.refuseConnection, into: RequestMatch.where { $0.head.method == .put }, at: .after(2))
    #expect(await failure { try await client.startUpload(Self.photo(50), onProgress: watch.note) } != nil)
    let state = try #require(watch.last?.state)
    #expect(stub.unfinishedUploads == 1)
    try await client.abortUpload(state)
    #expect(stub.unfinishedUploads == 0)
  }

  @Test(
    "A beginning that makes no sense is no upload, and no trap",
    arguments: [
      "{}", "{\"id\":\"1\"}", "{\"id\":\"1\",\"partUrls\":[]}", "{\"id\":\"1\",\"partSize\":0,\"partUrls\":[]}",
      "{\"id\":\"1\",\"partSize\":-1,\"partUrls\":[]}",
      "{\"id\":\"1\",\"partSize\":9223372036854775807,\"partUrls\":[]}",
      "{\"id\":\"\",\"partUrls\":[{\"part\":1,\"url\":\"http://x/1\"}]}", "false", "[]", "\"x\"",
      "{\"id\":\"1\",\"partUrls\":[{\"part\":1,\"url\":\"http://x/1\"}]}",
      "{\"id\":\"1\",\"partUrls\":[{\"part\":1,\"url\":\"file:///etc/passwd\"},{\"part\":2,\"url\":\"x\"}]}",
      "{\"id\":\"1\",\"partUrls\":[{\"part\":0,\"url\":\"http://x\"},{\"part\":99,\"url\":\"http://x\"},{\"part\":\"a\"},7]}",
      "{\"id\":\"1\",\"partSize\":1,\"partUrls\":[]}",
    ])
  func hostileBeginning(_ result: String) async throws {
    let stub = NewzuluStub()
    let client = try stub.ann(.parts(of: 10, attempts: 0))
    try await client.authenticate()
    stub.intercept { _ in response("{\"status\":true,\"result\":\(result)}") }
    #expect(await failure { try await client.startUpload(Self.photo(20)) }?.code == .unexpectedResponse)
    #expect(stub.puts == 0)
  }
}

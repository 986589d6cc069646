import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// What is published is one version of a file, once, and nothing stays behind at the server.
@Suite("Uploads of files that change, and of two attempts at once") struct UploadChangesTests {
  let puts = RequestMatch.where { $0.head.method == .put }

  /// A file whose times say nothing: it is as old after each change.
  func write(_ data: Data, to url: URL, inPlace: Bool = false) throws {
    if inPlace {
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: data)
    } else {
      try? FileManager.default.removeItem(at: url)
      try data.write(to: url)
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: url.path(percentEncoded: false))
  }

  func withFile(_ body: (_ url: URL, _ journal: FileStore) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a.mp4")
      try write(bytes(100), to: url)
      try await body(url, FileStore(folder: folder.appending(path: "journal")))
    }
  }

  enum Change: CaseIterable { case overwritten, replaced, cut, grown, deleted }

  func make(_ change: Change, _ url: URL) throws {
    switch change {
    case .overwritten: try write(bytes(100, seed: 9), to: url, inPlace: true)
    case .replaced: try write(bytes(100, seed: 9), to: url)
    case .cut: try write(bytes(40), to: url, inPlace: true)
    case .grown: try write(bytes(140), to: url, inPlace: true)
    case .deleted: try FileManager.default.removeItem(at: url)
    }
  }

  @Test(
    "Bug-F21, Bug-F26: a file that changes during the upload is never published as a mixture, and no draft is left",
    arguments: Change.allCases, [0, 1, 5, 9])
  func duringTheUpload(change: Change, after count: Int) async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1))
      let error = await failure {
        try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal) { progress in
          if progress.uploadedBytes == Int64(count) * 10 { #expect(throws: Never.self) { try make(change, url) } }
        }
      }
      if error == nil {
        // Nothing had been sent when it changed: what is published is the new version alone.
        let content = stub.files.keys.compactMap { stub.content(ofFile: $0) }
        #expect(count == 0 && [.overwritten, .replaced].contains(change) && content == [bytes(100, seed: 9)])
      } else {
        #expect(error?.code == .unusableUpload)
        #expect(stub.files.isEmpty)
      }
      #expect(stub.unfinishedUploads == 0)
      #expect(try await journal.accounts().isEmpty)
    }
  }

  @Test(
    "Bug-F21, Bug-F26: a file that changed between two attempts begins anew, and the earlier draft is deleted",
    arguments: Change.allCases)
  func betweenAttempts(change: Change) async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
      let upload = NewzuluUpload(file: url, title: "T")
      #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .cannotConnect)
      stub.transport.setFaults()
      try make(change, url)
      if change == .deleted {
        #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .unusableUpload)
      } else {
        let file = try await client.startUpload(upload, journal: journal)
        #expect(stub.content(ofFile: file.id) == (try Data(contentsOf: url)))
      }
      #expect(stub.unfinishedUploads == 0)
      #expect(try await journal.accounts().isEmpty)
    }
  }

  @Test("Bug-F21: other bytes in memory are not mixed with those of an earlier attempt")
  func memory() async throws {
    let stub = NewzuluStub()
    stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
    let last = Locked<NewzuluUploadState?>(nil)
    let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
    _ = await failure {
      try await client.startUpload(UploadTests.photo(100)) { progress in last.withLock { $0 = progress.state } }
    }
    stub.transport.setFaults()
    let file = try await client.startUpload(UploadTests.photo(100, seed: 9), resuming: last.withLock { $0 })
    #expect(stub.content(ofFile: file.id) == bytes(100, seed: 9))
    #expect(stub.unfinishedUploads == 0)
  }

  @Test("A file that is written again with the same bytes, or moved and put back, is gone on with")
  func sameBytes() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1))
      let file = try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal) { progress in
        if progress.uploadedBytes == 50 { #expect(throws: Never.self) { try write(bytes(100), to: url) } }
      }
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 10)
    }
  }

  @Test("Bug-F22: two uploads of one file with one journal do not share an identifier: the second is told")
  func twoAtOnce() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let gate = Gate()
      stub.transport.inject(.hold(gate), into: puts, at: .after(4))
      let client = try stub.ann(.parts(of: 10, parallel: 1))
      let upload = NewzuluUpload(file: url, title: "T")
      let first = Task { try await client.startUpload(upload, journal: journal) }
      try await gate.waitForWaiting(1)
      // As another process has it: a store object of its own.
      let other = FileStore(folder: journal.folder)
      #expect(await failure { try await client.startUpload(upload, journal: other) }?.code == .uploadUnderWay)
      gate.open()
      #expect(stub.content(ofFile: try await first.value.id) == bytes(100))
      #expect(stub.files.count == 1 && stub.unfinishedUploads == 0)
    }
  }

  @Test("Bug-F23: an upload for one project is not finished in another")
  func projects() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
      let upload = NewzuluUpload(file: url, title: "T")
      func client(_ project: String) throws -> NewzuluClient {
        let client = try stub.client(.parts(of: 10, parallel: 1, attempts: 0), vhost: project)
        client.setCredentials(email: "ann@example.com", password: "apple", userVHost: "206")
        return client
      }
      _ = await failure { try await client("206").startUpload(upload, journal: journal) }
      stub.transport.setFaults()
      _ = try await client("1281").startUpload(upload, journal: journal)
      let completed = stub.calls("media.completeMultiPartUpload").map { $0.arguments["vhost"] }
      #expect(completed == ["1281"])
      #expect(stub.calls("media.createMultiPartUpload").map { $0.arguments["vhost"] } == ["206", "1281"])
    }
  }

  @Test("Bug-F24: a corrected title is what is published, and the draft with the old one is deleted")
  func title() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
      _ = await failure { try await client.startUpload(NewzuluUpload(file: url, title: "Tpyo"), journal: journal) }
      stub.transport.setFaults()
      _ = try await client.startUpload(NewzuluUpload(file: url, title: "Typo"), journal: journal)
      #expect(Array(stub.files.values) == ["Typo"])
      #expect(stub.unfinishedUploads == 0)
    }
  }

  @Test("Bug-F25: only the word that there is no such upload begins anew")
  func busy() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
      let upload = NewzuluUpload(file: url, title: "T")
      _ = await failure { try await client.startUpload(upload, journal: journal) }
      stub.transport.setFaults()
      stub.intercept { request in
        guard String(decoding: request.body ?? Data(), as: UTF8.self).contains("getMultiPart") else { return nil }
        return response(#"{"status":false,"code":150,"message":"database is busy"}"#)
      }
      #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .newzuluRefused)
      stub.intercept(nil)
      let file = try await client.startUpload(upload, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 10 && stub.calls("media.createMultiPartUpload").count == 1)
    }
  }

  @Test("Bug-F27: progress never runs backwards, also when the server has lost a part")
  func progress() async throws {
    let stub = NewzuluStub()
    let watch = UploadTests.Watch()
    let client = try stub.ann(.parts(of: 10, parallel: 1))
    _ = try await client.startUpload(UploadTests.photo(100)) { progress in
      if progress.uploadedBytes == 100, watch.last?.uploadedBytes == 90 {
        stub.losePart(3)
        stub.losePart(4)
      }
      watch.note(progress)
    }
    let counts = watch.seen.withLock { $0.map(\.uploadedBytes) }
    #expect(stub.puts == 12 && counts == counts.sorted())
  }

  /// Says `http` where the platform's answers say `https`.
  private struct Downgrading: Transport {
    let base: any Transport
    func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await base.stream(request) }
    func send(_ request: TransportRequest) async throws -> TransportResponse {
      var response = try await base.send(request)
      let text = String(decoding: response.body, as: UTF8.self)
      response.body = Data(
        text.replacingOccurrences(of: "https:\\/\\/", with: "http:\\/\\/")
          .replacingOccurrences(of: "https://", with: "http://").utf8)
      return response
    }
  }

  @Test("Bug-F37: a request for a part has neither session, cookie nor key")
  func partRequests() async throws {
    let stub = NewzuluStub()
    let seen = Locked<[String]>([])
    stub.intercept { request in
      let fields = request.head.headerFields.map { "\($0.name): \($0.value)" }
      if request.head.method == .put { seen.withLock { $0 += fields + [request.head.path ?? ""] } }
      return nil
    }
    let client = try stub.ann(.parts(of: 10))
    _ = try await client.startUpload(UploadTests.photo(30))
    let token = try #require(client.currentSession?.proof.tokens["sessiontoken"]).reveal()
    let secrets = [token, NewzuluStub.key.reveal(), "apple", "ann@example.com"]
    let said = seen.withLock { $0 }
    #expect(!said.contains { text in secrets.contains(where: text.contains) })
    #expect(said.filter { !$0.hasPrefix("/") } == Array(repeating: "Content-Type: application/octet-stream", count: 3))
  }

  @Test("Bug-F37: a platform with TLS gets no part in the clear", arguments: [true, false])
  func cleartext(isDowngraded: Bool) async throws {
    let stub = NewzuluStub(url: URL(string: "https://newzulu.test"))
    let base: any Transport = stub.transport
    let client = try stub.ann(.parts(of: 10), over: isDowngraded ? Downgrading(base: base) : base)
    let error = await failure { try await client.startUpload(UploadTests.photo(30)) }
    #expect(error?.code == (isDowngraded ? .unexpectedResponse : nil))
    #expect(stub.puts == (isDowngraded ? 0 : 3))
  }
}

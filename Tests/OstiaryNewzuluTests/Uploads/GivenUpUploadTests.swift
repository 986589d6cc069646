import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// No draft stays behind where the platform can be reached.
@Suite("Uploads that are given up") struct GivenUpUploadTests {
  let puts = RequestMatch.where { $0.head.method == .put }

  private func withFile(_ body: (_ url: URL, _ journal: FileStore) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a.mp4")
      try bytes(100).write(to: url)
      try await body(url, FileStore(folder: folder.appending(path: "journal")))
    }
  }

  /// An upload that has sent six of its ten parts.
  private func interrupt(_ stub: NewzuluStub, _ client: NewzuluClient, _ url: URL, _ journal: FileStore) async {
    stub.transport.inject(.refuseConnection, into: puts, at: .after(6))
    let error = await failure { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal) }
    #expect(error?.code == .cannotConnect)
    stub.transport.setFaults()
  }

  /// Answers a call of this name as long as there are answers.
  private func answer(_ stub: NewzuluStub, _ name: String, _ answers: [TransportResponse]) {
    let rest = Locked(answers)
    stub.intercept { request in
      guard NewzuluStub.name(of: request) == name.lowercased() else { return nil }
      return rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  @Test("Bug-F26: a file that is deleted while several parts are under way: each fails, and the draft is deleted")
  func severalParts() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let seen = Locked(0)
      stub.intercept { request in
        guard request.head.method == .put else { return nil }
        let number = seen.withLock { seen in
          seen += 1
          return seen
        }
        // Three parts are under way when the file goes; the server can take none of them now.
        if number == 3 { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }
        return .status(.serviceUnavailable)
      }
      let client = try stub.ann(.parts(of: 10, parallel: 3), retry: RetryPolicy(attempts: 0, base: .zero))
      let error = await failure { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal) }
      #expect(error?.code == .unusableUpload)
      #expect(stub.unfinishedUploads == 0)
      #expect(try await journal.accounts().isEmpty)
    }
  }

  @Test("Bug-F26: a draft is given up although the server can't take the call the first time")
  func triedAgain() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 2), retry: RetryPolicy(attempts: 0, base: .zero))
      await interrupt(stub, client, url, journal)
      try bytes(100, seed: 2).write(to: url)
      answer(stub, "media.abortMultiPartUpload", [.status(.serviceUnavailable)])
      let file = try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100, seed: 2) && stub.unfinishedUploads == 0)
    }
  }

  @Test("Bug-F26: a draft of whose end the server can't be told is named at the same user's next sign-in")
  func owed() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      await interrupt(stub, client, url, journal)
      try bytes(100, seed: 2).write(to: url)
      answer(stub, "media.abortMultiPartUpload", [.status(.serviceUnavailable)])
      let file = try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100, seed: 2) && stub.unfinishedUploads == 1)
      try await client.authenticate()
      try await waitUntil { stub.unfinishedUploads == 0 }
      #expect(stub.contents.count == 1)
    }
  }

  @Test("Bug-F25: a server that is busy at the sign-out is told at the next sign-in")
  func busy() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      await interrupt(stub, client, url, journal)
      answer(
        stub, "media.abortMultiPartUpload", [response(#"{"status":false,"code":150,"message":"database is busy"}"#)])
      #expect(await client.clearCredentials()?.serverError?.code == .newzuluRefused)
      #expect(stub.unfinishedUploads == 1)
      client.setCredentials(email: "ann@example.com", password: "apple", store: journal)
      try await client.authenticate()
      try await waitUntil { stub.unfinishedUploads == 0 }
    }
  }

  @Test("A server that can't be asked for new addresses costs one attempt: the next begins anew")
  func noAddresses() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      stub.spell { $0.canResume = false }
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
      await interrupt(stub, client, url, journal)
      stub.expirePartAddresses()
      let upload = NewzuluUpload(file: url, title: "T")
      #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .newzuluRefused)
      #expect(stub.unfinishedUploads == 0)
      let file = try await client.startUpload(upload, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
    }
  }

  @Test("Bug-F21: an upload that is found complete is one of the bytes that were sent, also with a slow journal")
  func complete() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      var configuration = NewzuluConfiguration.parts(of: 10, parallel: 1, attempts: 0)
      configuration.uploads.journalDelay = .seconds(3600)
      let client = try stub.ann(configuration)
      let date = Date(timeIntervalSince1970: 1_000_000)
      let path = url.path(percentEncoded: false)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      // The process ends when the server has completed the upload, before the answer has come.
      let gate = Gate()
      stub.transport.inject(.holdResponse(gate), into: .where { NewzuluStub.name(of: $0).hasPrefix("media.complete") })
      let other = FileStore(folder: journal.folder)
      let first = Task { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal) }
      try await gate.waitForWaiting(1)
      let key = try #require(try await other.accounts().first { $0.name.hasPrefix("newzulu-upload") })
      guard case .present(let left) = await other.load(key) else {
        Issue.record("there is no journal")
        return
      }
      stub.transport.setFaults()
      gate.open()
      _ = try await first.value
      try await other.save(left, for: key, replacing: .anything)

      try bytes(100, seed: 2).write(to: url)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
      let file = try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100, seed: 2))
    }
  }

  @Test("Bug-F37: an address in the clear that an older journal has kept is not used where the platform has TLS")
  func olderJournal() async throws {
    let stub = NewzuluStub(url: URL(string: "https://newzulu.test"))
    stub.spell { $0.canResume = false }
    let last = Locked<NewzuluUploadState?>(nil)
    let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
    stub.transport.inject(.refuseConnection, into: puts, at: .after(3))
    _ = await failure {
      try await client.startUpload(UploadTests.photo(100)) { progress in last.withLock { $0 = progress.state } }
    }
    stub.transport.setFaults()
    let text = String(decoding: try JSONEncoder().encode(last.withLock { $0 }), as: UTF8.self)
    let older = text.replacingOccurrences(of: "https:", with: "http:")
    #expect(older != text)
    let state = try JSONDecoder().decode(NewzuluUploadState.self, from: Data(older.utf8))
    let error = await failure { try await client.startUpload(UploadTests.photo(100), resuming: state) }
    #expect(error?.code == .unexpectedResponse && stub.puts == 3)
  }
}

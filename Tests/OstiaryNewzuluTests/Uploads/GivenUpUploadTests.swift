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

  private func waitForNothingOwed(_ store: FileStore) async throws {
    for _ in 0..<60_000 {
      if try await !store.accounts().contains(where: { $0.name.hasPrefix("newzulu-owed") }) { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("something is owed")
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

  @Test("Bug-F26: a platform that has no call to delete a draft says so once", arguments: [true, false])
  func cannotBeDeleted(_ isSaidAtSignOut: Bool) async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      await interrupt(stub, client, url, journal)
      let asked = Locked(0)
      stub.intercept { request in
        guard NewzuluStub.name(of: request) == "media.abortmultipartupload" else { return nil }
        let number = asked.withLock { asked in
          asked += 1
          return asked
        }
        if !isSaidAtSignOut, number == 1 { return .status(.serviceUnavailable) }
        return response(#"{"status":false,"code":199,"message":"Unknown method"}"#)
      }
      let error = await client.clearCredentials()?.serverError
      #expect(error?.code == (isSaidAtSignOut ? .newzuluRefused : .serverUnavailable))
      for _ in 0..<2 {
        client.setCredentials(email: "ann@example.com", password: "apple", store: journal)
        try await client.authenticate()
        try await waitForNothingOwed(journal)
        #expect(await client.clearCredentials()?.isComplete == true)
      }
      #expect(asked.withLock { $0 } == (isSaidAtSignOut ? 1 : 2))
      #expect(try await journal.accounts().isEmpty)
    }
  }

  @Test("Bug-F23: a draft is deleted in the project that it was begun for", arguments: [true, false])
  func project(_ isToldAtSignOut: Bool) async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let other = try stub.client(.parts(of: 10, parallel: 1, attempts: 0), vhost: "1281")
      other.setCredentials(email: "ann@example.com", password: "apple", userVHost: "206", store: journal)
      await interrupt(stub, other, url, journal)
      #expect(stub.unfinishedUploads == 1)
      let client = try stub.ann(store: journal)
      if !isToldAtSignOut {
        stub.transport.inject(.refuseConnection, into: services)
        #expect(await other.clearCredentials()?.serverError?.code == .cannotConnect)
        stub.transport.setFaults()
        try await client.authenticate()
        try await waitForNothingOwed(journal)
      }
      #expect(await client.clearCredentials()?.isComplete == true)
      #expect(stub.unfinishedUploads == 0)
      #expect(stub.calls("media.abortMultiPartUpload").map { $0.arguments["vhost"] } == ["1281"])
      #expect(try await journal.accounts().isEmpty)
    }
  }

  @Test("Bug-F25: a failure whose number can't be read says nothing of an upload, beside any text")
  func unreadableNumber() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      await interrupt(stub, client, url, journal)
      let unreadable = response(#"{"status":false,"code":"x130","message":"Not found"}"#)
      answer(stub, "media.getMultiPartUpload", [unreadable])
      let upload = NewzuluUpload(file: url, title: "T")
      #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .unexpectedResponse)
      #expect(stub.unfinishedUploads == 1)
      _ = try await client.startUpload(upload, journal: journal)
      #expect(stub.unfinishedUploads == 0 && stub.puts == 10)

      // An abortion that is answered so is owed.
      try bytes(100, seed: 2).write(to: url)
      await interrupt(stub, client, url, journal)
      answer(stub, "media.abortMultiPartUpload", [unreadable])
      #expect(await client.clearCredentials()?.serverError?.code == .unexpectedResponse)
      client.setCredentials(email: "ann@example.com", password: "apple", store: journal)
      try await client.authenticate()
      try await waitUntil { stub.unfinishedUploads == 0 }
    }
  }

  /// What comes of the draft that the journal names when the app hands over the state of another.
  enum OtherDraft: CaseIterable { case deleted, owed, goesOn, unanswered }

  @Test(
    "Bug-F26: of the draft that is handed over and the one that the journal names, none stays behind",
    arguments: OtherDraft.allCases)
  func handedOver(_ other: OtherDraft) async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      let upload = NewzuluUpload(file: url, title: "T")
      let last = Locked<NewzuluUploadState?>(nil)
      stub.transport.inject(.refuseConnection, into: puts, at: .after(3))
      _ = await failure { try await client.startUpload(upload) { progress in last.withLock { $0 = progress.state } } }
      stub.transport.setFaults()
      let older = try #require(last.withLock { $0 })
      await interrupt(stub, client, url, journal)
      #expect(stub.unfinishedUploads == 2)

      switch other {
      case .deleted: break
      case .owed: answer(stub, "media.abortMultiPartUpload", [.status(.serviceUnavailable)])
      // The server has the journal's draft alone.
      case .goesOn: try await client.abortUpload(older)
      case .unanswered: answer(stub, "media.getMultiPartUpload", [.status(.serviceUnavailable)])
      }
      let before = stub.puts
      if other == .unanswered {
        let error = await failure { try await client.startUpload(upload, resuming: older, journal: journal) }
        #expect(error?.code == .serverUnavailable)
        #expect(stub.unfinishedUploads == 2)
      }
      let file = try await client.startUpload(
        upload, resuming: other == .unanswered ? nil : older, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect((file.id == older.id) == (other != .goesOn))
      #expect(stub.puts - before == (other == .goesOn ? 4 : 7), "what is there is not sent again")
      if [.owed, .unanswered].contains(other) {
        #expect(stub.unfinishedUploads == 1)
        try await client.authenticate()
      }
      try await waitUntil { stub.unfinishedUploads == 0 }
    }
  }

  @Test("Bug-F26: a sign-out while the journal's draft is given up deletes both")
  func signedOut() async throws {
    try await withFile { url, journal in
      let stub = NewzuluStub()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: journal)
      let upload = NewzuluUpload(file: url, title: "T")
      let last = Locked<NewzuluUploadState?>(nil)
      stub.transport.inject(.refuseConnection, into: puts, at: .after(3))
      _ = await failure { try await client.startUpload(upload) { progress in last.withLock { $0 = progress.state } } }
      let older = try #require(last.withLock { $0 })
      stub.transport.setFaults()
      await interrupt(stub, client, url, journal)
      let gate = Gate()
      stub.transport.inject(
        .hold(gate), into: .where { NewzuluStub.name(of: $0) == "media.abortmultipartupload" }, at: .nth(1))
      let task = Task { try await client.startUpload(upload, resuming: older, journal: journal) }
      try await gate.waitForWaiting(1)
      #expect(await client.clearCredentials()?.isComplete == true)
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(stub.unfinishedUploads == 0)
      #expect(try await journal.accounts().isEmpty)
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

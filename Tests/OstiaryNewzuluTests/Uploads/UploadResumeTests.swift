import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Uploads that go on where they stopped")
struct UploadResumeTests {
  let puts = RequestMatch.where { $0.head.method == .put }

  /// A file of so many bytes in a folder of its own, and a journal beside it.
  func withFile(
    _ count: Int = 100, _ body: (_ upload: NewzuluUpload, _ journal: FileStore, _ url: URL) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a.mp4")
      try bytes(count).write(to: url)
      try await body(NewzuluUpload(file: url, title: "T"), FileStore(folder: folder.appending(path: "journal")), url)
    }
  }

  /// Uploads until the connection breaks for good after so many parts.
  func interrupt(
    _ stub: NewzuluStub, after count: Int, _ upload: NewzuluUpload, journal: (any SessionStore)? = nil,
    resuming state: NewzuluUploadState? = nil
  ) async throws -> NewzuluUploadState? {
    stub.transport.inject(.refuseConnection, into: puts, at: .after(count))
    defer { stub.transport.setFaults() }
    let last = Locked<NewzuluUploadState?>(nil)
    let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
    let error = await failure {
      try await client.startUpload(upload, resuming: state, journal: journal) { progress in
        last.withLock { $0 = progress.state }
      }
    }
    #expect(error?.code == .cannotConnect)
    return last.withLock { $0 }
  }

  @Test("Another process goes on with the same file: only what is missing is sent", arguments: [true, false])
  func journal(_ canResume: Bool) async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      stub.spell { $0.canResume = canResume }
      _ = try await interrupt(stub, after: 3, upload, journal: journal)
      _ = try await interrupt(stub, after: 4, upload, journal: FileStore(folder: journal.folder))
      #expect(stub.puts == 7)
      let first = Locked<Int64?>(nil)
      let client = try stub.ann(.parts(of: 10, parallel: 1))
      let file = try await client.startUpload(upload, journal: FileStore(folder: journal.folder)) { progress in
        first.withLock { $0 = $0 ?? progress.uploadedBytes }
      }
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 10)
      #expect(first.withLock { $0 } == 70)
      #expect(stub.calls("media.createMultiPartUpload").count == 1)
      // The journal has been cleared: the same file again is another upload.
      let again = try await client.startUpload(upload, journal: journal)
      #expect(again.id != file.id)
    }
  }

  @Test("The state of a progress, through JSON, does the same for bytes in memory")
  func state() async throws {
    let stub = NewzuluStub()
    let upload = UploadTests.photo(100)
    let state = try #require(try await interrupt(stub, after: 6, upload))
    #expect(state.uploadedBytes == 60 && !state.hasAllParts)
    let copy = try JSONDecoder().decode(NewzuluUploadState.self, from: JSONEncoder().encode(state))
    #expect(copy == state)
    let file = try await stub.ann(.parts(of: 10)).startUpload(upload, resuming: copy)
    #expect(file.id == state.id)
    #expect(stub.content(ofFile: file.id) == bytes(100))
    #expect(stub.puts == 10)
  }

  @Test("The server's word on which parts it has counts more than what is remembered")
  func serverKnows() async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      _ = try await interrupt(stub, after: 6, upload, journal: journal)
      stub.losePart(2)
      stub.losePart(5)
      let file = try await stub.ann(.parts(of: 10)).startUpload(upload, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 12)
    }
  }

  @Test("An upload whose completion was never heard of is found complete")
  func finished() async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      stub.intercept { [stub] request in
        guard String(decoding: request.body ?? Data(), as: UTF8.self).contains("completeMultiPart") else { return nil }
        stub.intercept(nil)
        _ = try await stub.respond(to: request)
        throw OstiaryError(.connectionLost, "lost")
      }
      let client = try stub.ann(.parts(of: 10, attempts: 0))
      #expect(await failure { try await client.startUpload(upload, journal: journal) }?.code == .connectionLost)
      let file = try await client.startUpload(upload, journal: journal)
      #expect(file.title == "T")
      #expect(stub.puts == 10)
      #expect(stub.files.count == 1)
    }
  }

  @Test("An upload that the server has forgotten begins anew")
  func forgotten() async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      _ = try await interrupt(stub, after: 6, upload, journal: journal)
      stub.forgetUploads()
      let file = try await stub.ann(.parts(of: 10)).startUpload(upload, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 16)
    }
  }

  @Test("A file that has changed since begins anew")
  func changed() async throws {
    try await withFile { upload, journal, url in
      let stub = NewzuluStub()
      let state = try await interrupt(stub, after: 6, upload, journal: journal)
      try bytes(100, seed: 9).write(to: url)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: url.path(percentEncoded: false))
      let file = try await stub.ann(.parts(of: 10)).startUpload(upload, resuming: state, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100, seed: 9))
      #expect(stub.puts == 16)
    }
  }

  @Test("Invariant 5: another user's upload is never gone on with", arguments: [true, false])
  func otherUser(_ canResume: Bool) async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      stub.spell { $0.canResume = canResume }
      let state = try await interrupt(stub, after: 6, upload, journal: journal)
      let ben = try stub.client(.parts(of: 10))
      ben.setCredentials(email: "ben@example.com", password: "banana")
      #expect(
        await failure { try await ben.startUpload(upload, resuming: state, journal: journal) }?.code == .signedOut)
      let file = try await ben.startUpload(upload, journal: journal)
      #expect(file.uploaderID == "12")
      #expect(stub.puts == 16)
      // Ann's is still there for her.
      let own = try await stub.ann(.parts(of: 10)).startUpload(upload, journal: journal)
      #expect(own.uploaderID == "11")
      #expect(stub.puts == 20)
    }
  }

  @Test("Invariant 2: cancelling stops the upload and keeps its place")
  func cancelled() async throws {
    try await withFile { upload, journal, _ in
      let stub = NewzuluStub()
      let gate = Gate()
      stub.transport.inject(.hold(gate), into: puts, at: .after(4))
      let client = try stub.ann(.parts(of: 10, parallel: 2))
      let task = Task { try await client.startUpload(upload, journal: journal) }
      try await gate.waitForWaiting(2)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      gate.open()
      let file = try await client.startUpload(upload, journal: journal)
      #expect(stub.content(ofFile: file.id) == bytes(100))
      #expect(stub.puts == 10)
    }
  }

  @Test("A journal that can't be read or written stops no upload")
  func brokenJournal() async throws {
    try await withFile { upload, _, _ in
      let stub = NewzuluStub()
      let store = FaultyStore()
      store.lock()
      let file = try await stub.ann(.parts(of: 10)).startUpload(upload, journal: store)
      #expect(stub.content(ofFile: file.id) == bytes(100))
    }
  }

  @Test("A table of the version before, whose digests are SHA-256, is gone on with", arguments: [true, false])
  func olderDigests(_ isSame: Bool) async throws {
    let stub = NewzuluStub()
    let upload = NewzuluUpload(data: Data("aaaaaaaaaabbbbbbbbbbcccccccccc".utf8), filename: "a.txt", title: "T")
    let state = try #require(try await interrupt(stub, after: 2, upload))
    var members = try #require(JSONValue(json: try JSONEncoder().encode(state))?.object)
    var parts = try #require(members["parts"]?.array)
    // Of ten a's, and of ten b's or c's.
    let digests = [
      "vyy1imj2hNlaO3jvj2Ycmk5bCegsyPnMiMzpBSjK6yc=",
      isSame ? "bS/jLcQknvfnNZxth0//u/M16DLkmiaBI24baGr3h5Q=" : "0WFrh0qW3yUV2jcqkL3cAHksv/An9eCXyvox066osxA=",
    ]
    for (index, digest) in digests.enumerated() {
      var part = try #require(parts[index].object)
      #expect(part["isStored"] == true)
      part["digest"] = .string(digest)
      parts[index] = .object(part)
    }
    members["parts"] = .array(parts)
    let older = try JSONDecoder().decode(NewzuluUploadState.self, from: JSONEncoder().encode(JSONValue.object(members)))
    let file = try await stub.ann(.parts(of: 10)).startUpload(upload, resuming: older)
    #expect((file.id == state.id) == isSame && stub.unfinishedUploads == 0)
    #expect(stub.puts == (isSame ? 3 : 5))
    #expect(stub.content(ofFile: file.id) == Data("aaaaaaaaaabbbbbbbbbbcccccccccc".utf8))
  }

  @Test("Invariant 14: a table that is damaged, or lies about its numbers, is left alone")
  func hostileState() async throws {
    let stub = NewzuluStub()
    let upload = UploadTests.photo(100)
    let state = try #require(try await interrupt(stub, after: 6, upload))
    let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    for (old, new) in [
      ("\"partSize\":10", "\"partSize\":0"), ("\"partSize\":10", "\"partSize\":-10"),
      ("\"partSize\":10", "\"partSize\":3"),
      ("\"fileSize\":100", "\"fileSize\":9223372036854775807"), ("\"fileSize\":100", "\"fileSize\":0"),
      ("\"id\":\"\(state.id)\"", "\"id\":\"\""), ("\"parts\":[", "\"parts\":[{\"isStored\":true},"),
    ] {
      #expect(text.contains(old))
      let damaged = try JSONDecoder().decode(
        NewzuluUploadState.self, from: Data(text.replacingOccurrences(of: old, with: new).utf8))
      _ = damaged.uploadedBytes
      let file = try await stub.ann(.parts(of: 10)).startUpload(upload, resuming: damaged)
      #expect(file.id != state.id)
      #expect(stub.content(ofFile: file.id) == bytes(100))
    }
  }
}

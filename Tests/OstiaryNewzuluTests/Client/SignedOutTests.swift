import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// What belongs to a user ends with the user.
@Suite("Signing out of a Newzulu platform") struct SignedOutTests {
  let puts = RequestMatch.where { $0.head.method == .put }

  /// An upload of Ann's that has sent so many parts and waits at the next until the gate opens.
  private func uploading(
    _ stub: NewzuluStub, _ client: NewzuluClient, _ url: URL, _ store: any SessionStore, after count: Int
  ) async throws -> (Gate, Task<NewzuluFile, any Error>) {
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: puts, at: .after(count))
    let task = Task { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: store) }
    try await gate.waitForWaiting(1)
    return (gate, task)
  }

  private func withFile(_ body: (URL) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "a.mp4")
      try bytes(100).write(to: url)
      try await body(url)
    }
  }

  @Test(
    "Bug-F12: after a sign-out nothing of the user is stored, registered or under way", arguments: [0, 4, 9])
  func nothingIsLeft(after count: Int) async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10, parallel: 1), store: store)
      let (gate, task) = try await uploading(stub, client, url, store, after: count)
      let report = await client.clearCredentials()
      #expect(report?.isComplete == true)
      // An upload that the sign-out has left alone goes on, and ends.
      gate.open()
      #expect(await failure { try await task.value }?.code == .signedOut)
      #expect(stub.puts == count && stub.unfinishedUploads == 0 && stub.files.isEmpty)
      let keys = try await store.accounts().map(\.name)
      #expect(!keys.contains { $0.hasPrefix("newzulu-") }, "\(keys)")
      #expect(await failure { try await client.startUpload(UploadTests.photo(5)) }?.code == .interactionRequired)
    }
  }

  @Test("Bug-F12: an upload that was begun before the same user was set again ends with the sign-out, too")
  func setAgain() async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10, parallel: 1), store: store)
      let (gate, task) = try await uploading(stub, client, url, store, after: 4)
      client.setCredentials(email: "ann@example.com", password: "apple", store: store)
      #expect(await client.clearCredentials()?.isComplete == true)
      gate.open()
      #expect(await failure { try await task.value }?.code == .signedOut)
      #expect(stub.puts == 4 && stub.unfinishedUploads == 0 && stub.files.isEmpty)
      #expect(try await store.accounts().isEmpty)
    }
  }

  @Test("Bug-F12: a call that was made before the user authenticated anew does not sign in after the sign-out")
  func callOfEarlierManager() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let gate = Gate()
    store.inject(.hold(gate), into: .load, at: .nth(1))
    let client = try stub.ann(store: store)
    try await gate.waitForWaiting(1)
    let call = Task { try await client.getFiles() }
    try await client.authenticate()
    let clearing = Task { await client.clearCredentials() }
    try await store.waitFor(.end)
    gate.open()
    #expect(await clearing.value?.isComplete == true)
    #expect(await failure { try await call.value }?.code == .signedOut)
    #expect(stub.logins == 1)
    #expect(try await store.accounts().isEmpty)
  }

  @Test("Invariant 16: a call from the main actor is about the user who is set when it is made", arguments: 0..<20)
  @MainActor func mainActor(round: Int) async throws {
    let stub = NewzuluStub()
    stub.addFile("901", "ann's", isModerated: false, owner: "11")
    stub.addFile("902", "ben's", isModerated: false, owner: "12")
    let client = try stub.ann()
    let call = Task { try await client.getFiles().files.map(\.title) }
    let change = Task { client.setCredentials(email: "ben@example.com", password: "banana") }
    await change.value
    #expect(try await call.value == ["ann's"])
  }

  @Test("Bug-F28: a user who is set again before the sign-out has ended has a session of their own")
  func setAgainDuringSignOut() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let client = try stub.ann(store: store)
    try await client.authenticate()
    let gate = Gate()
    store.inject(.hold(gate), into: .end)
    let clearing = client.beginClearing()
    try await gate.waitForWaiting(1)
    client.setCredentials(email: "ann@example.com", password: "apple", store: store)
    _ = try await client.getFiles()
    gate.open()
    _ = try await clearing.value()
    _ = try await client.getFiles()
    #expect(stub.logins == 2 && client.currentUser?.id == "11")
    #expect(await (try stub.ann(store: store)).restore().isSignedIn)
  }

  @Test("Bug-F28: a sign-out without a session leaves the same user's next sign-in")
  func signInDuringSignOut() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let client = try stub.ann(store: store)
    await client.restore()
    let gate = Gate()
    store.inject(.hold(gate), into: .accounts)
    let clearing = client.beginClearing()
    try await gate.waitForWaiting(1)
    client.setCredentials(email: "ann@example.com", password: "apple", store: store)
    try await client.authenticate()
    gate.open()
    _ = try await clearing.value()
    #expect(client.currentUser?.id == "11")
    #expect(await (try stub.ann(store: store)).restore().isSignedIn)
  }

  @Test("Bug-F28: uploads of a user whose session is over are given up with a session that is not stored")
  func spareSession() async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10, parallel: 1), store: store)
      _ = try await uploading(stub, client, url, store, after: 4)
      stub.dropSessions()
      #expect(await client.clearCredentials()?.isComplete == true)
      #expect(stub.logins == 2 && stub.unfinishedUploads == 0)
      #expect(try await store.accounts().isEmpty)
    }
  }

  @Test("Bug-F28: what a superseded authentication has stored stays there")
  func supersededAndStored() async throws {
    let stub = NewzuluStub()
    let store = FaultyStore()
    let client = try stub.ann(store: store)
    client.onEvent { event in
      guard event.kind == .signedIn, event.user == "11" else { return }
      client.setCredentials(email: "ben@example.com", password: "banana")
    }
    #expect(await failure { try await client.authenticate() }?.code == .signedOut)
    try await client.authenticate()
    #expect(store.count(.end) == 0)
    #expect(await (try stub.ann(store: store)).restore().isSignedIn)
  }

  @Test("Bug-F12: an upload that rests in the user's store is given up, too")
  func resting() async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: store)
      stub.transport.inject(.refuseConnection, into: puts, at: .after(4))
      _ = await failure { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: store) }
      #expect(stub.unfinishedUploads == 1)
      #expect(await client.clearCredentials()?.isComplete == true)
      #expect(stub.unfinishedUploads == 0)
      #expect(try await !store.accounts().contains { $0.name.hasPrefix("newzulu-") })
    }
  }

  @Test("Bug-F12: an upload that begins while the user signs out is given up when the server has begun it")
  func lateDraft() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann(.parts(of: 10))
    try await client.authenticate()
    let gate = Gate()
    stub.transport.inject(
      .holdResponse(gate),
      into: .where { String(decoding: $0.body ?? Data(), as: UTF8.self).contains("createMultiPart") })
    let task = Task { try await client.startUpload(UploadTests.photo(30)) }
    try await gate.waitForWaiting(1)
    let clearing = Task { await client.clearCredentials() }
    await #expect(throws: (any Error).self) { try await task.value }
    gate.open()
    #expect(await clearing.value?.isComplete == true)
    #expect(stub.unfinishedUploads == 0 && stub.puts == 0)
  }

  @Test("Bug-F12: an upload that was cancelled while the server began it is given up with the sign-out")
  func cancelledDraft() async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10), store: store)
      try await client.authenticate()
      let gate = Gate()
      stub.transport.inject(
        .holdResponse(gate),
        into: .where { String(decoding: $0.body ?? Data(), as: UTF8.self).contains("createMultiPart") })
      let task = Task { try await client.startUpload(NewzuluUpload(file: url, title: "T"), journal: store) }
      try await gate.waitForWaiting(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      let clearing = client.beginClearing()
      gate.open()
      #expect(try await clearing.value()?.isComplete == true)
      #expect(stub.unfinishedUploads == 0)
      #expect(try await !store.accounts().contains { $0.name.hasPrefix("newzulu-") })
    }
  }

  @Test("What the server was not told at the sign-out is told at the same user's next sign-in, and not at another's")
  func owed() async throws {
    try await withFile { url in
      let stub = NewzuluStub()
      let store = EphemeralStore()
      let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0), store: store)
      _ = try await uploading(stub, client, url, store, after: 4)
      stub.transport.setFaults()
      stub.transport.inject(.refuseConnection, into: services)
      let report = await client.clearCredentials()
      #expect(report?.serverError?.code == .cannotConnect)
      stub.transport.setFaults()
      let data = await store.load(SessionKey("newzulu-owed " + (try #require(ownedName(try await store.accounts())))))
      if case .present(let data) = data {
        #expect(!String(decoding: data, as: UTF8.self).contains("secret"), "the addresses of the parts are gone")
      }
      client.setCredentials(email: "ben@example.com", password: "banana", store: store)
      try await client.authenticate()
      #expect(stub.unfinishedUploads == 1, "it is ann's")
      client.setCredentials(email: "ann@example.com", password: "apple", store: store)
      try await client.authenticate()
      try await waitUntil { stub.unfinishedUploads == 0 }
      #expect(await client.clearCredentials()?.isComplete == true)
      #expect(try await !store.accounts().contains { $0.name.hasPrefix("newzulu-owed") })
    }
  }

  private func ownedName(_ keys: [SessionKey]) -> String? {
    keys.map(\.name).first { $0.hasPrefix("newzulu-owed ") }.map { String($0.dropFirst("newzulu-owed ".count)) }
  }

  @Test("Bug-F18: after the app's own sign-out a call's error says so, and does not blame the password")
  func cause() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    try await client.authenticate()
    let call = client.atThisMoment
    await client.clearCredentials()
    #expect(await failure { try await call.getLoggedInUser() }?.code == .signedOut)
    #expect(stub.calls("users.getLoggedInUser").isEmpty)
  }

  @Test("Bug-F13: another user does not give ann's upload up")
  func abort() async throws {
    let stub = NewzuluStub()
    stub.transport.inject(.refuseConnection, into: puts, at: .after(1))
    let last = Locked<NewzuluUploadState?>(nil)
    let client = try stub.ann(.parts(of: 10, parallel: 1, attempts: 0))
    _ = await failure {
      try await client.startUpload(UploadTests.photo(30)) { progress in last.withLock { $0 = progress.state } }
    }
    let state = try #require(last.withLock { $0 })
    client.setCredentials(email: "ben@example.com", password: "banana")
    #expect(await failure { try await client.abortUpload(state) }?.code == .signedOut)
    #expect(await failure { try await client.startUpload(UploadTests.photo(30), resuming: state) }?.code == .signedOut)
    #expect(stub.calls("media.abortMultiPartUpload").isEmpty && stub.unfinishedUploads == 1)
    client.setCredentials(email: "ann@example.com", password: "apple")
    try await client.abortUpload(state)
    #expect(stub.unfinishedUploads == 0)
  }
}

import Foundation
import HTTPTypes
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// A call is about the user of the moment at which it was made, and calls of one client act in their order.
@Suite("The moment of a call of Newzulu's platform client") struct MomentTests {
  private static let rounds = 0..<20

  private func setBen(_ client: PlatformClient, _ store: any NewzuluCore.SessionStore = EphemeralSessionStore()) {
    client.setCredentials(email: "ben@example.com", password: "banana", sessionStore: store)
  }

  @Test("Bug-F01: what is cleared is what was set when it was cleared", arguments: rounds)
  func clearThenSet(round: Int) async throws {
    let stub = NewzuluStub()
    let client = stub.platform()
    let store = EphemeralSessionStore()
    client.setAnn(store)
    #expect(try await client.authenticated()?.value?.user.id == "11")
    let cleared = Gate()
    client.clearCredentials { _ in cleared.open() }
    setBen(client)
    try await cleared.pass()
    #expect(try await client.authenticated()?.value?.user.id == "12", "ben is set")
    // Ann's session is gone from her store.
    let other = stub.platform()
    other.setAnn(store)
    let logins = stub.logins
    _ = try await other.listed()
    #expect(stub.logins == logins + 1)
  }

  @Test("Bug-F02: a list that ann asked for is hers, whatever is set next", arguments: rounds)
  func list(round: Int) async throws {
    let stub = NewzuluStub()
    stub.addFile("901", "ann's", isModerated: false, owner: "11")
    stub.addFile("902", "ben's", isModerated: false, owner: "12")
    let client = stub.platform()
    client.setAnn()
    let calls = Calls<NewzuluFileList>()
    client.getFiles(onSuccess: { calls.note(.success($0)) }, onError: { calls.note(.failure($0)) })
    setBen(client)
    let titles = try await calls.first()?.value?.files.map(\.title)
    #expect(titles?.contains("ben's") == false, "\(titles ?? [])")
  }

  @Test("Bug-F02: a photo that ann began to upload is published as hers", arguments: rounds)
  func upload(round: Int) async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: UploadTests.configuration)
    client.setAnn()
    let blocks = UploadTests.Blocks()
    UploadTests().start(client, UploadTests.photo, blocks)
    setBen(client)
    #expect(try await blocks.first().error == nil)
    #expect(stub.owners == ["11"])
  }

  @Test("Bug-F02: an upload without a user is not another user's who is set next")
  func uploadWithoutUser() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: UploadTests.configuration)
    let blocks = UploadTests.Blocks()
    UploadTests().start(client, UploadTests.photo, blocks)
    setBen(client)
    #expect(try await blocks.first().error?.reason == .notAuthenticated)
    #expect(stub.owners == [] && stub.calls.isEmpty)
  }

  @Test("Bug-F13: ben does not go on with ann's upload")
  func resume() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: UploadTests.configuration)
    client.setAnn()
    stub.transport.inject(.refuseConnection, into: .where { $0.head.method == .put }, at: .after(4))
    let blocks = UploadTests.Blocks()
    UploadTests().start(client, UploadTests.photo, blocks)
    let state = try #require(try await blocks.first().state)
    stub.transport.setFaults()
    setBen(client)
    let calls = stub.calls.count
    let resumed = UploadTests.Blocks()
    client.resumeUpload(
      state, onProgress: { _, _ in }, onSuccess: { resumed.end(nil, nil) }, onError: { resumed.end($0, $1) })
    #expect(try await resumed.first().error?.reason == .unknown)
    #expect(stub.calls.count == calls && stub.owners == [], "nothing is sent")
    // Ann's is still there for her.
    client.setAnn()
    let own = UploadTests.Blocks()
    client.resumeUpload(state, onProgress: { _, _ in }, onSuccess: { own.end(nil, nil) }, onError: { own.end($0, $1) })
    #expect(try await own.first().error == nil)
    #expect(stub.owners == ["11"])
  }

  @Test("Bug-F13: ben does not go on with ann's upload of which nothing had been sent")
  func resumeUnbegun() async throws {
    let stub = NewzuluStub()
    let client = stub.platform(configuration: UploadTests.configuration)
    client.setAnn()
    stub.transport.inject(.refuseConnection)
    let blocks = UploadTests.Blocks()
    UploadTests().start(client, UploadTests.photo, blocks)
    let state = try #require(try await blocks.first().state)
    stub.transport.setFaults()
    setBen(client)
    let resumed = UploadTests.Blocks()
    client.resumeUpload(
      state, onProgress: { _, _ in }, onSuccess: { resumed.end(nil, nil) }, onError: { resumed.end($0, $1) })
    #expect(try await resumed.first().error?.reason == .unknown)
    #expect(stub.calls.isEmpty && stub.owners == [], "nothing is sent")
  }
}

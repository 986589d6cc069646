import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 12: nothing of a Newzulu client prints a secret")
struct SecrecyTests {
  @Test("Values, errors and states, printed and dumped")
  func printed() async throws {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let session = try await client.authenticate()
    let token = try #require(session.proof.tokens["sessiontoken"]).reveal()
    let state = Locked<NewzuluUploadState?>(nil)
    _ = try await client.startUpload(NewzuluUpload(data: bytes(10), filename: "a.jpg", title: "A")) { progress in
      state.withLock { $0 = progress.state }
    }
    // A careless server repeats what it was sent.
    let errors = Locked<[OstiaryError]>([])
    for body in [
      "{\"status\":false,\"message\":\"apple is wrong\"}", "{\"status\":false,\"result\":\"bad \(token)\",\"code\":1}",
      "{\"status\":false,\"message\":\"no key \(NewzuluStub.key.reveal())\"}",
    ] {
      stub.intercept { _ in response(body) }
      if let error = await failure({ try await client.getFileInfo(id: "1") }) { errors.withLock { $0.append(error) } }
    }
    stub.intercept { _ in response("{\"status\":false,\"message\":\"apple is wrong\"}") }
    if let error = await failure({ try await client.authenticate() }) { errors.withLock { $0.append(error) } }
    stub.intercept { _ in response("{\"status\":false,\"message\":\"no key \(NewzuluStub.key.reveal())\"}") }
    if let error = await failure({ try await client.authenticate() }) { errors.withLock { $0.append(error) } }
    if let error = await failure({ try await client.getFiles(as: .app) }) { errors.withLock { $0.append(error) } }
    #expect(errors.withLock { $0.count } == 6)
    var text = ""
    let values: [Any] = [
      client, session, try stub.authenticator(), errors.withLock { $0 }, state.withLock { $0 } as Any, client.history,
    ]
    for value in values {
      dump(value, to: &text)
      text += "\(value) \(String(reflecting: value))"
    }
    #expect(!text.contains(token))
    #expect(!text.contains("apple"))
    #expect(!text.contains(NewzuluStub.key.reveal()))
    #expect(!text.contains("/services/parts/"))
  }
}

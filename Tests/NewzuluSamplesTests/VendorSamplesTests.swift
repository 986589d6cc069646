import Foundation
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// The samples against a server. They ask nothing of it but its address and a way there, so that another server can take
/// its place.
@Suite("The vendor pages' samples", .serialized)
final class VendorSamplesTests {
  let stub = NewzuluStub()
  let app: SampleApp
  let application = "sample-\(UUID().uuidString)"

  init() {
    let environment = NewzuluEnvironment(transport: stub.transport)
    app = SampleApp(
      PlatformClient(apiKey: NewzuluStub.key.reveal(), vhost: "206", baseURL: stub.url, environment: environment))
    app.platformClient.completionQueue = DispatchQueue(label: "samples")
  }

  deinit {
    #if !canImport(Security)
      let files = FileStore.default(application: KeychainStore.application(application))
      try? FileManager.default.removeItem(at: files.folder.deletingLastPathComponent())
    #endif
  }

  func authenticate() async -> (NewzuluCore.Session?, NewzuluError?) {
    await withCheckedContinuation { continuation in
      app.authenticate {
        continuation.resume(returning: ($0, nil))
      } failure: {
        continuation.resume(returning: (nil, $0))
      }
    }
  }

  func clear() async {
    await withCheckedContinuation { continuation in
      app.platformClient.clearCredentials { _ in continuation.resume() }
    }
  }

  @Test("Newzulu-N2: set credentials, authenticate, use the user's information")
  func wholeStory() async throws {
    app.setCredentials("ann@example.com", "apple", application)
    #expect(app.currentUser() == nil)
    let (session, error) = await authenticate()
    #expect(error == nil)
    #expect(session?.user.username == "ann")
    let user = try #require(app.currentUser())
    #expect(user.id == "11" && user.firstName == "Ann" && user.lastName == "Avery" && user.email == "ann@example.com")
    await clear()
    #expect(app.currentUser() == nil)
  }

  @Test("Newzulu-N3: the reasons of the page")
  func reasons() async throws {
    app.setCredentials("ann@example.com", "wrong", application)
    #expect(app.describe(try #require(await authenticate().1)) == "credentials")
    app.setCredentials("", "*****", application)
    #expect(app.describe(try #require(await authenticate().1)) == "credentials")
    app.setCredentials("ann@example.com", "apple", application)
    for (fault, reason) in [
      (Fault.refuseConnection, "network"), (.status(.internalServerError), "server"),
      (.page("<h1>Hotel</h1>"), "representation"),
    ] {
      stub.transport.setFaults()
      stub.transport.inject(fault)
      #expect(app.describe(try #require(await authenticate().1)) == reason)
    }
    #expect(app.currentUser() == nil)
    await clear()
  }

  @Test("Newzulu-N7: skip authenticating and upload; it happens by itself")
  func upload() async throws {
    app.setCredentials("ann@example.com", "apple", application)
    let folder = try TemporaryFolder()
    let source = folder.file("photo.jpg")
    try Data("a photo".utf8).write(to: source)
    let error = await withCheckedContinuation { continuation in
      app.upload(source, "Title", "Description") { _, _ in
      } success: {
        continuation.resume(returning: NewzuluError?.none)
      } failure: { error, _ in
        continuation.resume(returning: error)
      }
    }
    #expect(error == nil)
    #expect(stub.files.values.sorted() == ["Title"])
    #expect(stub.logins == 1)
    await clear()
  }

  @Test("Newzulu-N14: upload without credentials")
  func notAuthenticated() async throws {
    let source = try #require(URL(string: "data:image/png;base64,eA=="))
    let error = await withCheckedContinuation { continuation in
      app.upload(source, "", "") { _, _ in
      } success: {
        continuation.resume(returning: NewzuluError?.none)
      } failure: { error, state in
        continuation.resume(returning: state.uploadedBytes == 0 ? error : nil)
      }
    }
    #expect(app.describe(try #require(error)) == "not authenticated")
    #expect(stub.transport.count == 0)
  }
}

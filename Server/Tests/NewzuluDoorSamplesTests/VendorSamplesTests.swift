import Foundation
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiarySealing
import OstiaryServer
import Testing

/// The samples keep sessions where the platform has them kept, each test under an identifier of its own.
@Suite("The vendor pages' samples against the Newzulu door", .serialized)
struct VendorSamplesTests {
  private static let key = "0123456789abcdef0123456789abcdef"
  let application = "sample-\(UUID().uuidString)"

  /// Starts a server with the account of `ann@example.com`, which lives in the tenant 206.
  private func withServer(_ body: (SampleApp, OstiaryApplication) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.newzulu?.vhosts = ["1281", "206"]
    configuration.newzulu?.keys = [NewzuluKey(Secret(Self.key))]
    configuration.newzulu?.leastFreeSpace = 0
    let server = try OstiaryApplication(configuration)
    let address = try await server.start().origin.description
    do {
      try await server.identity.addUser(
        name: "ann", tenant: "206", email: "ann@example.com", password: "apple",
        attributes: ["firstname": "Ann", "lastname": "Avery"])
      let app = SampleApp(PlatformClient(apiKey: Self.key, vhost: 206, baseURL: URL(string: address)))
      app.platformClient.completionQueue = DispatchQueue(label: "samples")
      try await body(app, server)
      await withCheckedContinuation { continuation in
        app.platformClient.clearCredentials { _ in continuation.resume() }
      }
    } catch {
      Issue.record(error)
    }
    await server.stop()
    guard let files = KeychainStore(identifier: application).storage as? EncryptedFileStore else { return }
    try? FileManager.default.removeItem(at: files.folder.deletingLastPathComponent())
  }

  func authenticate(_ app: SampleApp) async -> (NewzuluCore.Session?, NewzuluError?) {
    await withCheckedContinuation { continuation in
      app.authenticate {
        continuation.resume(returning: ($0, nil))
      } failure: {
        continuation.resume(returning: (nil, $0))
      }
    }
  }

  func upload(_ app: SampleApp, _ source: URL) async -> NewzuluError? {
    await withCheckedContinuation { continuation in
      app.upload(source, "Title", "Description") { _, _ in
      } success: {
        continuation.resume(returning: nil)
      } failure: { error, _ in
        continuation.resume(returning: error)
      }
    }
  }

  @Test("Newzulu-N2, Newzulu-N12: set credentials, authenticate, use the user's information")
  func wholeStory() async throws {
    try await withServer { app, server in
      app.setCredentials("ann@example.com", "apple", application)
      #expect(app.currentUser() == nil)
      #expect(server.journal?.total == 0)
      let (session, error) = await authenticate(app)
      #expect(error == nil)
      #expect(session?.user.username == "ann")
      #expect(session?.user.id.isEmpty == false)
      let user = try #require(app.currentUser())
      #expect(user.firstName == "Ann" && user.lastName == "Avery" && user.email == "ann@example.com")
    }
  }

  @Test("Newzulu-N3: wrong credentials, and a server that is not there")
  func reasons() async throws {
    try await withServer { app, server in
      for (email, password) in [("ann@example.com", "wrong"), ("nobody@example.com", "apple")] {
        app.setCredentials(email, password, application)
        let error = try #require(await authenticate(app).1)
        #expect(app.describe(error) == "credentials")
        #expect(app.currentUser() == nil)
      }
      await server.stop()
      app.setCredentials("ann@example.com", "apple", application)
      let error = try #require(await authenticate(app).1)
      #expect(app.describe(error) == "network")
    }
  }

  @Test("Newzulu-N7: skip authenticating and upload; it happens by itself, and the file is there")
  func upload() async throws {
    try await withServer { app, server in
      app.setCredentials("ann@example.com", "apple", application)
      let source = FileManager.default.temporaryDirectory.appending(path: "\(application).jpg")
      try Data("a photo".utf8).write(to: source)
      defer { try? FileManager.default.removeItem(at: source) }
      let error = await upload(app, source)
      #expect(error == nil)
      let file = try #require(try await server.door(NewzuluDoor.self)?.content(ofFile: 1).first)
      #expect(try Data(contentsOf: file) == Data("a photo".utf8))
      #expect(app.currentUser()?.username == "ann")
    }
  }

  @Test("Newzulu-N14: upload without credentials")
  func notAuthenticated() async throws {
    try await withServer { app, server in
      let source = try #require(URL(string: "data:image/png;base64,eA=="))
      let error = try #require(await upload(app, source))
      #expect(app.describe(error) == "not authenticated")
      #expect(server.journal?.total == 0)
    }
  }
}

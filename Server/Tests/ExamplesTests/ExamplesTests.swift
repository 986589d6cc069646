import Foundation
import OstiaryCore
import OstiaryServer
import Testing

/// The examples that the documents show, run as a user would run them.
@Suite("Examples", .timeLimit(.minutes(20)))
struct ExamplesTests {
  private static let password = "nine green bottles"
  private static let key = "0123456789abcdef0123456789abcdef"

  /// Runs `body` with a server in which ann has a password.
  private func withServer(_ body: (_ address: String) async throws -> Void) async throws {
    try await withServer { _, running in try await body("\(running.origin)/prweb") }
  }

  private func withServer(
    _ body: (OstiaryApplication, OstiaryApplication.Running) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.newzulu?.keys = [NewzuluKey(Secret(Self.key))]
    let application = try OstiaryApplication(configuration)
    try await application.identity.addUser(name: "ann", email: "ann@example.com", password: Secret(Self.password))
    let running = try await application.start()
    do {
      try await body(application, running)
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  @Test("SignIn signs in when it asks for something, shows it and signs out")
  func signIn() async throws {
    try await withServer { address in
      let run = try await Example.run("SignIn", [address, "ann"], input: Self.password)
      #expect(run.status == 0)
      #expect(run.lines.first == "ann: signed in because a request needed a session")
      #expect(run.output.contains("200"))
      #expect(run.output.contains("Order a new card"))
      #expect(run.lines.last == "ann: signed out because the app asked for it")
      #expect(!run.output.contains(Self.password))
    }
  }

  @Test("SignIn says in one sentence that the password is wrong")
  func wrongPassword() async throws {
    try await withServer { address in
      let run = try await Example.run("SignIn", [address, "ann"], input: "ten green bottles")
      #expect(run.status == 1)
      #expect(run.lines.last?.contains("Check the user name and password.") == true)
      #expect(!run.output.contains("green bottles"))
    }
  }

  @Test("WhySignedOut loses its session to the server and knows why")
  func why() async throws {
    try await withServer { address in
      let run = try await Example.run("WhySignedOut", [address, "ann"], input: Self.password)
      #expect(run.status == 0)
      #expect(run.lines.first?.hasPrefix("To the user: No user is signed in") == true)
      #expect(run.lines.contains("Signed out, cause rejected_by_server."))
      #expect(run.lines.contains { $0.hasPrefix("Why: ann: signed out because the server refused its proof") })
    }
  }

  @Test("TestingYourApp tests an app without a network")
  func testing() async throws {
    let run = try await Example.run("TestingYourApp", [], input: "")
    #expect(run.status == 0)
    #expect(run.lines.last == "2 sign-ins")
    #expect(run.lines.dropLast().last == "No connection. You are still signed in.")
    #expect(run.lines.count == 4)
    #expect(run.lines.prefix(2).allSatisfy { $0.contains("ann") })
  }

  @Test("UploadVideo uploads a file, and signs in anew for none of the following ones")
  func upload() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let video = folder.appending(path: "harbour.mp4")
    let content = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 16) })
    try content.write(to: video)
    try await withServer { application, running in
      let arguments = [
        running.origin.description, "1", Self.key, "ann@example.com", video.path(percentEncoded: false),
      ]
      var calls: [Int] = []
      for _ in 0..<2 {
        let before = application.journal?.total ?? 0
        let run = try await Example.run("UploadVideo", arguments, input: Self.password, state: folder)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.lines.first == "0 of 10000000 bytes")
        #expect(run.lines.dropLast().last == "10000000 of 10000000 bytes")
        let id = try #require(run.lines.last?.split(separator: " ").last.flatMap { Int64($0) })
        let parts = try await application.door(NewzuluDoor.self)?.content(ofFile: id) ?? []
        #expect(try parts.reduce(into: Data()) { $0 += try Data(contentsOf: $1) } == content)
        calls.append((application.journal?.total ?? 0) - before)
      }
      // To begin, two parts, to end; and signing in, once.
      #expect(calls == [5, 4])
      let refused = try await Example.run(
        "UploadVideo", arguments, input: "ten green bottles", state: folder.appending(path: "new"))
      #expect(refused.status == 1)
      #expect(!refused.output.contains("green bottles"))
    }
  }

  @Test(
    "An example that is called wrongly says how to call it", arguments: ["SignIn", "WhySignedOut", "UploadVideo"])
  func usage(name: String) async throws {
    let run = try await Example.run(name, [], input: "")
    #expect(run.status == 2)
    #expect(run.output.hasPrefix("usage: \(name) "))
  }
}

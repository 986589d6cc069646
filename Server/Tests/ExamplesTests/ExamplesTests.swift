import Foundation
import OstiaryCore
import OstiaryServer
import Testing

/// The examples that the documents show, run as a user would run them.
@Suite("Examples", .timeLimit(.minutes(10)))
struct ExamplesTests {
  private static let password = "nine green bottles"

  /// Runs `body` with a server in which ann has a password.
  private func withServer(_ body: (_ address: String) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(configuration)
    try await application.identity.addUser(name: "ann", password: Secret(Self.password))
    let running = try await application.start()
    do {
      try await body("\(running.origin)/prweb")
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
      #expect(run.lines.first?.hasPrefix("To the user: Nobody is signed in") == true)
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

  @Test("An example that is called wrongly says how to call it", arguments: ["SignIn", "WhySignedOut"])
  func usage(name: String) async throws {
    let run = try await Example.run(name, [], input: "")
    #expect(run.status == 2)
    #expect(run.output.hasPrefix("usage: \(name) "))
  }
}

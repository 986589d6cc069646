import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// What the command says names what a person types. Each message is provoked and read.
@Suite("Messages of the command", .timeLimit(.minutes(20)))
struct MessageTests {
  private func symbols(in text: String) -> [String] { ProgramWords.found(in: text) }

  private func login(_ kind: String, _ server: LoopbackServer, _ more: [String] = []) async throws -> Outcome {
    let address = server.url().absoluteString
    return try await Sandbox().run(
      ["login", kind, "--server", address, "--user", "ann", "--password-stdin"] + more, input: "apple")
  }

  @Test("Bug-B06: a server that asks for no password is told with the option that names an address that needs it")
  func noPassword() async throws {
    let server = try LoopbackServer(answering: [.response(body: "open")])
    defer { server.stop() }
    let outcome = try await login("http", server)
    #expect(outcome.status != 0)
    #expect(outcome.error.contains("--option check="), "\(outcome.error)")
    #expect(symbols(in: outcome.error).isEmpty, "\(outcome.error)")
  }

  @Test("Bug-B06: a gateway that does not ask to sign in is told with --server, and promises no later sign-in")
  func noGateway() async throws {
    let server = try LoopbackServer(answering: [.response(body: "open")])
    defer { server.stop() }
    let outcome = try await login("gateway", server)
    #expect(outcome.status != 0)
    #expect(outcome.error.contains("Write --server with"), "\(outcome.error)")
    #expect(!outcome.error.contains("a sign-in begins") && symbols(in: outcome.error).isEmpty, "\(outcome.error)")
  }

  @Test("Bug-B06: a login page of another server is told with the option that allows it")
  func loginElsewhere() async throws {
    let html = [("Content-Type", "text/html")]
    let form = "<form method=post action=/login><input name=u><input name=p type=password></form>"
    let elsewhere = try LoopbackServer(host: "127.0.0.2", answering: [.response(200, html, body: form)])
    defer { elsewhere.stop() }
    let page = elsewhere.url("/login").absoluteString
    let forms = [
      [LoopbackServer.Action.redirect(302, to: page)],
      [.response(200, html, body: form.replacing("action=/login", with: "action=\(page)"))],
    ]
    for answer in forms {
      let server = try LoopbackServer(answering: answer)
      defer { server.stop() }
      let outcome = try await login("gateway", server)
      #expect(outcome.status != 0)
      #expect(outcome.error.contains("--option login="), "\(outcome.error)")
      #expect(symbols(in: outcome.error).isEmpty, "\(outcome.error)")
    }
  }

  @Test("Bug-B06: no sentence for a person at a terminal names a word of a program")
  func wording() {
    for words in CommandWording.advices.values { #expect(symbols(in: words).isEmpty, "\(words)") }
    let error = OstiaryError(
      .invalidInput, "a", advice: "Use https, or allow plain http in the configuration.")
    #expect(FailureReport(error).line.plain.contains("--option insecure-http=allowed"))
  }

  @Test(
    "Bug-B06: a person's own command is told as theirs, and another profile's state without a name that is not there")
  func words() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      #expect(await sandbox.run(["logout"]).status == 0)
      for output in [await sandbox.run(["why"]).output, await sandbox.run(["status"]).output] {
        #expect(output.contains("signed out because you asked for it"), "\(output)")
        #expect(!output.contains("the app"))
      }
    }
  }

  @Test("Bug-B06: status without a user's name asks after a user")
  func unnamed() async throws {
    let sandbox = try Sandbox()
    let url = try #require(URL(string: "https://127.0.0.1:1/"))
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("salesforce"), server: url, user: "", method: "browser",
      options: ["client-id": "a"],
      certificateFile: nil)
    let session = try ProfileSession(
      profile, folders: sandbox.folders, environment: sandbox.environment(),
      logger: sandbox.environment().logger(verbose: false))
    let report = StatusReport(.unknown(OstiaryError(.timedOut, "a")), of: session, journal: nil, at: Date())
    #expect(report.lines.first?.plain == "? Whether a user is signed in can't be told now.")
    await session.close()
  }

  @Test("Bug-B06: the help of login keeps a kind's name apart from its summary")
  func help() async throws {
    let help = try await Sandbox().run(["help", "login"]).output
    for kind in ServerKinds.all {
      #expect(!help.contains("\(kind.kind.rawValue)\(kind.summary.prefix(5))"))
      #expect(help.contains("\(kind.kind.rawValue) "))
    }
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("login salesforce, token and request", .timeLimit(.minutes(20)))
struct SalesforceCommandTests {
  private func withServer(_ body: (Sandbox, SalesforceServer, [String]) async throws -> Void) async throws {
    let server = try SalesforceServer()
    defer { server.stop() }
    try await body(
      try Sandbox(), server,
      ["login", "salesforce", "--server", server.login, "--option", "client-id=\(SalesforceServer.clientID)"])
  }

  private func browserLogin(_ sandbox: Sandbox, _ login: [String]) async -> Outcome {
    await sandbox.run(
      login + ["--option", "redirect-uri=http://127.0.0.1/OauthRedirect"], browser: RedirectedBrowser.visit)
  }

  @Test("browser: the page is shown, the answer caught, and the user told by name; status, token, request, logout")
  func browser() async throws {
    try await withServer { sandbox, server, login in
      let signIn = await browserLogin(sandbox, login)
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.error.contains("open this page yourself"))
      #expect(signIn.output.contains("as ann@example.com"))
      #expect(signIn.prompts.isEmpty)

      let status = await sandbox.run(["status"])
      #expect(status.status == 0, "\(status.error)")
      #expect(status.output.contains("Signed in as ann@example.com."))
      #expect(status.output.contains(server.instance))

      let token = await sandbox.run(["token"])
      #expect(token.status == 0, "\(token.error)")
      #expect(server.live == [String(token.output.dropLast())] && token.output.hasSuffix("\n"))

      let call = await sandbox.run(["request", "/services/data/v58.0/sobjects/Case?a=b"])
      #expect(call.status == 0, "\(call.error)")
      let answer = try call.json()
      #expect(answer["path"] == "/services/data/v58.0/sobjects/Case")
      #expect(answer["internal"] == false)
      #expect(server.calls == ["GET /services/data/v58.0/sobjects/Case?a=b"])
      #expect(!call.error.contains("without the session"))

      let end = await sandbox.run(["logout"])
      #expect(end.status == 0 && end.output.contains("ann@example.com is signed out"), "\(end.output)")
      #expect(await sandbox.run(["token"]).status == 3)
      let said = signIn.output + signIn.error + status.output + call.error + end.output
      #expect(!said.contains("!AR8") && !said.contains("5Aep"))
    }
  }

  @Test("token: renewed when the server says that it is over; --offline does not ask; --json says more")
  func token() async throws {
    try await withServer { sandbox, server, login in
      #expect(await browserLogin(sandbox, login).status == 0)
      let first = await sandbox.run(["token"]).output
      server.expireSessions()
      #expect(await sandbox.run(["token", "--offline"]).output == first)
      let second = await sandbox.run(["token"])
      #expect(second.status == 0, "\(second.error)")
      #expect(second.output != first)
      #expect(server.live == [String(second.output.dropLast())])
      #expect(server.grants == ["authorization_code", "refresh_token"])
      #expect(second.error.isEmpty)

      let report = try await sandbox.run(["token", "--json"]).json()
      #expect(report["accessToken"]?.string.map { server.live.contains($0) } == true)
      #expect(report["server"]?.string == server.instance)
    }
  }

  @Test("token: names a profile; nothing on standard output when somebody has to sign in, or it can't be told")
  func noToken() async throws {
    try await withServer { sandbox, server, login in
      #expect(await browserLogin(sandbox, login + ["--profile", "work"]).status == 0)
      #expect(await sandbox.run(["token", "work"]).status == 0)
      #expect(await sandbox.run(["token", "other"]).status == 2)
      #expect(await sandbox.run(["token", "work", "--profile", "work"]).status == 2)
      server.revokeAll()
      let over = await sandbox.run(["token"], answers: ["nobody asks for this"])
      #expect(over.status == 3 && over.output.isEmpty && over.prompts.isEmpty)
      #expect(over.error.contains("ostiary login"))
      #expect(await browserLogin(sandbox, login + ["--profile", "work"]).status == 0)
      server.stop()
      let silent = await sandbox.run(["token"])
      #expect(silent.status == 5 && silent.output.isEmpty)
      #expect(await sandbox.run(["token", "--offline"]).status == 0)
    }
  }

  @Test("device: the code is shown, and waited for")
  func device() async throws {
    try await withServer { sandbox, server, login in
      server.setPending(1)
      let outcome = await sandbox.run(login + ["--method", "device"])
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.contains("ABCD1234") && outcome.error.contains("/setup/connect"))
      #expect(server.grants == ["device_code", "device", "device"])
      #expect(await sandbox.run(["token"]).status == 0)
    }
  }

  @Test("password: asked for on the terminal, and again when the session is over; nobody else's flow")
  func password() async throws {
    try await withServer { sandbox, server, login in
      let password = SalesforceServer.password
      let login = login + ["--method", "password", "--user", "ann@example.com"]
      #expect(await sandbox.run(login, answers: ["wrong"]).status == 4)
      let signIn = await sandbox.run(login, answers: [password])
      #expect(signIn.status == 0, "\(signIn.error)")
      #expect(signIn.output.contains("as ann@example.com"))
      server.expireSessions()
      #expect(await sandbox.run(["token"]).status == 3)
      let again = await sandbox.run(["token"], answers: [password])
      #expect(again.status == 0 && again.prompts.count == 1, "\(again.error)")
      server.expireSessions()
      let call = await sandbox.run(["request", "/services/data/"], answers: [password])
      #expect(call.status == 0 && call.prompts.count == 1, "\(call.error)")
      #expect(!(signIn.output + signIn.error + again.error).contains(password))
    }
  }

  @Test("Misuse is told before anything is sent")
  func misuse() async throws {
    try await withServer { sandbox, server, login in
      for arguments in [
        Array(login.dropLast(2)), login + ["--method", "carrier-pigeon"], login + ["--method", "password"],
        login + ["--password-stdin"], login + ["--option", "client-secret-file=/nowhere"],
        ["login", "pega", "--server", server.login], ["login", "pega", "--user", "ann"],
      ] {
        let outcome = await sandbox.run(arguments, answers: [SalesforceServer.password])
        #expect(outcome.status == 2 || outcome.status == 7, "\(arguments): \(outcome.error)")
        #expect(outcome.prompts.isEmpty)
      }
      #expect(server.grants.isEmpty)
      let kept = try sandbox.contents()
      #expect(kept.isEmpty)
    }
  }

  @Test("A profile of another kind has no token to print")
  func otherKinds() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      let outcome = await sandbox.run(["token"])
      #expect(outcome.status == 2 && outcome.output.isEmpty)
      #expect(outcome.error.contains("no access token"))
    }
  }
}

import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

@Suite("serve with a Salesforce door", .timeLimit(.minutes(20)))
struct SalesforceServeTests {
  private static let secret = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"

  private func door(_ arguments: [String], in sandbox: Sandbox) throws -> SalesforceDoorConfiguration {
    try SalesforceCommandDoor.parse(arguments).configuration(sandbox.environment())
  }

  @Test("Without options there is one org, no app of somebody's, and no insecure flow")
  func defaults() throws {
    let door = try door([], in: try Sandbox())
    #expect(door.orgs == [SalesforceOrg()])
    #expect(door.apps.isEmpty && door.insecureFlows.isEmpty)
    #expect(door.sessionTimeout == .seconds(7200))
  }

  @Test("Orgs, communities and apps are as the options say")
  func options() throws {
    let sandbox = try Sandbox()
    try """
    # the web site's
    KEY1 callback=https://app.example.com/cb secret=\(Self.secret) name=Web scope=id,api,refresh_token rotate

      KEY2\tcallback=sfdc:///done callback=http://127.0.0.1/cb any-port secret=\(Self.secret) optional-secret headless challenge
    KEY3 preauthorized
    """.write(to: sandbox.folder.appending(path: "apps.txt"), atomically: true, encoding: .utf8)
    let door = try door(
      [
        "--salesforce-app", "KEY0=http://localhost:1717/OauthRedirect?a=b", "--salesforce-apps", "apps.txt",
        "--salesforce-org", "acme", "--salesforce-community", "customers", "--salesforce-community", "partners",
        "--salesforce-timeout", "15", "--salesforce-daily-requests", "250000", "--salesforce-trust", "192.0.2.1",
        "--salesforce-insecure-flows",
      ], in: sandbox)
    #expect(door.orgs.map(\.tenant) == [nil, "acme"])
    #expect(door.orgs[0].communities.map(\.path) == ["customers", "partners"])
    #expect(door.sessionTimeout == .seconds(15) && door.trustedAddresses == ["192.0.2.1"])
    #expect(door.dailyRequests == 250_000)
    #expect(door.insecureFlows == [.usernamePassword, .userAgent])
    #expect(door.apps.map(\.consumerKey) == ["KEY0", "KEY1", "KEY2", "KEY3"])
    #expect(door.apps[0].callbackURLs == ["http://localhost:1717/OauthRedirect?a=b"])
    #expect(door.apps[1].consumerSecret == Secret(Self.secret) && door.apps[1].rotatesRefreshTokens)
    #expect(door.apps[1].name == "Web" && door.apps[1].scopes == ["id", "api", "refresh_token"])
    #expect(door.apps[2].callbackURLs.count == 2 && door.apps[2].acceptsAnyLoopbackPort)
    #expect(!door.apps[2].requiresSecret && door.apps[2].allowsHeadlessSignIn && door.apps[2].requiresCodeChallenge)
    #expect(door.apps[3].permittedUsers == .preauthorized)
  }

  @Test(
    "What can't be right is refused before anything starts",
    arguments: [
      (["--salesforce-app", "KEY"], "KEY=CALLBACK-URL"), (["--salesforce-app", "=x"], "KEY=CALLBACK-URL"),
      (["--salesforce-apps", "none.txt"], "can't be read"), (["--salesforce-apps", "bad.txt"], "line 2: the word 3"),
      (["--salesforce-apps", "empty.txt"], "no connected app"), (["--salesforce-community", "a/b"], "one segment"),
      (["--salesforce-community", "services"], "one segment"), (["--salesforce-org", "a b"], "letters, digits"),
      (["--salesforce-app", "KEY=http://app.example.com/"], "callback URL"),
      (["--salesforce-app", "KEY=javascript:alert(1)"], "callback URL"), (["--salesforce-timeout", "0"], "times"),
      (["--salesforce-trust", "example.org"], "numeric"), (["--salesforce-daily-requests=-1"], "limits"),
    ])
  func refused(arguments: [String], words: String) async throws {
    let sandbox = try Sandbox()
    try "\nKEY callback=x secrte=\(Self.secret)".write(
      to: sandbox.folder.appending(path: "bad.txt"), atomically: true, encoding: .utf8)
    try "# nothing".write(to: sandbox.folder.appending(path: "empty.txt"), atomically: true, encoding: .utf8)
    let outcome = await sandbox.run(["serve", "--in-memory", "--port", "0"] + arguments)
    #expect(outcome.status != 0 && outcome.error.contains(words), "\(outcome.error)")
    #expect(!outcome.error.contains(Self.secret) && outcome.output.isEmpty)
  }

  @Test("A running server announces where and how to sign in")
  func running() async throws {
    let sandbox = try Sandbox()
    let server = try RunningTool(
      Tool.url, ["serve", "--in-memory", "--port", "0", "--dev", "--json", "--salesforce-app", "KEY=app:///done"],
      in: sandbox)
    let text = try await server.waitForOutput("\n}\n")
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let door = try #require(document["doors"]?.array?.first { $0["name"] == "salesforce" })
    #expect(door["address"] == document["origin"])
    #expect(door["signIn"]?.string?.hasPrefix("ostiary login salesforce --server ") == true)
    #expect(door["signIn"]?.string?.contains("--option client-id=KEY") == true)
    server.signal(SIGTERM)
    #expect(try await server.outcome().status == 0)
  }
}

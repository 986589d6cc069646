import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite("Settings of a dialect that tell accounts apart", .timeLimit(.minutes(20)))
struct AccountSettingsTests {
  /// A server with tenants: a token is good below its own tenant's path.
  private static func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let parts = request.path.split(separator: "/").map(String.init)
      guard parts.count == 2 else { return [.response(404)] }
      let type = [("Content-Type", "application/json")]
      let isGood = request.fields[.authorization] == "Bearer planted-token-of-\(parts[0])"
      switch parts[1] {
      case "login": return [.response(200, type, body: #"{"token":"planted-token-of-\#(parts[0])"}"#)]
      case "me" where isGood: return [.response(200, type, body: #"{"id":"ann of \#(parts[0])"}"#)]
      case "logout" where isGood: return [.response(200, type, body: "{}")]
      default: return [.response(401, type, body: #"{"error":"over"}"#)]
      }
    }
  }

  private static let document = #"""
    {
      "dialect": 1,
      "name": "tenants",
      "settings": { "tenant": { "title": "the tenant" }, "key": { "secret": true }, "style": { "default": "plain" } },
      "signIn": [ { "method": "POST", "path": "/{tenant}/login", "headers": { "X-Key": "{key}" },
        "body": { "json": { "user": "{username}", "password": "{password}" } }, "reads": { "token": "/token" } } ],
      "who": { "method": "GET", "path": "/{tenant}/me", "headers": { "X-Style": "{style}" }, "reads": { "userID": "/id" } },
      "end": { "method": "POST", "path": "/{tenant}/logout" },
      "proof": { "headers": { "Authorization": "Bearer {token}" } },
      "renewal": { "by": "credential" }
    }
    """#

  /// A sandbox with the dialect in it.
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    try Data(document.utf8).write(to: sandbox.folder.appending(path: "tenants.json"))
    return sandbox
  }

  private func login(
    _ sandbox: Sandbox, at server: LoopbackServer, tenant: String, key: String = "planted-key", _ more: [String] = []
  ) async -> Outcome {
    await sandbox.run(
      ["login", "api", "--dialect", "tenants.json", "--server", "http://127.0.0.1:\(server.port)", "--user", "ann"]
        + ["--setting", "tenant=\(tenant)", "--setting", "key=\(key)"] + more,
      answers: ["planted-password"])
  }

  @Test("DIALECT-C25: two tenants of one server are two accounts; neither has the other's session")
  func tenants() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let sandbox = try Self.sandbox()
    #expect(await login(sandbox, at: server, tenant: "a").status == 0)
    // The profile of that name is another account, which is signed in.
    let refused = await login(sandbox, at: server, tenant: "b")
    #expect(refused.status != 0 && refused.error.contains("--profile"), "\(refused)")
    #expect(server.requests.allSatisfy { $0.path.hasPrefix("/a/") })
    #expect(await login(sandbox, at: server, tenant: "b", ["--profile", "second"]).status == 0)
    let name = "ann@127.0.0.1:\(server.port)"
    for (profile, tenant) in [(name, "a"), ("second", "b")] {
      let status = await sandbox.run(["status", "--profile", profile])
      #expect(status.status == 0 && status.output.contains("tenant=\(tenant)"), "\(status)")
      #expect(status.output.contains("key=") && !status.output.contains("planted"), "\(status.output)")
      #expect(!status.output.contains("style"), "\(status.output)")
      let report = try await sandbox.run(["status", "--json", "--profile", profile]).json()
      #expect(report["settings"]?["tenant"]?.string == tenant && report["status"] == "signed_in", "\(report)")
      #expect(await sandbox.run(["request", "/\(tenant)/me", "--profile", profile]).output.contains("of \(tenant)"))
    }
    #expect(await sandbox.run(["logout", "--profile", "second"]).status == 0)
    #expect(await sandbox.run(["status", "--profile", name]).status == 0)
    let list = await sandbox.run(["profile", "list", "--json"])
    #expect(!list.output.contains("planted") && list.output.contains("settings-sha256"), "\(list.output)")
  }

  @Test("DIALECT-C25: a profile from before settings told accounts apart keeps the session that is stored for it")
  func earlier() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let sandbox = try Self.sandbox()
    #expect(await login(sandbox, at: server, tenant: "a").status == 0)
    #expect(await sandbox.run(["logout"]).status == 0)
    let store = ProfileStore(try sandbox.folders)
    var old = try store.load().profile(named: nil)
    let key = old.sessionKey
    old.options?["settings-sha256"] = nil
    #expect(old.sessionKey != key)
    let reference = try #require(old.options?["dialect"])
    #expect(old.sessionKey.name == "\(old.name) api \(old.server.absoluteString) ann \(reference)")
    try store.change { [old] in $0.put(old) }

    // The same settings are the same account, as it was.
    #expect(await login(sandbox, at: server, tenant: "a").status == 0)
    #expect(try store.load().profile(named: nil).sessionKey == old.sessionKey)
    #expect(await sandbox.run(["status"]).status == 0)
    // Others are another, which does not end it.
    let refused = await login(sandbox, at: server, tenant: "b")
    #expect(refused.status != 0 && refused.error.contains("--profile"), "\(refused)")
    #expect(await sandbox.run(["request", "/a/me"]).output.contains("of a"))
  }

  @Test(
    "DIALECT-C25: a secret that the sign-in sends tells accounts apart, too; what only says how a call looks does not")
  func keys() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let sandbox = try Self.sandbox()
    #expect(await login(sandbox, at: server, tenant: "a").status == 0)
    let store = ProfileStore(try sandbox.folders)
    let first = try store.load().profile(named: nil).sessionKey
    let other = await login(sandbox, at: server, tenant: "a", key: "planted-other", ["--profile", "second"])
    #expect(other.status == 0, "\(other.error)")
    let second = try store.load().profile(named: nil)
    #expect(second.sessionKey.name.split(separator: " ").last != first.name.split(separator: " ").last)
    let styled = await login(
      sandbox, at: server, tenant: "a", key: "planted-other", ["--profile", "third", "--setting", "style=loud"])
    #expect(styled.status == 0, "\(styled.error)")
    let third = try store.load().profile(named: nil)
    #expect(third.options?["settings-sha256"] == second.options?["settings-sha256"])
    for key in [first, second.sessionKey] { #expect(!key.name.contains("planted")) }
  }
}

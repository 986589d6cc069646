import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: apps across starts", .timeLimit(.minutes(20)))
struct SalesforceRestartTests {
  private typealias Tester = SalesforceTester
  private static let newSecret: Secret = "c0ffee5eed5f00d5ba5eba11decade10facade77"

  /// A server whose data is in a folder, with the apps that are given.
  private static func run<Value: Sendable>(
    _ folder: URL, apps: [SalesforceConnectedApp], body: (Tester) async throws -> Value
  ) async throws -> Value {
    try await TestServer.run({ configuration in
      configuration.storage = .folder(folder)
      configuration.salesforce?.apps = apps
    }) { server in
      if try await server.identity.user(named: "jane@example.com") == nil {
        try await server.identity.addUser(name: "jane@example.com", password: Secret(Tester.password))
      }
      return try await body(Tester(server: server))
    }
  }

  private static func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test("An app that is configured anew keeps its tokens; its old secret is good no more")
  func reconfigured() async throws {
    try await Self.withFolder { folder in
      var app = Tester.App.web.configuration
      let (refresh, access, id) = try await Self.run(folder, apps: [app]) { tester in
        let tokens = try await tester.signIn()
        return (tokens["refresh_token"]?.string, tokens["access_token"]?.string, tokens["id"]?.string)
      }
      app.consumerSecret = Self.newSecret
      app.rotatesRefreshTokens = true
      try await Self.run(folder, apps: [app]) { tester in
        #expect(try await tester.call("/services/data/v59.0/limits", access).status == 200)
        #expect(try await tester.refresh(refresh).error == "invalid_client")
        let renewed = try await tester.token(
          [
            "grant_type": "refresh_token", "refresh_token": refresh ?? "", "client_id": app.consumerKey,
            "client_secret": Self.newSecret.reveal(),
          ])
        #expect(renewed.status == 200, "\(renewed.body)")
        #expect(renewed.json["refresh_token"]?.string != nil && renewed.json["refresh_token"]?.string != refresh)
        // The same user in the same org, in another process.
        #expect(renewed.json["id"]?.string?.split(separator: "/").suffix(2) == id?.split(separator: "/").suffix(2))
      }
      // An app without a secret is another app: it could not have been asked for one.
      app.consumerSecret = nil
      try await Self.run(folder, apps: [app]) { tester in
        let call = try await tester.call("/services/data/v59.0/limits", access)
        #expect(call.status == 401)
        let fields = ["grant_type": "refresh_token", "refresh_token": refresh ?? ""]
        let answer = try await tester.token(fields, app: .web, sendsSecret: false)
        #expect(answer.error == "invalid_grant")
      }
      // One that is configured no more is unknown, and so are its tokens.
      try await Self.run(folder, apps: [Tester.App.mobile.configuration]) { tester in
        let answer = try await tester.refresh(refresh)
        #expect(answer.error == "invalid_client_id")
      }
    }
  }

  @Test("The server's own app and the security tokens are the same after a start")
  func ownApp() async throws {
    try await Self.withFolder { folder in
      var seen: [String] = []
      for _ in 0..<2 {
        let found = try await Self.run(folder, apps: []) { tester in
          let user = try #require(try await tester.server.identity.user(named: "jane@example.com"))
          let key = try #require(try tester.door.consumerKey)
          #expect(key.utf8.count == 85 && key.hasPrefix("3MVG9"))
          return [key, try tester.door.securityToken(of: user).reveal()]
        }
        seen += found
      }
      #expect(seen.count == 4 && Array(seen[0..<2]) == Array(seen[2..<4]))
    }
  }

  @Test("A secret that somebody could guess keeps the server from starting, and is not told")
  func weakSecret() async throws {
    var app = Tester.App.web.configuration
    app.consumerSecret = "hunter2"
    do {
      try await Tester.run({ $0.apps = [app] }) { _ in }
      Issue.record("It has started.")
    } catch let error as ServerConfigurationError {
      #expect(error.problems.count == 1 && error.description.contains("The web app"))
      #expect(!error.description.contains("hunter2"))
    }
  }

  @Test("What can't be right about orgs and apps is told, all of it")
  func problems() {
    var door = SalesforceDoorConfiguration()
    #expect(door.problems.isEmpty)
    door.orgs = [
      SalesforceOrg(communities: [SalesforceCommunity(path: "a/b")]), SalesforceOrg(tenant: "x y"), SalesforceOrg(),
    ]
    door.instanceURL = "https://na1.example.org/path"
    door.mostApprovals = 0
    door.sessionTimeout = .zero
    var app = SalesforceConnectedApp(
      consumerKey: "a key", name: "A", callbackURLs: ["http://app.example.com/", "data:text/html,x", "app:/done#f"])
    app.scopes = ["everything"]
    app.certificate = "nonsense"
    app.requiresSecret = false
    app.sessionTimeout = .zero
    door.apps = [app, app]
    // Of each app eight, and of the door seven.
    #expect(door.problems.count == 23, "\(door.problems.joined(separator: "\n"))")
  }
}

import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

extension AuditRouteTests {
  /// A flow, by either way that flows travel.
  fileprivate struct Way {
    let server: TestServer
    let client: Client
    let isJSON: Bool
    /// The session of a program.
    var token: String?

    func flow(_ kind: FlowKind) async throws -> String {
      if isJSON {
        return try #require(
          try await client.get(FlowPaths.json(kind), headers: authorization).json["flow"]?["id"]?.string)
      }
      let page = try await client.get(FlowPaths.page(kind))
      let rest = try #require(page.body.components(separatedBy: "name=\"flow\" value=\"").dropFirst().first)
      return String(rest.prefix { $0 != "\"" })
    }

    var authorization: [String: String] { token.map { ["Authorization": "Bearer " + $0] } ?? [:] }

    func send(
      _ kind: FlowKind, _ flow: String, _ call: String, _ fields: [String: String], headers: [String: String] = [:]
    ) async throws -> Answer {
      var headers = headers.merging(authorization) { $1 }
      guard isJSON else {
        return try await client.post(
          FlowPaths.page(kind), form: [("flow", flow), ("action", call)] + fields.map { ($0.key, $0.value) },
          headers: headers)
      }
      headers["Content-Type"] = "application/json"
      let value = JSONValue.object([
        "flow": .string(flow), "action": .string(call), "fields": .object(fields.mapValues { .string($0) }),
      ])
      return try await client.send(
        "POST", FlowPaths.json(kind), headers: headers,
        body: String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
    }

    func login(_ name: String, _ password: String) async throws -> Answer {
      try await send(.login, try await flow(.login), "login", ["identifier": name, "password": password])
    }
  }

  @Test("Bug-C16: the pages for accounts and their JSON", arguments: [false, true])
  func accounts(isJSON: Bool) async throws {
    try await Self.run { server in
      var way = Way(server: server, client: server.client(), isJSON: isJSON)
      let anybody = Way(server: server, client: server.client(), isJSON: isJSON)
      for kind in FlowKind.allCases {
        _ = try await anybody.send(kind, "x", "x", [:], headers: Self.elsewhere)
      }
      // A new account.
      let signup = try await way.flow(.signup)
      let details = ["email": "new@example.com", "password": Self.password]
      _ = try await way.send(.signup, signup, "signup", details)
      let code = try await server.code(for: "new@example.com")
      // The address gets an account elsewhere, meanwhile and later.
      let late = try await anybody.flow(.signup)
      _ = try await anybody.send(.signup, late, "signup", details)
      let lateCode = try await server.code(for: "new@example.com")
      _ = try await way.send(.signup, signup, "check_code", ["code": Self.wrong(code)])
      let made = try await way.send(.signup, signup, "check_code", ["code": code])
      #expect(made.status == (isJSON ? 200 : 303), "\(made.body)")
      _ = try await anybody.send(.signup, late, "check_code", ["code": lateCode])
      // A lost password.
      let recovery = try await anybody.flow(.recover)
      _ = try await anybody.send(.recover, recovery, "send_code", ["email": "new@example.com"])
      let proof = try await server.code(for: "new@example.com")
      _ = try await anybody.send(.recover, recovery, "check_code", ["code": Self.wrong(proof)])
      _ = try await anybody.send(.recover, recovery, "check_code", ["code": proof])
      let password = "another fine long password"
      let set = try await anybody.send(.recover, recovery, "set_password", ["new_password": password])
      #expect(set.status == 200, "\(set.body)")
      // Signing in.
      let fresh = Way(server: server, client: server.client(), isJSON: isJSON)
      let spare = try await fresh.flow(.login)
      let right = try await Self.tryPasswords(server) { try await fresh.login($0, $1) }
      #expect(right.status == (isJSON ? 200 : 303), "\(right.body)")
      way = fresh
      if isJSON { way.token = right.json["next"]?["token"]?.string }
      let again = try await way.replacing(
        try await way.send(.login, spare, "login", ["identifier": "jane", "password": Self.password]))
      // One's own account.
      let profile = try await again.flow(.profile)
      _ = try await again.send(.profile, profile, "save", ["display_name": "Jane D."])
      let passwords = ["current_password": "wrong", "new_password": password]
      _ = try await again.send(.profile, profile, "change_password", passwords)
      let changed = try await again.send(
        .profile, profile, "change_password", passwords.merging(["current_password": Self.password]) { $1 })
      #expect(changed.status == (isJSON ? 200 : 303), "\(changed.body)")
      let last = try await again.replacing(changed)
      try await Self.signOut(last)
      try await Self.expect(AccountPagesModule.self, toTell: server, only: isJSON ? "/flows/" : "/account/")
    }
  }

  private static func signOut(_ way: Way) async throws {
    if way.isJSON {
      _ = try await way.client.send("DELETE", FlowPaths.session, headers: elsewhere.merging(way.authorization) { $1 })
      #expect(try await way.client.send("DELETE", FlowPaths.session, headers: way.authorization).status == 204)
      return
    }
    _ = try await way.client.post(FlowPaths.logout, form: [("token", "x")])
    let home = try await way.client.get(FlowPaths.home)
    let token = home.body.components(separatedBy: "name=\"token\" value=\"").last?.split(separator: "\"").first ?? ""
    #expect(try await way.client.post(FlowPaths.logout, form: [("token", String(token))]).status == 200)
  }
}

extension AuditRouteTests.Way {
  /// The same client, once it has been given another session.
  fileprivate func replacing(_ answer: Answer) async throws -> Self {
    var other = self
    if isJSON { other.token = answer.json["next"]?["token"]?.string ?? answer.json["session"]?["token"]?.string }
    return other
  }
}

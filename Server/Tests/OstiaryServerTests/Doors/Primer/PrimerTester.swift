import Foundation
import OstiaryCore

@testable import OstiaryServer

/// A server whose Primer door knows one app, asks for good passwords, and has Jane; each request can come from an address of
/// its own.
struct PrimerTester: Sendable {
  static let token = "app-token"
  static let address = "jane@example.com"
  static let password = TestServer.janesPassword
  static let otherPassword = "another fine long passphrase"

  let server: TestServer

  static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, body: (PrimerTester) async throws -> Value
  ) async throws -> Value {
    try await TestServer.run({
      $0.primer?.apps[0].token = token
      $0.development?.passwordPolicy = .standard
      $0.trustedProxies = ["127.0.0.1"]
      $0.accounts?.offersSignUp = true
      configure(&$0)
    }) { server in
      try await server.identity.addUser(
        name: "jane", displayName: "Jane Doe", email: address, password: Secret(password))
      return try await body(PrimerTester(server: server))
    }
  }

  func post(
    _ path: String, _ body: JSONValue, from address: String = "192.0.2.1", headers: [String: String] = [:]
  ) async throws -> Answer {
    let own = ["Content-Type": "application/json", "X-Primer-Token": Self.token, "X-Forwarded-For": address]
    return try await server.client().send(
      "POST", "/primer" + path, headers: own.merging(headers) { $1 },
      body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
  }

  func experience(_ query: String = "", _ headers: [String: String] = [:]) async throws -> Answer {
    try await server.client().get(
      "/primer/v1/experience" + query, headers: ["X-Primer-Token": Self.token].merging(headers) { $1 })
  }

  /// What the door has noted of a user of the first app.
  func standing(_ user: String) async throws -> PrimerRecords.Standing {
    try await server.application.door(PrimerDoor.self)?.standing(of: user) ?? .init()
  }

  func deliver(_ events: [JSONValue], headers: [String: String] = [:]) async throws -> Answer {
    try await post("/v1/events", .object(["batch": .array(events)]), headers: headers)
  }

  static func event(
    _ id: String, _ name: String, anonymous: String = "a1", user: String? = nil, padding: Int = 0
  ) -> JSONValue {
    var subject: [String: JSONValue] = ["anon": .string(anonymous), "props": .object([:])]
    if let user { subject["id"] = .string(user) }
    return .object([
      "id": .string(id), "name": .string(name), "type": "standard", "ts": "2026-01-01T00:00:00Z",
      "params": .object(padding > 0 ? ["x": .string(String(repeating: "x", count: padding))] : [:]),
      "user": .object(subject),
    ])
  }

  /// The code of the last mail to an address.
  func code(for address: String = address) async throws -> String? {
    await server.mails(to: address).last?.code
  }
}

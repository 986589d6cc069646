import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Calls of the accounts' JSON interface and of an app's backend, as programs make them.
struct AccountCalls: Sendable {
  let server: TestServer

  static let newPassword = "a quite different long password"

  struct Unexpected: Error { let answer: Answer }

  private func submit(_ kind: String, _ flow: String, _ action: String, _ fields: [String: String]) async throws
    -> Answer
  {
    let body = JSONValue.object([
      "flow": .string(flow), "action": .string(action), "fields": .object(fields.mapValues { .string($0) }),
    ])
    let answer = try await server.client().send(
      "POST", "/flows/\(kind)", headers: ["Content-Type": "application/json"],
      body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
    guard answer.status == 200 else { throw Unexpected(answer: answer) }
    return answer
  }

  private func begin(_ kind: String) async throws -> String {
    let answer = try await server.client().get("/flows/\(kind)")
    guard let flow = answer.json["flow"]?["id"]?.string else { throw Unexpected(answer: answer) }
    return flow
  }

  /// Makes an account with a code that is mailed.
  func signUp(_ address: String, password: String = TestServer.janesPassword) async throws {
    let flow = try await begin("signup")
    _ = try await submit("signup", flow, "signup", ["email": address, "password": password])
    _ = try await submit("signup", flow, "check_code", ["code": try await server.code(for: address)])
  }

  /// Makes an account as an app does, which asks for no proof of the address.
  @discardableResult
  func signUpByApp(_ address: String, password: String = TestServer.janesPassword) async throws -> Answer {
    let token = server.application.door(PrimerDoor.self)?.token ?? ""
    let body = JSONValue.object(["email": .string(address), "password": .string(password)])
    return try await server.client().send(
      "POST", "/primer/signup", headers: ["Content-Type": "application/json", "X-Primer-Token": token],
      body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
  }

  /// The token of a session of the JSON interface.
  func logIn(_ name: String, password: String = TestServer.janesPassword) async throws -> String {
    let answer = try await submit(
      "login", try await begin("login"), "login", ["identifier": name, "password": password])
    guard let token = answer.json["next"]?["token"]?.string else { throw Unexpected(answer: answer) }
    return token
  }

  /// Sets a new password with a code that is mailed.
  func recover(_ address: String, password: String = newPassword) async throws {
    let flow = try await begin("recover")
    _ = try await submit("recover", flow, "send_code", ["email": address])
    _ = try await submit("recover", flow, "check_code", ["code": try await server.code(for: address)])
    _ = try await submit("recover", flow, "set_password", ["new_password": password])
  }
}

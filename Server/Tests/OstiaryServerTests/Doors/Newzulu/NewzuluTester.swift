import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Calls the Newzulu door as an app would, in either transport.
struct NewzuluTester: Sendable {
  enum Transport: CaseIterable, Sendable { case json, form }

  let server: TestServer
  var transport = Transport.json

  static let appKey = "0123456789abcdef0123456789ABCDEF"
  static let developerKey = "11111111111111111111111111111111"
  static let editorKey = "22222222222222222222222222222222"
  static let otherTenantsKey = "33333333333333333333333333333333"
  static let janesPassword = TestServer.janesPassword
  static let otherPassword = "another fine long password"

  /// A server with two tenants, in each of which `jane@example.com` is another user, and bob in the first.
  static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, addsUsers: Bool = true,
    body: (NewzuluTester) async throws -> Value
  ) async throws -> Value {
    try await TestServer.run({ configuration in
      configuration.newzulu?.vhosts = ["1281", "206"]
      configuration.newzulu?.keys = [
        NewzuluKey(Secret(appKey)),
        NewzuluKey(Secret(developerKey), permissions: [.registerUsers, .readUsers]),
        NewzuluKey(Secret(editorKey), permissions: [.seeAllMedia]),
        NewzuluKey(Secret(otherTenantsKey), vhost: "206", permissions: [.readUsers]),
      ]
      configuration.newzulu?.leastPartSize = 10
      configuration.newzulu?.leastFreeSpace = 0
      configure(&configuration)
    }) { server in
      if addsUsers {
        try await server.identity.addUser(
          name: "jane", tenant: "1281", email: "jane@example.com", password: Secret(janesPassword),
          attributes: ["firstname": "Jane", "meta": .object(["colour": "blue"])])
        try await server.identity.addUser(
          name: "jane", tenant: "206", email: "jane@example.com", password: Secret(otherPassword))
        try await server.identity.addUser(name: "bob", tenant: "1281", password: Secret(janesPassword))
      }
      return try await body(NewzuluTester(server: server))
    }
  }

  func with(_ transport: Transport) -> NewzuluTester { NewzuluTester(server: server, transport: transport) }

  /// - Parameter key: the API key; nil sends none.
  @discardableResult
  func call(
    _ method: String, _ arguments: [String: JSONValue] = [:], key: String? = appKey, token: String? = nil
  ) async throws -> Answer {
    var all = arguments
    all["method"] = .string(method)
    if let key { all["APIKEY"] = .string(key) }
    if let token { all["sessiontoken"] = .string(token) }
    switch transport {
    case .json:
      let body = String(decoding: try JSONEncoder().encode(all), as: UTF8.self)
      return try await post(body, type: "application/json; charset=utf-8")
    case .form:
      var fields: [(String, String)] = []
      for (name, value) in all.sorted(by: { $0.key < $1.key }) { Self.flatten(value, name, into: &fields) }
      return try await server.client().post("/services/json", form: fields)
    }
  }

  func post(_ body: String, type: String?) async throws -> Answer {
    try await server.client().send(
      "POST", "/services/json", headers: type.map { ["Content-Type": $0] } ?? [:], body: body)
  }

  func confirm(
    _ name: String, _ password: String, vhost: String = "1281", login: Bool = true, returnUserInfo: Bool = true
  ) async throws -> Answer {
    try await call(
      "users.confirmCredentials",
      [
        "vhost": .string(vhost), "username": .string(name), "password": .string(password), "login": .bool(login),
        "returnUserInfo": .bool(returnUserInfo),
      ])
  }

  /// Signs in and returns the token.
  func token(
    _ name: String = "jane@example.com", _ password: String = janesPassword, vhost: String = "1281"
  ) async throws -> String {
    let answer = try await confirm(name, password, vhost: vhost)
    guard let token = answer.result?["sessiontoken"]?.string else { throw UnexpectedAnswer(answer: answer) }
    return token
  }

  struct UnexpectedAnswer: Error { let answer: Answer }

  private static func flatten(_ value: JSONValue, _ name: String, into fields: inout [(String, String)]) {
    switch value {
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) { flatten(value, "\(name)[\(key)]", into: &fields) }
    case .array(let elements):
      for (index, value) in elements.enumerated() { flatten(value, "\(name)[\(index)]", into: &fields) }
    case .string(let text): fields.append((name, text))
    case .integer(let number): fields.append((name, String(number)))
    case .bool(let flag): fields.append((name, flag ? "true" : "false"))
    default: fields.append((name, ""))
    }
  }
}

extension Answer {
  /// What a good answer carries.
  var result: JSONValue? { json["status"] == true ? json["result"] : nil }

  /// The number of a failure.
  var code: JSONValue? { json["status"] == false ? json["code"] : nil }
}

import Crypto
import Foundation
import HTTPTypes
package import OstiaryCore
package import OstiaryTesting

/// Facebook's Graph API, as far as signing in needs it, without a network: users with the fields that they let apps know,
/// tokens of several apps, errors as Facebook writes them.
package final class GraphStub: Sendable {
  /// A user's account.
  package struct Account: Sendable {
    package var id: String
    /// All fields of the user.
    package var fields: [String: JSONValue]
    /// The fields that the user does not let apps know.
    package var declined: Set<String> = []

    package init(id: String, fields: [String: JSONValue], declined: Set<String> = []) {
      self.id = id
      self.fields = fields
      self.declined = declined
    }
  }

  private struct Grant: Sendable {
    var account: String
    var app: String
    var isValid = true
    var subcode = 463
  }

  private struct State: Sendable {
    var accounts: [String: Account] = [:]
    var grants: [String: Grant] = [:]
    var codes: [String: String] = [:]
    var served = 0
  }

  /// The app's identifier and secret.
  package static let appID = "1234567"
  package static let appSecret: Secret = "graph-app-secret"

  private let state = Locked(State())
  /// Answers for the Graph API.
  package let transport: ScriptedTransport

  package init() {
    transport = ScriptedTransport()
    for (method, path) in [(HTTPRequest.Method.get, "debug_token"), (.get, "app"), (.get, "me")] {
      transport.on(method, "/v23.0/\(path)") { [weak self] in self?.answer($0) ?? .status(.gone) }
    }
    transport.on(.post, "/v23.0/oauth/access_token") { [weak self] in self?.exchange($0) ?? .status(.gone) }
  }

  /// Adds a user.
  package func add(_ account: Account) {
    state.withLock { $0.accounts[account.id] = account }
    transport.on(.get, "/v23.0/\(account.id)/picture") { [weak self] in self?.answer($0) ?? .status(.gone) }
  }

  /// Logs a user in to an app.
  /// - Returns: the token.
  package func grant(_ account: String, app: String = GraphStub.appID) -> Secret {
    let token = "EAA\(UUID().uuidString)"
    state.withLock { $0.grants[token] = Grant(account: account, app: app) }
    return Secret(token)
  }

  /// Ends a token.
  /// - Parameter subcode: why: 463 it has expired, 460 the password was changed.
  package func end(_ token: Secret, subcode: Int = 463) {
    state.withLock { state in
      state.grants[token.reveal()]?.isValid = false
      state.grants[token.reveal()]?.subcode = subcode
    }
  }

  /// Makes a code that a browser brings back, to be exchanged for a token.
  package func code(for account: String) -> String {
    let token = grant(account).reveal()
    let code = UUID().uuidString
    state.withLock { $0.codes[code] = token }
    return code
  }

  // MARK: Answers

  private func exchange(_ request: TransportRequest) -> TransportResponse {
    let form = FormEncoding.parse(String(decoding: request.body ?? Data(), as: UTF8.self))
    func value(_ name: String) -> String { form.first { $0.name == name }?.value ?? "" }
    guard value("client_id") == Self.appID, !value("code_verifier").isEmpty,
      let token = state.withLock({ $0.codes.removeValue(forKey: value("code")) })
    else { return Self.error(100, "This authorization code has been used.", type: "OAuthException") }
    return .json(["access_token": .string(token), "token_type": "bearer", "expires_in": 5_183_944])
  }

  private func answer(_ request: TransportRequest) -> TransportResponse {
    let target = request.head.path ?? ""
    let path = String(target.prefix { $0 != "?" }).dropFirst("/v23.0/".count)
    let query = FormEncoding.parse(target.contains("?") ? String(target.drop { $0 != "?" }.dropFirst()) : "")
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    let bearer = String((request.head.headerFields[.authorization] ?? "").dropFirst("Bearer ".count))
    if path == "debug_token" { return debug(value("input_token") ?? "", by: bearer) }
    let found = state.withLock { state in state.grants[bearer].map { ($0, state.accounts[$0.account]) } }
    guard let (grant, account) = found, let account else {
      return Self.error(190, "Invalid OAuth access token.", type: "OAuthException")
    }
    guard grant.isValid else {
      return Self.error(190, "Error validating access token.", type: "OAuthException", subcode: grant.subcode)
    }
    if let proof = value("appsecret_proof"), proof != Self.proof(bearer) {
      return Self.error(100, "Invalid appsecret_proof provided in the API argument", type: "GraphMethodException")
    }
    switch path {
    case "app": return .json(["id": .string(grant.app), "name": "An app"])
    case "me":
      let asked = Set((value("fields") ?? "id,name").split(separator: ",").map(String.init))
      var fields = account.fields.filter { asked.contains($0.key) && !account.declined.contains($0.key) }
      fields["id"] = .string(account.id)
      return .json(fields)
    default:
      let size = "\(value("width") ?? "50")x\(value("height") ?? "50")"
      guard value("redirect") == "false" else {
        return .status(.found, headerFields: [.location: "https://pictures.example/\(size)/\(account.id).jpg"])
      }
      return .json([
        "data": .object([
          "url": .string("https://pictures.example/\(size)/\(account.id).jpg"), "is_silhouette": false,
          "width": .integer(Int64(value("width") ?? "") ?? 50), "height": .integer(Int64(value("height") ?? "") ?? 50),
        ])
      ])
    }
  }

  private func debug(_ token: String, by bearer: String) -> TransportResponse {
    guard bearer == "\(Self.appID)|\(Self.appSecret.reveal())" else {
      return Self.error(190, "Invalid OAuth access token signature.", type: "OAuthException")
    }
    guard let grant = state.withLock({ $0.grants[token] }) else {
      return .json([
        "data": .object(["is_valid": false, "error": .object(["code": 190, "message": "No such token."])])
      ])
    }
    return .json([
      "data": .object([
        "app_id": .string(grant.app), "type": "USER", "is_valid": .bool(grant.isValid),
        "user_id": .string(grant.account),
        "expires_at": 1_900_000_000, "scopes": .array(["public_profile"]),
      ])
    ])
  }

  private static func proof(_ token: String) -> String {
    let key = SymmetricKey(data: Data(appSecret.reveal().utf8))
    return HMAC<SHA256>.authenticationCode(for: Data(token.utf8), using: key)
      .map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
  }

  /// An error as Facebook writes it.
  package static func error(_ code: Int64, _ message: String, type: String, subcode: Int? = nil) -> TransportResponse {
    var error: [String: JSONValue] = [
      "message": .string(message), "type": .string(type), "code": .integer(code), "fbtrace_id": "A1",
    ]
    if let subcode { error["error_subcode"] = .integer(Int64(subcode)) }
    return .json(["error": .object(error)], status: .badRequest)
  }
}

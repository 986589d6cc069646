import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import Testing

/// A client of a provider that sends each request as a test says it, and believes nothing.
struct ProviderVisitor: Sendable {
  let clock: ManualClock
  let provider: ScriptedProvider
  let transport: ScriptedTransport

  init(_ settings: ProviderSettings = ProviderSettings(), signingWith algorithm: SignatureAlgorithm = .es256) throws {
    clock = ManualClock()
    provider = try ScriptedProvider(settings, signingWith: algorithm, clock: clock)
    transport = provider.transport()
  }

  static let redirectURI = "https://app.example/callback"
  static let verifier = "a-code-verifier-of-forty-three-characters-or-so"
  static let api = "https://api.example/"

  static var challenge: String { StrictBase64URL.encode(SHA256.hash(data: Data(verifier.utf8)).map { $0 }) }

  // MARK: Requests

  func post(
    _ endpoint: ProviderEndpoint, _ form: [(String, String)], fields: HTTPFields = [:]
  ) async throws -> TransportResponse {
    let body = FormEncoding.serialize(form.map { (name: $0.0, value: $0.1) })
    var request = try TransportRequest.post(
      provider.address(of: endpoint), body: Data(body.utf8), contentType: FormEncoding.mediaType)
    request.head.headerFields.append(contentsOf: fields)
    return try await transport.send(request)
  }

  func get(_ url: URL, fields: HTTPFields = [:]) async throws -> TransportResponse {
    var request = try TransportRequest.get(url)
    request.head.headerFields.append(contentsOf: fields)
    return try await transport.send(request)
  }

  func get(_ endpoint: ProviderEndpoint, fields: HTTPFields = [:]) async throws -> TransportResponse {
    try await get(provider.address(of: endpoint), fields: fields)
  }

  // MARK: Signing in

  /// The address of an authorization page; what is given takes the place of the usual parameters, and an empty text leaves
  /// one out.
  func page(_ parameters: [(String, String)] = []) throws -> URL {
    try address(.authorization, request(parameters))
  }

  func request(_ parameters: [(String, String)] = []) -> [(String, String)] {
    let usual = [
      ("response_type", "code"), ("client_id", "app"), ("redirect_uri", Self.redirectURI), ("state", "s"),
      ("nonce", "n"), ("scope", "openid offline_access"), ("code_challenge", Self.challenge),
      ("code_challenge_method", "S256"),
    ]
    let names = Set(parameters.map(\.0))
    return usual.filter { !names.contains($0.0) } + parameters.filter { !$0.1.isEmpty }
  }

  func address(_ endpoint: ProviderEndpoint, _ query: [(String, String)]) throws -> URL {
    let text = FormEncoding.serialize(query.map { (name: $0.0, value: $0.1) })
    guard let url = URL(string: provider.address(of: endpoint).absoluteString + "?" + text) else { throw Missing() }
    return url
  }

  /// What the callback says.
  func callback(_ parameters: [(String, String)] = []) throws -> [String: String] {
    Self.parameters(of: try provider.visit(page(parameters)))
  }

  static func parameters(of url: URL) -> [String: String] {
    let text = url.query(percentEncoded: true) ?? url.fragment(percentEncoded: true) ?? ""
    return Dictionary(FormEncoding.parse(text).map { ($0.name, $0.value) }) { first, _ in first }
  }

  func exchange(
    _ code: String?, _ more: [(String, String)] = [], fields: HTTPFields = [:]
  ) async throws -> TransportResponse {
    let usual = [
      ("grant_type", "authorization_code"), ("client_id", "app"), ("redirect_uri", Self.redirectURI),
      ("code_verifier", Self.verifier), ("code", code ?? ""),
    ]
    let names = Set(more.map(\.0))
    return try await post(.token, usual.filter { !names.contains($0.0) } + more, fields: fields)
  }

  /// Signs in, and returns the members of the answer.
  func signIn(
    _ parameters: [(String, String)] = [], fields: HTTPFields = [:]
  ) async throws -> [String: JSONValue] {
    try await exchange(callback(parameters)["code"], fields: fields).members
  }

  func renew(
    _ token: JSONValue?, _ more: [(String, String)] = [], fields: HTTPFields = [:]
  ) async throws -> TransportResponse {
    let form = [("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", token?.string ?? "")]
    return try await post(.token, form + more, fields: fields)
  }

  /// A request to the API.
  func use(_ token: JSONValue?, scheme: String = "Bearer", fields: HTTPFields = [:]) async throws -> TransportResponse {
    var fields = fields
    fields[.authorization] = scheme + " " + (token?.string ?? "")
    return try await get(.resource, fields: fields)
  }

  // MARK: Proofs

  /// A proof of possession (RFC 9449 §4.2) as a field.
  func proof(
    _ key: SigningKey, _ method: String = "POST", _ endpoint: ProviderEndpoint = .token, nonce: String? = nil,
    access: JSONValue? = nil, id: String = UUID().uuidString
  ) throws -> HTTPFields {
    var claims: [String: JSONValue] = [
      "jti": .string(id), "htm": .string(method),
      "htu": .string(provider.address(of: endpoint).absoluteString),
      "iat": .integer(Int64(clock.now.timeIntervalSince1970)),
    ]
    claims["nonce"] = nonce.map(JSONValue.string)
    if let access = access?.string {
      claims["ath"] = .string(StrictBase64URL.encode(SHA256.hash(data: Data(access.utf8)).map { $0 }))
    }
    let header: [String: JSONValue] = ["jwk": .object(key.publicKey?.members ?? [:])]
    let name = try #require(HTTPField.Name("DPoP"))
    return [name: try key.sign(claims, type: "dpop+jwt", header: header).reveal()]
  }

  // MARK: ID tokens

  func keys() async throws -> KeySet { try KeySet(json: await get(.keys).body) }

  /// Why the ID token of an answer is not to be believed; `nil` for one that is.
  func refusal(_ answer: [String: JSONValue]) async throws -> JOSEError.Code? {
    let verifier = TokenVerifier(
      algorithms: [.es256, .rs256, .edDSA], type: .jwtOrAbsent,
      rules: [
        .issuer(provider.settings.issuer), .audience("app"), .unexpired(), .issued(within: .seconds(600)),
        .claim("nonce", is: "n"), .claim("sub", is: "ann"),
      ])
    let text = try #require(answer["id_token"]?.string)
    let keys = try await keys()
    do {
      _ = try verifier.verify(text, with: keys, at: clock.now)
      return nil
    } catch {
      return error.code
    }
  }

  /// What an ID token claims.
  func claims(_ answer: [String: JSONValue]) throws -> [String: JSONValue] {
    try PresentedToken(#require(answer["id_token"]?.string)).unverifiedClaims
  }

  struct Missing: Error {}
}

extension TransportResponse {
  /// The members of a JSON object; empty where the body is none.
  var members: [String: JSONValue] { JSONValue(json: body)?.object ?? [:] }
  var error: String? { members["error"]?.string }
  var nonce: String? { HTTPField.Name("DPoP-Nonce").flatMap { head.headerFields[$0] } }
  var challenge: String { head.headerFields[values: .wwwAuthenticate].joined(separator: ", ") }
}

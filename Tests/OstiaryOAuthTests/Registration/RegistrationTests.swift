import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("Registration", .timeLimit(.minutes(20)))
struct RegistrationTests {
  private let server = DocumentServer()
  private let issuer = DocumentServer.issuer
  private static let answer: [String: JSONValue] = [
    "client_id": "c-1", "client_secret": "planted-secret", "client_secret_expires_at": 1_900_000_000,
    "registration_access_token": "planted-token", "registration_client_uri": "https://as.test/register/c-1",
    "token_endpoint_auth_method": "client_secret_post", "client_name": "Orders",
  ]

  init() {
    server.publish(["registration_endpoint": "https://as.test/register"])
    server.transport.on(.post, "/register") { _ in .json(Self.answer, status: .created) }
  }

  private func json(_ request: TransportRequest?) -> [String: JSONValue]? {
    JSONValue(json: request?.body ?? Data())?.object
  }

  private func register(token: Secret? = nil) async throws -> OAuthRegistration {
    try await server.directory.register(
      .native(name: "Orders", redirectURIs: ["http://127.0.0.1/callback"], scope: "openid"), at: issuer,
      initialAccessToken: token)
  }

  @Test(
    "FIND-27: a client says what it is, and gets an identifier, secrets and the way to its registration (RFC 7591 §3)")
  func registers() async throws {
    let key = try SigningKey.make(.es256, id: "k")
    let client = ClientDescription(
      redirectURIs: ["https://app.test/callback"], name: "Orders", authenticationMethod: "private_key_jwt",
      keys: [try #require(key.publicKey)], others: ["software_id": "s", "client_name": "x"])
    let registration = try await server.directory.register(client, at: issuer, initialAccessToken: "initial")
    let request = try #require(server.transport.requests.last)
    let members = try #require(json(request))
    #expect(members["client_name"] == "Orders" && members["software_id"] == "s")
    #expect(members["redirect_uris"]?.array == ["https://app.test/callback"])
    #expect(
      members["jwks"]?["keys"]?.array?.first?["kid"] == "k" && members["jwks"]?["keys"]?.array?.first?["d"] == nil)
    #expect(members["scope"] == nil && members["grant_types"] == nil)
    #expect(request.head.headerFields[.authorization] == "Bearer initial")
    #expect(request.head.headerFields[.contentType] == "application/json")
    #expect(registration.clientID == "c-1" && registration.secret == "planted-secret")
    #expect(registration.secretExpiresAt == Date(timeIntervalSince1970: 1_900_000_000))
    #expect(registration.managementToken == "planted-token")
    #expect(registration.managementAddress?.absoluteString == "https://as.test/register/c-1")
    #expect(registration.members == ["token_endpoint_auth_method": "client_secret_post", "client_name": "Orders"])
    #expect(registration.issuer == issuer)
    #expect("\(registration) \(String(reflecting: registration))".contains("planted") == false)
  }

  @Test("FIND-27: a registration can be kept, and makes a client")
  func kept() async throws {
    let registration = try await register()
    let again = try JSONDecoder().decode(OAuthRegistration.self, from: JSONEncoder().encode(registration))
    #expect(again == registration)
    let client = try OAuthClient(again, in: server.directory)
    #expect(client.id == "c-1" && client.authentication == .secretPost("planted-secret") && !client.isLocated)
    var members = Self.answer
    members["token_endpoint_auth_method"] = "private_key_jwt"
    server.transport.on(.post, "/register") { [members] _ in .json(members) }
    let signing = try await register()
    #expect(await failure { try OAuthClient(signing, in: server.directory) }?.code == .invalidInput)
    #expect(throws: Never.self) {
      try OAuthClient(signing, authentication: ClientAuthentication.none, in: server.directory)
    }
  }

  @Test("FIND-27: without a secret and a method a client is public; 0 means that a secret never expires")
  func publicClient() async throws {
    server.transport.on(.post, "/register") { _ in .json(["client_id": "https://app.test/client.json"]) }
    let registration = try await register()
    #expect(registration.authentication == ClientAuthentication.none && registration.managementToken == nil)
    #expect(registration.clientID == "https://app.test/client.json", "an identifier that is a URL is only a text")
    let error = await failure { try await server.directory.registration(of: registration) }
    #expect(error?.code == .invalidInput)
    server.transport.on(.post, "/register") { _ in
      .json(["client_id": "a", "client_secret": "s", "client_secret_expires_at": 0])
    }
    let confidential = try await register()
    #expect(confidential.secretExpiresAt == nil && confidential.authentication == .secretBasic("s"))
  }

  @Test(
    "FIND-28: a refusal is the server's word on the client, and quotes no secret (RFC 7591 §3.2.2)",
    arguments: [
      (400, "invalid_redirect_uri"), (400, "invalid_client_metadata"), (400, "invalid_software_statement"),
      (403, "unapproved_software_statement"), (401, "invalid_token"), (401, ""), (403, ""),
    ])
  func refused(_ status: Int, _ code: String) async {
    server.transport.on(.post, "/register") { _ in
      code.isEmpty
        ? .status(.init(code: status))
        : .json(
          ["error": .string(code), "error_description": "not with planted-initial"], status: .init(code: status))
    }
    let error = await failure { try await register(token: "planted-initial") }
    #expect(error?.code == .registrationRefused && error?.disposition == .misuse)
    #expect((error?.underlying as? OAuthRefusal)?.code.rawValue == (code.isEmpty ? nil : code))
    #expect("\(error as Any) \(error?.underlying as Any)".contains("planted") == false)
  }

  @Test("FIND-28: what is no word of the server's ends nothing, and nothing is sent twice")
  func passing() async {
    let answers: [TransportResponse] = [
      .status(.serviceUnavailable), .status(.tooManyRequests), .html("Welcome"), .html("No", status: .forbidden),
      .status(.found, headerFields: [.location: "https://evil.test/"]), .status(.notFound), .status(.ok),
      .status(.proxyAuthenticationRequired), .json([:]), .json(["client_id": ""]), .json(["client_id": 1]),
      .json(["client_id": "a", "registration_client_uri": "http://as.test/c"]),
      .json(["client_id": "a", "registration_client_uri": "http://127.0.0.1/c"]),
    ]
    for answer in answers {
      server.transport.on(.post, "/register") { _ in answer }
      let before = server.transport.count(.post, "/register")
      let error = await failure { try await register(token: "planted-initial") }
      #expect(error?.isTransient == true, "\(answer)")
      #expect(server.transport.count(.post, "/register") == before + 1)
    }
    server.transport.inject(.endless, into: .post("/register"))
    #expect(await failure { try await register() }?.code == .responseTooLarge)
    #expect(server.transport.requests.allSatisfy { $0.head.authority == "as.test" })
  }

  @Test("FIND-28: a server that registers no clients is not asked to")
  func noEndpoint() async {
    server.publish(["registration_endpoint": nil])
    #expect(await failure { try await register() }?.code == .metadataUnusable)
    let broken = DocumentServer()
    broken.publish(["registration_endpoint": "https://as.test/register"])
    let client = ClientDescription(others: ["x": .number(.infinity)])
    #expect(await failure { try await broken.directory.register(client, at: issuer) }?.code == .invalidInput)
    let token = await failure {
      try await broken.directory.register(ClientDescription(), at: issuer, initialAccessToken: "a\r\nb")
    }
    #expect(token?.code == .invalidInput && broken.transport.count(.post, "/register") == 0)
  }

  @Test("FIND-29: a registration is read, changed and ended with its management token (RFC 7592 §2)")
  func managed() async throws {
    let registration = try await register()
    server.transport.on(.get, "/register/c-1") { _ in
      .json(["client_id": "c-1", "registration_access_token": "newer", "client_name": "Orders"])
    }
    let read = try await server.directory.registration(of: registration)
    #expect(read.managementToken == "newer" && read.secret == "planted-secret")
    #expect(read.managementAddress == registration.managementAddress)
    #expect(read.secretExpiresAt == registration.secretExpiresAt)
    server.transport.on(.put, "/register/c-1") { _ in .json(["client_id": "c-1", "client_secret": "s2"]) }
    let updated = try await server.directory.update(read, to: ClientDescription(name: "Orders 2"))
    let request = try #require(server.transport.requests.last)
    #expect(request.head.headerFields[.authorization] == "Bearer newer")
    #expect(json(request) == ["client_id": "c-1", "client_secret": "planted-secret", "client_name": "Orders 2"])
    #expect(updated.secret == "s2" && updated.secretExpiresAt == nil && updated.managementToken == "newer")
    server.transport.on(.delete, "/register/c-1") { _ in .status(.noContent) }
    try await server.directory.unregister(updated)
    server.transport.on(.delete, "/register/c-1") { _ in .status(.unauthorized) }
    #expect(await failure { try await server.directory.unregister(updated) }?.code == .registrationRefused)
  }

  @Test("FIND-29: an answer about another client is none, and quotes no secret")
  func otherClient() async throws {
    let registration = try await register()
    server.transport.on(.get, "/register/c-1") { _ in .json(["client_id": "c-2"]) }
    #expect(
      await failure { try await server.directory.registration(of: registration) }?.code == .unexpectedResponse)
    server.transport.on(.put, "/register/c-1") { _ in
      .json(
        ["error": "invalid_client_metadata", "error_description": "planted-secret planted-token"], status: .badRequest)
    }
    let error = await failure { try await server.directory.update(registration, to: ClientDescription()) }
    #expect("\(error as Any) \(error?.underlying as Any)".contains("planted") == false)
  }
}

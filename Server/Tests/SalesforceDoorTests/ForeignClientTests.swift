import CryptoExtras
import Foundation
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import PythonTestSupport
import Testing

/// Programs that know nothing of Ostiary, as people use them with Salesforce.
@Suite("Other people's clients at the Salesforce door", .timeLimit(.minutes(20)))
struct ForeignClientTests {
  private static let python = PythonEnvironment(
    name: "python-salesforce-clients",
    packages: ["simple-salesforce>=1.12,<2", "requests-oauthlib>=2,<3", "Authlib>=1.3,<2"])
  private static let key = "3MVG9foreign"
  private static let secret: Secret = "7f0d5a9b31c84e62a6d2c0e5b8f41739"
  private static let callback = "https://app.example.com/callback"
  private static let password: Secret = "a fine long password"

  @Test(
    "simple-salesforce, requests-oauthlib and Authlib sign in, and do what they are for",
    .enabled("There is no Python 3 with venv, or its package registry can't be reached.") {
      await Self.python.interpreter() != nil
    })
  func clients() async throws {
    let python = try #require(await Self.python.interpreter())
    let signing = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    let told = try await Self.withServer(certificate: signing.publicKey.pemRepresentation) { origin, authority in
      let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/client.py")
      let result = try await ChildProcess.run(
        python,
        [
          script.path(percentEncoded: false), origin, authority, Self.key, Self.secret.reveal(), Self.callback,
          "ann@example.com", Self.password.reveal(),
        ], input: signing.pemRepresentation)
      try #require(result.status == 0, "\(result.error)")
      return try #require(JSONValue(json: Data(result.output.utf8))?.object)
    }
    let members = Set(told["members"]?.array?.compactMap(\.string) ?? [])
    #expect(members.isSuperset(of: ["access_token", "refresh_token", "instance_url", "id", "issued_at", "signature"]))
    #expect(!members.contains("expires_in"))
    #expect(told["renewed"] == true && told["kept the refresh token"] == true)
    #expect(told["userinfo"] == "ann@example.com")
    #expect(told["created"] == true && told["read"] == "A broken lamp")
    #expect(
      told["query"] == .array([.object(["attributes": .null, "Subject": "A broken lamp", "Status": "New"])]))
    #expect(told["updated"] == 204 && told["deleted"] == 204)
    #expect(told["query all"] == 1)
    #expect(told["describe"] == true && told["metadata"] == "Case" && told["sandbox"] == false)
    #expect(told["limit"] == 100_000 && told["usage"]?.double ?? 0 > 1)
    #expect(told["refused"] == "INVALID_FIELD")
    #expect(told["revoked"] == 200 && told["expired"] == "INVALID_SESSION_ID")
    #expect(told["with an assertion"] == 1)
    #expect(told["active"] == true && told["revoked by authlib"] == 200)
    #expect(told["afterwards"] == .object(["active": false]))
  }

  /// A server that speaks TLS, as simple-salesforce wants it.
  private static func withServer<Value: Sendable>(
    certificate: String, _ body: (_ origin: String, _ authority: String) async throws -> Value
  ) async throws -> Value {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.tls = .developmentAuthority
    configuration.development = .insecureForTests
    var app = SalesforceConnectedApp(
      consumerKey: key, name: "Foreign", consumerSecret: secret, callbackURLs: [callback])
    app.requiresCodeChallenge = false
    var signs = SalesforceConnectedApp(consumerKey: key + ".signs", name: "Signs")
    signs.certificate = certificate
    signs.permittedUsers = .preauthorized
    configuration.salesforce?.apps = [app, signs]
    configuration.salesforce?.insecureFlows = [.usernamePassword]
    let server = try OstiaryApplication(configuration)
    let file = FileManager.default.temporaryDirectory.appending(path: "ostiary-authority-\(UUID().uuidString).pem")
    defer { try? FileManager.default.removeItem(at: file) }
    do {
      try await server.identity.addUser(name: "ann@example.com", password: password)
      let running = try await server.start()
      try (running.authority ?? "").write(to: file, atomically: true, encoding: .utf8)
      let value = try await body(running.origin.description, file.path(percentEncoded: false))
      await server.stop()
      return value
    } catch {
      await server.stop()
      throw error
    }
  }
}

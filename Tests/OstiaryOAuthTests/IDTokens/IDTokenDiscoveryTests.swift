import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// A server of which nothing but the issuer is known signs ID tokens.
@Suite("OpenID-3: ID tokens of a server that is found by its issuer", .timeLimit(.minutes(20)))
struct IDTokenDiscoveryTests {
  private struct Signing: Sendable {
    var key: SigningKey
    var nonce: String?
    var number = 0
  }

  private let server = DocumentServer()
  private let store = EphemeralStore()
  private let things = OAuthStub.url("/things")
  private let signing: Locked<Signing>

  init() throws {
    let key = try SigningKey.make(.es256, id: "k1")
    let signing = Locked(Signing(key: key))
    self.signing = signing
    server.publish(["id_token_signing_alg_values_supported": .array(["ES256", "none", "HS256"])])
    server.publish(keys: [key])
    let clock = server.clock
    server.transport.on(.post, "/token") { _ in
      let (key, nonce, number) = signing.withLock { state in
        state.number += 1
        return (state.key, state.nonce, state.number)
      }
      let now = Int64(clock.now.timeIntervalSince1970)
      var claims: [String: JSONValue] = [
        "iss": .string(DocumentServer.issuer), "aud": "app", "sub": "ann", "iat": .integer(now),
        "exp": .integer(now + 300),
      ]
      claims["nonce"] = nonce.map(JSONValue.string)
      return .json([
        "access_token": .string("access-\(number)"), "refresh_token": .string("refresh-\(number)"),
        "expires_in": 600, "id_token": .string(try key.sign(claims).reveal()),
      ])
    }
    server.transport.on(.post, "/revoke") { _ in .status(.ok) }
    server.transport.on(.get, "/things") { _ in .json(["ok": true]) }
  }

  /// A manager as a process has it that has just begun.
  private func manager() throws -> SessionManager {
    let directory = ServerDirectory(transport: server.transport, clock: server.clock)
    let client = try OAuthClient(id: "app", issuer: DocumentServer.issuer, in: directory)
    let signing = signing
    let flow = OAuthFlow.authorizationCode(
      in: ClosureUserAgent { request in
        signing.withLock { $0.nonce = request.nonce?.value.reveal() }
        return try request.callback(["code": "c"])
      }, redirectURI: OAuthStub.redirectURI, scope: "openid")
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    return SessionManager(
      authenticator: try OAuthAuthenticator(server: OAuthStub.url("/"), client: client, flow: flow),
      transport: server.transport, credentials: .byHandler, store: store, configuration: configuration,
      clock: server.clock)
  }

  private var asked: [String] { server.transport.requests.map(\.address) }

  @Test("OpenID-3: the address is enough for an ID token that is verified; userinfo is not asked")
  func signIn() async throws {
    let manager = try manager()
    #expect(try await AuthenticatedTransport(manager).get(things).status == .ok)
    #expect(manager.current?.user.id == "ann")
    #expect(
      asked == [
        DocumentServer.openID, "https://as.test/token", DocumentServer.keys, "https://as.test/things",
      ])
  }

  @Test("OpenID-3: a renewal after a restart costs one request, its ID token included")
  func restart() async throws {
    _ = try await manager().session()
    server.clock.advance(by: .seconds(3600))
    let before = asked.count
    let second = try manager()
    #expect(try await AuthenticatedTransport(second).get(things).status == .ok)
    #expect(Array(asked.dropFirst(before)) == ["https://as.test/token", "https://as.test/things"])
    let proof = try #require(second.current?.proof.tokens)
    #expect(proof["refresh_token"] == "refresh-2" && proof["access_token"] == "access-2")
    #expect(proof["unjudged"] == nil && proof["server"] != nil)
  }

  @Test("OpenID-3: oidcc-client-test-signing-key-rotation: a newer key of the issuer costs one request more")
  func rotation() async throws {
    _ = try await manager().session()
    let key = try SigningKey.make(.es256, id: "k2")
    signing.withLock { $0.key = key }
    server.publish(keys: [key])
    server.clock.advance(by: .seconds(3600))
    let before = asked.count
    let second = try manager()
    #expect(try await AuthenticatedTransport(second).get(things).status == .ok)
    #expect(
      Array(asked.dropFirst(before)) == ["https://as.test/token", DocumentServer.keys, "https://as.test/things"])
    #expect(!second.history.contains { $0.kind == .partDropped })
  }

  @Test("OpenID-3, Bug-A05: a key set that can't be had is a failure that passes, and no used token is shown after it")
  func keysAway() async throws {
    _ = try await manager().session()
    let key = try SigningKey.make(.es256, id: "k2")
    signing.withLock { $0.key = key }
    server.publish(.status(.serviceUnavailable), at: DocumentServer.keys)
    server.clock.advance(by: .seconds(3600))
    let second = try manager()
    let error = await failure { try await AuthenticatedTransport(second).get(things) }
    #expect(error?.isTransient == true)
    server.publish(keys: [key])
    server.clock.advance(by: .seconds(60))
    #expect(try await AuthenticatedTransport(manager()).get(things).status == .ok)
    let shown = server.transport.requests.compactMap { $0.form["refresh_token"] }
    #expect(shown == ["refresh-1"])
    #expect(asked.count { $0 == "https://as.test/things" } == 1)
  }
}

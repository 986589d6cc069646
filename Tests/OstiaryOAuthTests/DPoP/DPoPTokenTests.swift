import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("DPoP: tokens and keys", .timeLimit(.minutes(20)))
struct DPoPTokenTests {
  private let stub = DPoPStub()

  // MARK: Types of tokens

  @Test(
    "DPoP-11, fapi2-token-type-case-insensitivity: the type is read without regard to case",
    arguments: ["DPoP", "dpop", "DPOP"])
  func types(type: String) async throws {
    stub.change { $0.tokenType = type }
    let http = AuthenticatedTransport(try stub.manager())
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.transport.requests.last?.head.headerFields[.authorization]?.hasPrefix("DPoP ") == true)
  }

  @Test(
    "DPoP-11: bearer tokens in answer to a proof are not taken at a sign-in, and are revoked",
    arguments: ["Bearer", nil])
  func bearerAtSignIn(type: String?) async throws {
    stub.change { $0.tokenType = type }
    let manager = try stub.manager()
    let error = try #require(await failure { try await manager.session() })
    #expect(error.code == .tokenNotBound)
    #expect(error.disposition == .misuse)
    #expect(manager.current == nil)
    #expect(stub.read(\.revoked) == ["planted-refresh-1", "planted-access-1"])
    #expect(!"\(error) \(String(reflecting: error))".contains("planted"))
  }

  @Test("DPoP-11: they are taken, and sent as such, under a name that can't be overlooked")
  func bearerAllowed() async throws {
    stub.change { $0.tokenType = "Bearer" }
    var dpop = DPoP()
    dpop.insecurelyAcceptsBearerTokens = true
    stub.transport.on(.get, "/things") { request in
      request.head.headerFields[.authorization] == "Bearer planted-access-1"
        && request.head.headerFields[dpopField] == nil
        ? .json([:]) : .status(.forbidden)
    }
    let manager = try stub.manager(stub.client(dpop))
    #expect(try await AuthenticatedTransport(manager).get(DPoPStub.things).status == .ok)
    // The refresh token may be bound all the same.
    #expect(manager.current?.proof.tokens[OAuthAuthenticator.proofKey] != nil)
    stub.clock.advance(by: .seconds(7200))
    _ = try await manager.session()
    #expect(stub.read { $0.token.thumbprints.count } == 2)
  }

  @Test(
    "DPoP-12: bearer tokens that a renewal brings are kept and not sent; requests say so, and a later renewal mends it")
  func bearerAtRenewal() async throws {
    let store = FaultyStore()
    let manager = try stub.manager(stub.client(hasUserInfo: true), store: store)
    let http = AuthenticatedTransport(manager)
    _ = try await http.get(DPoPStub.things)
    stub.change { $0.tokenType = "Bearer" }
    stub.clock.advance(by: .seconds(7200))
    let before = stub.transport.count(.get, "/things")
    let error = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(error.code == .tokenNotBound && error.isTransient && !error.requestMayHaveExecuted)
    #expect(error.host == "api.test")
    #expect(stub.transport.count(.get, "/things") == before)
    let kept = try #require(manager.current)
    #expect(kept.proof.tokens[OAuthAuthenticator.accessToken] == "planted-access-2")
    #expect(kept.proof.tokens[OAuthAuthenticator.refreshToken] == "planted-refresh-2")
    #expect(String(decoding: try #require(store.saved.last), as: UTF8.self).contains("planted-refresh-2"))
    // Neither is it shown in other ways.
    var request = try HTTPRequest(.get, to: DPoPStub.things)
    manager.attach(to: &request)
    #expect(request.headerFields.isEmpty)
    stub.change { $0.tokenType = "DPoP" }
    stub.clock.advance(by: .seconds(7200))
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.read(\.revoked) == [])
  }

  @Test("DPoP-12: tokens of the type DPoP in answer to no proof are not understood")
  func boundUnasked() async throws {
    let bearer = OAuthStub()
    bearer.answer { _ in .json(["access_token": "t", "token_type": "DPoP"]) }
    let error = await failure { try await bearer.manager().session() }
    #expect(error?.code == .unexpectedResponse)
  }

  // MARK: Keys

  /// Keys that are away for a time, or for ever.
  private final class Shelf: DPoPKeySource {
    let keys = SoftwareDPoPKeys()
    let error = Locked<(any Error)?>(nil)
    func makeKey() throws -> DPoPKey { try keys.makeKey() }
    func key(storedAs text: Secret) throws -> DPoPKey {
      if let error = error.withLock({ $0 }) { throw error }
      return try keys.key(storedAs: text)
    }
  }
  private struct Away: Error {}

  @Test("DPoP-13: a key that can't be read now is unavailable: requests and renewals wait for it, and nothing ends")
  func unavailableKey() async throws {
    let shelf = Shelf()
    let store = EphemeralStore()
    _ = try await stub.manager(stub.client(DPoP(keys: shelf)), store: store).session()
    shelf.error.withLock { $0 = Away() }
    let manager = try stub.manager(stub.client(DPoP(keys: shelf)), store: store)
    let http = AuthenticatedTransport(manager)
    let before = stub.transport.count
    let error = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(error.code == .proofKeyUnavailable && error.isTransient && !error.requestMayHaveExecuted)
    stub.clock.advance(by: .seconds(7200))
    let renewal = try #require(await failure { try await http.get(DPoPStub.things) })
    #expect(renewal.code == .proofKeyUnavailable && renewal.isTransient)
    #expect(stub.transport.count == before)
    #expect(manager.current != nil)
    shelf.error.withLock { $0 = nil }
    stub.clock.advance(by: .seconds(3600))
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(stub.read(\.refreshes) == 1)
  }

  @Test("DPoP-13: a request in between finds the key as soon as it can be read")
  func readableAgain() async throws {
    let shelf = Shelf()
    let store = EphemeralStore()
    _ = try await stub.manager(stub.client(DPoP(keys: shelf)), store: store).session()
    shelf.error.withLock { $0 = Away() }
    let http = AuthenticatedTransport(try stub.manager(stub.client(DPoP(keys: shelf)), store: store))
    #expect(await failure { try await http.get(DPoPStub.things) }?.code == .proofKeyUnavailable)
    shelf.error.withLock { $0 = nil }
    #expect(try await http.get(DPoPStub.things).status == .ok)
  }

  /// Keys that another source makes, such as one in hardware.
  private struct Enclave: DPoPKeySource {
    let keys = SoftwareDPoPKeys()
    func makeKey() throws -> DPoPKey {
      let key = try keys.makeKey()
      return DPoPKey(key.maker, stored: Secret("enclave:" + key.stored.reveal()))
    }
    func key(storedAs text: Secret) throws -> DPoPKey {
      let key = try keys.key(storedAs: Secret(String(text.reveal().dropFirst("enclave:".count))))
      return DPoPKey(key.maker, stored: text)
    }
  }

  @Test("DPoP-13: a process that lacks the source of a session's key ends nothing, for itself and for others")
  func otherSource() async throws {
    let store = EphemeralStore()
    _ = try await stub.manager(stub.client(DPoP(keys: Enclave())), store: store).session()
    for dpop in [DPoP(), nil] {
      let manager = try stub.manager(stub.client(dpop), store: store)
      for _ in 0..<2 {
        let error = try #require(await failure { try await AuthenticatedTransport(manager).get(DPoPStub.things) })
        #expect(error.code == .proofKeyUnavailable && error.disposition == .misuse && !error.requestMayHaveExecuted)
        #expect(manager.current != nil)
        // The second time it would renew.
        stub.clock.advance(by: .seconds(7200))
      }
    }
    #expect(stub.read(\.refreshes) == 0)
    let manager = try stub.manager(stub.client(DPoP(keys: Enclave())), store: store)
    #expect(try await AuthenticatedTransport(manager).get(DPoPStub.things).status == .ok)
    #expect(stub.read(\.refreshes) == 1)
  }

  @Test("DPoP-14: a key that is lost leads to one question, with that cause, and to a session with a new key")
  func lostKey() async throws {
    let shelf = Shelf()
    let store = EphemeralStore()
    _ = try await stub.manager(stub.client(DPoP(keys: shelf)), store: store).session()
    let before = stub.transport.count(.post, "/token")
    shelf.error.withLock {
      $0 = OstiaryError(.proofKeyLost, "It belongs to another device.", disposition: .terminal)
    }
    let visits = Locked(0)
    let flow = OAuthFlow.authorizationCode(
      in: ClosureUserAgent { request in
        visits.withLock { $0 += 1 }
        shelf.error.withLock { $0 = nil }
        return try request.callback(["code": "c"])
      }, redirectURI: OAuthStub.redirectURI)
    let manager = try stub.manager(stub.client(DPoP(keys: shelf)), flow: flow, store: store)
    let http = AuthenticatedTransport(manager)
    #expect(try await http.get(DPoPStub.things).status == .ok)
    #expect(visits.withLock { $0 } == 1)
    // The old refresh token, which is of no use without its key, was not shown.
    #expect(stub.transport.count(.post, "/token") == before + 1)
    #expect(stub.read(\.refreshes) == 0)
    let failed = try #require(manager.history.first { $0.kind == .failed })
    #expect(failed.cause == .proofKeyLost)
    #expect(failed.description.contains("It belongs to another device."))
    #expect(Set(stub.read { $0.token.thumbprints }).count == 2)
  }

  @Test("DPoP-14: where no person can be asked, the session ends with that cause, here and for other processes")
  func lostKeyWithoutPerson() async throws {
    let shelf = Shelf()
    let store = EphemeralStore()
    _ = try await stub.manager(stub.client(DPoP(keys: shelf)), store: store).session()
    shelf.error.withLock { $0 = OstiaryError(.proofKeyLost, "It is damaged.", disposition: .terminal) }
    func quiet() throws -> SessionManager {
      SessionManager(
        authenticator: try OAuthAuthenticator(server: DPoPStub.api, client: stub.client(DPoP(keys: shelf))),
        transport: stub.transport, store: store, clock: stub.clock)
    }
    let manager = try quiet()
    let error = try #require(await failure { try await AuthenticatedTransport(manager).get(DPoPStub.things) })
    #expect(error.code == .interactionRequired)
    #expect(error.message.contains("It is damaged."))
    let ended = try #require(manager.history.last { $0.kind == .signedOut })
    #expect(ended.cause == .proofKeyLost)
    let other = try quiet()
    _ = await other.restore()
    #expect(other.current == nil)
    guard case .signedOut(let cause) = other.status else { throw OstiaryError(.internalError, "signed in") }
    #expect(cause == .proofKeyLost)
  }

  @Test("DPoP-14: each change of a stored key is noticed as damage, and a key of another source is not called lost")
  func damagedKeys() throws {
    let keys = SoftwareDPoPKeys()
    let stored = try keys.makeKey().stored.reveal()
    #expect(try keys.key(storedAs: Secret(stored)).stored.reveal() == stored)
    let bytes = Array(stored.utf8)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] = damaged[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let text = Secret(String(decoding: damaged, as: UTF8.self))
      let error = #expect(throws: OstiaryError.self, "\(place)") { try keys.key(storedAs: text) }
      // Of what stands before the key it can't be told whether another source has written it.
      let isMark = place < "p256:".count
      #expect(error?.code == (isMark ? .proofKeyUnavailable : .proofKeyLost), "\(place)")
      #expect((error?.disposition == .terminal) == !isMark, "\(place)")
    }
    for text in ["enclave:abc", "p384:a:b", "3F2504E0-4F89", "p256é"] {
      let error = #expect(throws: OstiaryError.self, "\(text)") { try keys.key(storedAs: Secret(text)) }
      #expect(error?.code == .proofKeyUnavailable && error?.disposition == .misuse)
    }
    for text in ["", "p256", "p256:", "p256::", stored + ":", String(stored.dropLast()), "p256:é:é"] {
      let error = #expect(throws: OstiaryError.self, "\(text)") { try keys.key(storedAs: Secret(text)) }
      #expect(error?.code == .proofKeyLost)
    }
  }

  // MARK: Secrecy

  private struct Lines: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }

  @Test("DPoP-15: neither keys, tokens nor nonces are shown: in errors, events, descriptions and logs")
  func secrecy() async throws {
    let lines = Locked<[String]>([])
    let store = EphemeralStore()
    let client = try stub.client(hasUserInfo: true)
    let manager = try stub.manager(client, store: store, logger: Logger(label: "test") { _ in Lines(lines: lines) })
    let http = AuthenticatedTransport(manager)
    stub.change { $0.api.nonces = .newest }
    stub.change { $0.token.nonces = .newest }
    _ = try await http.get(DPoPStub.things)
    let session = try #require(manager.current)
    let key = try #require(session.proof.tokens[OAuthAuthenticator.proofKey])
    var request = try HTTPRequest(.get, to: DPoPStub.things)
    manager.attach(to: &request)
    let authenticator = try OAuthAuthenticator(server: DPoPStub.api, client: client)
    let attachment = authenticator.attachment(for: session)
    var values: [Any] = [
      session, session.proof, attachment, authenticator, client, TokenSet(session) as Any,
      try SoftwareDPoPKeys().key(storedAs: key), DPoP(), client.proving(with: try SoftwareDPoPKeys().makeKey()),
    ]
    for word in ["use_dpop_nonce", "invalid_dpop_proof"] {
      stub.change { $0.api.insists = word }
      stub.change { $0.token.insists = word }
      stub.clock.advance(by: .seconds(60))
      if let error = await failure({ try await http.get(DPoPStub.things) }) {
        values += [error, error.underlying as Any]
      }
      stub.clock.advance(by: .seconds(7200))
      if let error = await failure({ try await http.get(DPoPStub.things) }) {
        values += [error, error.underlying as Any]
      }
    }
    values.append(manager.history)
    values.append(manager.status)
    #expect(!lines.withLock { $0 }.isEmpty)
    var text = lines.withLock { $0.joined() }
    for value in values {
      dump(value, to: &text)
      text += "\(value) \(String(reflecting: value))"
    }
    #expect(values.count > 12)
    #expect(!text.contains("planted"))
    let parts = key.reveal().split(separator: ":")
    #expect(!text.contains(parts[1]))
    for request in stub.transport.requests {
      if let proof = request.head.headerFields[dpopField] { #expect(!text.contains(proof)) }
    }
  }
}

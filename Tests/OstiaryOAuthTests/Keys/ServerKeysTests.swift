import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("The keys that a server signs with", .timeLimit(.minutes(20)))
struct ServerKeysTests {
  private let issuer = DocumentServer.issuer
  private let server = DocumentServer()
  private let address: URL
  private let one: SigningKey
  private let two: SigningKey

  init() throws {
    address = try #require(URL(string: DocumentServer.keys))
    one = try .make(.es256, id: "one")
    two = try .make(.es256, id: "two")
  }

  private func names(_ keyID: String? = nil, issuer: String? = nil) async throws -> [String?] {
    try await server.directory.keys(of: issuer ?? self.issuer, at: address, naming: keyID).keys.map(\.id)
  }

  private func verify(_ text: Secret) async throws -> VerifiedToken {
    try await server.directory.verify(
      PresentedToken(text.reveal()), by: TokenVerifier(algorithms: [.es256], type: .jwtOrAbsent, rules: []),
      keysOf: issuer, at: address, now: server.clock.now)
  }

  private func refused(_ text: Secret) async -> JOSEError.Code? {
    do {
      _ = try await verify(text)
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  private func stranger(_ id: String?) throws -> SigningKey { try .make(.es256, id: id) }

  @Test("FIND-15: keys are fetched once, and read once (oidcc-client-test-discovery-jwks-uri-keys)")
  func once() async throws {
    server.publish(keys: [one, two])
    #expect(try await names() == ["one", "two"])
    #expect(try await names("two") == ["one", "two"])
    #expect(try await verify(one.sign(["sub": "ann"])).claims["sub"] == "ann")
    #expect(try await verify(two.sign(["sub": "bob"])).claims["sub"] == "bob")
    #expect(server.transport.count == 1)
  }

  @Test("FIND-15: keys that are held and fresh are there without waiting")
  func known() async throws {
    server.publish(keys: [one], headerFields: [.cacheControl: "max-age=600"])
    #expect(server.directory.knownKeys(of: issuer, at: address) == nil)
    _ = try await names()
    #expect(server.directory.knownKeys(of: issuer, at: address)?.keys.map(\.id) == ["one"])
    #expect(server.directory.knownKeys(of: issuer + "/", at: address) == nil)
    server.clock.advance(by: .seconds(600))
    #expect(server.directory.knownKeys(of: issuer, at: address) == nil)
  }

  @Test("FIND-16: an unknown name costs one request (oidcc-client-test-signing-key-rotation)")
  func rotation() async throws {
    server.publish(keys: [one])
    _ = try await verify(one.sign([:]))
    // Rotated between discovery and verification (oidcc-client-test-signing-key-rotation-just-before-signing).
    server.publish(keys: [two])
    #expect(try await verify(two.sign(["sub": "ann"])).claims["sub"] == "ann")
    #expect(server.transport.count == 2)
    #expect(try await refused(one.sign([:])) == .unknownKey, "a key that was withdrawn verifies nothing")
  }

  @Test("FIND-16: a flood of unknown names costs one request in 30 seconds, in one flight")
  func flood() async throws {
    server.publish(keys: [one])
    _ = try await names()
    let gate = Gate()
    server.transport.inject(.hold(gate), at: .nth(1))
    let callers = try (0..<100).map { number in
      let token = try stranger("stranger-\(number)").sign([:])
      return startAtOnce { await refused(token) }
    }
    try await gate.waitForArrivals(1)
    gate.open()
    for caller in callers { #expect(try await caller.value == .unknownKey) }
    for number in 0..<100 { #expect(try await refused(stranger("other-\(number)").sign([:])) == .unknownKey) }
    #expect(server.transport.count == 2)
    _ = try await verify(one.sign([:]))
    server.clock.advance(by: .seconds(30))
    #expect(try await refused(stranger("x").sign([:])) == .unknownKey)
    #expect(server.transport.count == 3)
  }

  @Test("FIND-16: a set that has just been fetched is not fetched again for a name that it lacks")
  func justFetched() async throws {
    server.publish(keys: [one])
    #expect(try await refused(two.sign([:])) == .unknownKey)
    #expect(server.transport.count == 1)
  }

  @Test("FIND-17: keys that can't be had are a failure that may pass, and no word on the token")
  func unavailable() async throws {
    server.publish(keys: [one])
    server.transport.inject(.status(.serviceUnavailable, headerFields: [.retryAfter: "9"]))
    let error = await failure { try await verify(one.sign([:])) }
    #expect(error?.code == .keysUnavailable && error?.retryAfter == .seconds(9))
    server.transport.setFaults()
    _ = try await verify(one.sign([:]))
    // Now an outage and a name that is not held: it may be a newer key's.
    server.publish(keys: [one, two])
    server.transport.inject(.refuseConnection)
    for _ in 0..<3 {
      let error = await failure { try await verify(two.sign([:])) }
      #expect(error?.code == .keysUnavailable && error?.isTransient == true)
    }
    #expect(server.transport.count == 3, "the server is left alone for 30 seconds")
    _ = try await verify(one.sign([:]))
    server.transport.setFaults()
    server.clock.advance(by: .seconds(30))
    _ = try await verify(two.sign([:]))
  }

  @Test("FIND-18: a set without names is tried whole; a signature that is wrong may be a newer key's")
  func nameless() async throws {
    let (old, new) = (try stranger(nil), try stranger(nil))
    server.publish(keys: [old, try stranger(nil)])
    _ = try await verify(old.sign([:]))
    server.publish(keys: [try stranger(nil), new])
    _ = try await verify(new.sign([:]))
    #expect(server.transport.count == 2)
    #expect(try await refused(old.sign([:])) == .wrongSignature)
    #expect(server.transport.count == 2)
    // A name that no key has: the set has none.
    let named = try SigningKey(pem: #require(new.pem), algorithm: .es256, id: "x")
    _ = try await verify(named.sign([:]))
  }

  @Test(
    "FIND-18: a token without a name is tried with each key, and with a newer set's",
    arguments: ["oidcc-client-test-kid-absent-single-jwks", "oidcc-client-test-kid-absent-multiple-jwks"])
  func namelessToken(_ module: String) async throws {
    let isSingle = module.hasSuffix("single-jwks")
    let silent = try SigningKey(pem: #require(one.pem), algorithm: .es256)
    server.publish(keys: isSingle ? [one] : [two, one])
    _ = try await verify(silent.sign([:]))
    let newer = try stranger(nil)
    let named = try SigningKey(pem: #require(newer.pem), algorithm: .es256, id: "three")
    server.publish(keys: isSingle ? [named] : [two, named])
    _ = try await verify(newer.sign([:]))
    #expect(server.transport.count == 2)
  }

  @Test("FIND-18: a named key's wrong signature costs no request")
  func wrongSignature() async throws {
    server.publish(keys: [one])
    _ = try await names()
    #expect(try await refused(stranger("one").sign([:])) == .wrongSignature)
    #expect(server.transport.count == 1)
  }

  static let wrongs: [@Sendable (DocumentServer) -> Void] = [
    { $0.publish(.html("Welcome to the hotel"), at: DocumentServer.keys) },
    { $0.publish(.status(.found, headerFields: [.location: "https://evil.test/keys"]), at: DocumentServer.keys) },
    { $0.publish(nil, at: DocumentServer.keys) }, { $0.publish(.json([:]), at: DocumentServer.keys) },
    { $0.publish(.json(["keys": .array([])]), at: DocumentServer.keys) },
    {
      $0.publish(
        .json(["keys": .array(Array(repeating: .object(["kty": "EC"]), count: 10_000))]), at: DocumentServer.keys)
    },
    { $0.transport.inject(.endless) }, { $0.transport.inject(.announce(bytes: 10_000_000)) },
    { $0.transport.inject(.garble(seed: 7)) }, { $0.transport.inject(.truncate(at: 40)) },
  ]

  @Test(
    "FIND-19: no page, redirect, empty set, 10,000 keys and ten megabytes replace keys that were had, for 7 days",
    arguments: wrongs.indices)
  func lastGood(_ index: Int) async throws {
    Self.wrongs[index](server)
    #expect(await failure { try await names() }?.code == .keysUnavailable)
    server.transport.setFaults()
    server.publish(keys: [one])
    _ = try await names()
    Self.wrongs[index](server)
    server.clock.advance(by: .seconds(7 * 86_400))
    #expect(try await names() == ["one"])
    server.clock.advance(by: .seconds(31))
    #expect(await failure { try await names() }?.code == .keysUnavailable)
    #expect(server.transport.requests.allSatisfy { $0.head.authority == "as.test" })
  }

  @Test("FIND-20: keys that have moved are found where the issuer's metadata say that they are now")
  func moved() async throws {
    server.publish(["jwks_uri": "https://other.test/keys"])
    server.publish(keys: [one], headerFields: [.eTag: "\"x\""], at: "https://other.test/keys")
    #expect(try await names() == ["one"])
    #expect(
      server.transport.requests.map(\.address) == [
        DocumentServer.keys, DocumentServer.openID, "https://other.test/keys",
      ])
    server.clock.advance(by: .seconds(3600))
    _ = try await names()
    #expect(server.transport.requests.allSatisfy { $0.head.headerFields[.ifNoneMatch] == nil })
  }

  @Test("FIND-20: they are found, too, where the metadata that name their old place are held and fresh")
  func movedSince() async throws {
    server.publish(headerFields: [.cacheControl: "max-age=86400"])
    server.publish(keys: [one])
    _ = try await server.directory.metadata(of: issuer)
    #expect(try await names() == ["one"])
    server.publish(nil, at: DocumentServer.keys)
    server.publish(["jwks_uri": "https://other.test/keys"], headerFields: [.cacheControl: "max-age=86400"])
    server.publish(keys: [two], at: "https://other.test/keys")
    #expect(try await verify(two.sign(["sub": "ann"])).claims["sub"] == "ann")
    // A server that has no keys at either place is left alone for a time.
    server.publish(nil, at: "https://other.test/keys")
    server.clock.advance(by: .seconds(30))
    let before = server.transport.count
    for _ in 0..<20 { #expect(await failure { try await verify(one.sign([:])) }?.code == .keysUnavailable) }
    #expect(server.transport.count == before + 3)
  }

  @Test("FIND-15: one issuer's keys are no other's, though they are at one address")
  func issuers() async throws {
    server.publish(keys: [one])
    _ = try await names()
    _ = try await names(issuer: "https://other.test")
    #expect(server.transport.count == 2)
  }

  @Test(
    "FIND-15: keys come over https alone", arguments: ["http://as.test/keys", "file:///keys", "https://a@as.test/k"])
  func encrypted(_ text: String) async throws {
    let address = try #require(URL(string: text))
    #expect(await failure { try await server.directory.keys(of: issuer, at: address) }?.code == .keysUnavailable)
    #expect(server.transport.count == 0)
  }
}

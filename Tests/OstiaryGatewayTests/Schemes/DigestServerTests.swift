import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryGateway

/// Digest against a server that checks every rule with a library of its own.
@Suite(
  "Digest with a strict server", .enabled(if: StrictServer.python != nil, "python3 is not installed"),
  .timeLimit(.minutes(10)))
struct DigestServerTests {
  typealias Area = StrictServer.Area

  @Test(
    "Every algorithm and every qop signs in, and no rule is broken",
    arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"],
    ["auth", "auth-int", "auth,auth-int"])
  func everyAlgorithm(algorithm: String, qop: String) async throws {
    try await StrictServer.run([
      "/a/": .digest(algorithm, qop: qop) {
        $0.opaque = "o/=\"x\\"; $0.rspauth = "right"
      }
    ]) {
      server in
      let fixture = try SchemeFixture(server) {
        $0.requiresServerProof = true
        $0.prefersDigestIntegrity = true
      }
      #expect(try await fixture.send("/a/x").text == "secret of /a/x")
      #expect(try await fixture.send("/a/y?q=1&r=%20", method: .post, body: "hello").status == .ok)
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0 && log.stale == 0)
      #expect(log.bare == 1, "only the first request was challenged")
      #expect(log.bodies == 5)
      #expect(fixture.credentialsAsked == 1)
      #expect(fixture.manager.current?.user.id == "ann")
    }
  }

  @Test(
    "A server from before qop (RFC 2069), with and without an algorithm",
    arguments: [nil, "MD5", "SHA-256"] as [String?])
  func rfc2069(algorithm: String?) async throws {
    try await StrictServer.run(["/": .digest(algorithm, qop: nil)]) { server in
      let fixture = try SchemeFixture(server)
      for _ in 0..<3 { #expect(try await fixture.send("/x").status == .ok) }
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.bare == 1 && log.accepted == 4)
    }
  }

  @Test(
    "User names and passwords beyond ASCII, hashed and not",
    arguments: [(true, true), (true, false), (false, true), (false, false)])
  func beyondASCII(charset: Bool, userhash: Bool) async throws {
    let name = "Jäsøn \"日本\" \\ 🔑"
    let area = Area.digest("SHA-256") {
      $0.user = name
      $0.password = "pä:ss, \"wörd\""
      $0.charset = charset
      $0.userhash = userhash
    }
    try await StrictServer.run(["/": area]) { server in
      // Decomposed, as some keyboards have it, where the server says how it is compared.
      let typed = charset ? name.decomposedStringWithCanonicalMapping : name
      let fixture = try SchemeFixture(server, password: "pä:ss, \"wörd\"", user: typed)
      #expect(try await fixture.send("/x").status == .ok)
      #expect(try await server.log(fixture.transport).broken.isEmpty)
    }
  }

  @Test("The strongest of several challenges is answered, whatever their order")
  func strongest() async throws {
    let area = Area {
      $0.offers = [
        .init(scheme: "basic"), .init(scheme: "digest", algorithm: "MD5", qop: "auth"),
        .init(scheme: "digest", algorithm: "SHA-512-256", qop: "auth"),
        .init(scheme: "digest", algorithm: "SHA-256", qop: "auth"),
      ]
      $0.before = ["SSO http://portal.example/", "Negotiate", "Digest realm=\"unterminated"]
    }
    try await StrictServer.run(["/": area]) { server in
      let fixture = try SchemeFixture(server)
      #expect(try await fixture.send("/x").status == .ok)
      #expect(fixture.manager.current?.attributes["algorithm"]?.string == "SHA-512-256")
      let weaker = try SchemeFixture(server) { $0.digestHashes = [.md5, .sha256] }
      #expect(try await weaker.send("/x").status == .ok)
      #expect(weaker.manager.current?.attributes["algorithm"]?.string == "SHA-256")
      #expect(try await server.log(fixture.transport).broken.isEmpty)
    }
  }

  // MARK: Nonces

  @Test("A thousand requests at once: one question, one sign-in, and no count twice")
  func thousand() async throws {
    try await StrictServer.run(["/": .digest("SHA-256")]) { server in
      let fixture = try SchemeFixture(server)
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for number in 0..<1000 { group.addTask { try await fixture.send("/\(number)").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count == 1000 && statuses.allSatisfy { $0 == .ok })
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0)
      #expect(log.accepted == 1001, "the requests, and the sign-in's own")
      #expect(fixture.credentialsAsked == 1)
    }
  }

  @Test("A stale nonce is replaced without asking anybody, without an event, and whatever the method")
  func stale() async throws {
    try await StrictServer.run(["/": .digest("SHA-256") { $0.uses = 3 }]) { server in
      let fixture = try SchemeFixture(server)
      for number in 0..<20 {
        #expect(try await fixture.send("/\(number)", method: .post, body: "x").status == .ok)
      }
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0)
      #expect(log.stale >= 5 && log.bodies == 20)
      #expect(fixture.credentialsAsked == 1)
      #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
    }
  }

  @Test("Nonces that are good once, with a hundred requests at once and no nextnonce")
  func oneTimeNonces() async throws {
    try await StrictServer.run(["/": .digest("SHA-256") { $0.uses = 1 }]) { server in
      let fixture = try SchemeFixture(server)
      let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
        for number in 0..<100 { group.addTask { try await fixture.send("/\(number)").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count == 100 && statuses.allSatisfy { $0 == .ok })
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.wrong == 0 && fixture.credentialsAsked == 1)
    }
  }

  @Test("nextnonce saves the round trip", arguments: ["SHA-256", "SHA-256-sess"])
  func nextNonce(algorithm: String) async throws {
    let area = Area.digest(algorithm) {
      $0.uses = 1
      $0.nextnonce = true
      $0.rspauth = "right"
    }
    try await StrictServer.run(["/": area]) { server in
      let fixture = try SchemeFixture(server) { $0.requiresServerProof = true }
      for number in 0..<20 { #expect(try await fixture.send("/\(number)").status == .ok) }
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.stale == 0 && log.wrong == 0)
      #expect(log.challenged == 1)
    }
  }

  @Test("A server that doesn't say that a nonce was stale is asked once more before its word is taken for no")
  func silentlyStale() async throws {
    try await StrictServer.run(["/": .digest("MD5") { $0.silentlyStale = true }]) { server in
      let fixture = try SchemeFixture(server)
      #expect(try await fixture.send("/1").status == .ok)
      try await server.forgetNonces(fixture.transport)
      #expect(try await fixture.send("/2").status == .ok)
      #expect(fixture.credentialsAsked == 1)
      #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
    }
  }

  @Test("A server that gives the same nonce for ever is served with counts")
  func constantNonce() async throws {
    try await StrictServer.run(["/": .digest("MD5") { $0.nonce = "always" }]) { server in
      let fixture = try SchemeFixture(server)
      for number in 0..<5 { #expect(try await fixture.send("/\(number)").status == .ok) }
      #expect(try await server.log(fixture.transport).broken.isEmpty)
    }
  }

  @Test("Invariant 9: a server to which every nonce is stale is not asked for ever")
  func alwaysStale() async throws {
    try await StrictServer.run(["/": .digest("SHA-256")]) { server in
      let fixture = try SchemeFixture(server)
      #expect(try await fixture.send("/1").status == .ok)
      try await server.set("/", ["uses": 0], fixture.transport)
      let error = await schemeFailure { try await fixture.send("/2") }
      #expect(error?.code == .challengedAgain)
      #expect(error?.isTransient == true)
      #expect(fixture.manager.current != nil, "nobody is signed out by it")
      #expect(try await server.log(fixture.transport).targets.filter { $0.hasPrefix("GET /2") }.count <= 5)
    }
  }

  @Test("A session that comes from a store begins with a nonce of its own and asks nobody")
  func restored() async throws {
    try await StrictServer.run(["/": .digest("SHA-256-sess")]) { server in
      let store = EphemeralStore()
      let first = try SchemeFixture(server, store: store)
      #expect(try await first.send("/1").status == .ok)
      let second = try SchemeFixture(server, store: store)
      #expect(try await second.send("/2", method: .post, body: "x").status == .ok)
      #expect(try await first.send("/3").status == .ok)
      #expect(try await second.send("/4").status == .ok)
      let log = try await server.log(first.transport)
      #expect(log.broken.isEmpty && log.wrong == 0 && log.bare == 2)
      #expect(second.credentialsAsked == 0)
      #expect(await second.manager.verify().isSignedIn)
    }
  }

  // MARK: Passwords

  @Test("A wrong password is the server's word, and is shown once")
  func wrongPassword() async throws {
    try await StrictServer.run(["/": .digest("SHA-256")]) { server in
      let fixture = try SchemeFixture(
        server.url, HTTPAuthenticationConfiguration(),
        credentials: .upFront(.password(username: "ann", password: "pear")))
      let error = await schemeFailure { try await fixture.send("/1") }
      #expect(error?.code == .invalidCredentials)
      _ = await schemeFailure { try await fixture.send("/2") }
      #expect(try await server.log(fixture.transport).wrong == 1)
    }
  }

  @Test("A password that is changed at the server ends the session; the old one is not shown again unasked")
  func changedPassword() async throws {
    try await StrictServer.run(["/": .digest("SHA-256")]) { server in
      let fixture = try SchemeFixture(
        server.url, HTTPAuthenticationConfiguration(),
        credentials: .upFront(.password(username: "ann", password: "apple")))
      #expect(try await fixture.send("/1").status == .ok)
      try await server.set("/", ["password": "pear"], fixture.transport)
      let error = await schemeFailure { try await fixture.send("/2") }
      #expect(error?.code == .invalidCredentials)
      // Once with the nonce at hand, which may have been stale, and once with a fresh one.
      #expect(try await server.log(fixture.transport).wrong == 2)
      #expect(fixture.manager.lastSignOut?.cause == .credentialRefused)
      // An app that insists is heard.
      try await server.set("/", ["password": "apple"], fixture.transport)
      _ = try await fixture.manager.signIn(with: .password(username: "ann", password: "apple"))
      #expect(try await fixture.send("/3").status == .ok)
    }
  }

  @Test("The password itself is nowhere in the session")
  func keptSecret() async throws {
    try await StrictServer.run(["/": .digest("SHA-256") { $0.password = "tell nobody" }]) { server in
      let store = EphemeralStore()
      let fixture = try SchemeFixture(server, password: "tell nobody", store: store)
      #expect(try await fixture.send("/1").status == .ok)
      guard case .present(let data) = await store.load(fixture.manager.key) else {
        Issue.record("nothing is stored")
        return
      }
      #expect(!String(decoding: data, as: UTF8.self).contains("tell nobody"))
      let session = try #require(fixture.manager.current)
      let key = DigestHash.sha256([Array("ann".utf8), Array("r".utf8), Array("tell nobody".utf8)])
      #expect(session.proof.tokens[HTTPAuthentication.digestKeyToken] == Secret(String(decoding: key, as: UTF8.self)))
    }
  }

  // MARK: The server's own proof

  @Test(
    "A server that has to prove itself, and doesn't or does so wrongly, is not believed",
    arguments: [nil, "wrong"] as [String?])
  func unprovenServer(rspauth: String?) async throws {
    try await StrictServer.run(["/": .digest("SHA-256") { $0.rspauth = rspauth }]) { server in
      let strict = try SchemeFixture(server) { $0.requiresServerProof = true }
      #expect(await schemeFailure { try await strict.send("/1") }?.code == .serverNotProven)
      #expect(strict.manager.current == nil)
      let lenient = try SchemeFixture(server)
      #expect(try await lenient.send("/1").status == .ok)
    }
  }

  @Test("Proof that covers a body can't be checked while the body streams, and the error says so")
  func streamedProof() async throws {
    try await StrictServer.run(["/": .digest("SHA-256", qop: "auth-int") { $0.rspauth = "right" }]) { server in
      let fixture = try SchemeFixture(server) { $0.requiresServerProof = true }
      #expect(try await fixture.send("/1").status == .ok)
      let error = await schemeFailure {
        try await fixture.app.stream(.get(try server.url("/2"))).head.status
      }
      #expect(error?.code == .serverNotProven && error?.disposition == .misuse)
    }
  }
}

extension SessionStatus {
  fileprivate var isSignedIn: Bool { if case .signedIn = self { true } else { false } }
}

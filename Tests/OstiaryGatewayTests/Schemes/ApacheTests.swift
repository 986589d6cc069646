import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryGateway

/// A server that we did not write.
@Suite(
  "Header schemes with Apache httpd", .enabled(if: ApacheServer.isInstalled, "\(ApacheServer.absence)"),
  .timeLimit(.minutes(20)))
struct ApacheTests {
  private static func fixture(
    _ server: ApacheServer, _ username: String = ApacheServer.user, _ password: Secret = ApacheServer.password,
    asked: Locked<Int> = Locked(0), configure: (inout HTTPAuthenticationConfiguration) -> Void = { _ in }
  ) throws -> SchemeFixture {
    var configuration = HTTPAuthenticationConfiguration()
    configure(&configuration)
    return try SchemeFixture(
      server.url, configuration,
      credentials: .onRequest { _ in
        asked.withLock { $0 += 1 }
        return .password(username: username, password: password)
      })
  }

  @Test("Digest signs in, and Apache's own proof is right", arguments: [false, true])
  func digest(isOther: Bool) async throws {
    try await ApacheServer.run { server in
      let asked = Locked(0)
      let (user, password) = isOther ? ApacheServer.other : (ApacheServer.user, ApacheServer.password)
      let fixture = try Self.fixture(server, user, password, asked: asked) { $0.requiresServerProof = true }
      for _ in 0..<3 {
        let response = try await fixture.send("/digest/secret.json?q=%C3%A4&r")
        #expect(response.text == ApacheServer.secret("digest"))
      }
      #expect(try await fixture.send("/open/secret.json").text == ApacheServer.secret("open"))
      #expect(try await fixture.send("/digest/none").status == .notFound)
      #expect(asked.withLock { $0 } == 1)
      #expect(fixture.manager.current?.attributes["algorithm"]?.string == "MD5")
      guard case .signedIn = await fixture.manager.verify() else {
        Issue.record("the session should be good")
        return
      }
    }
  }

  @Test("Nonces that are good once: announced by nextnonce, or stale")
  func once() async throws {
    try await ApacheServer.run { server in
      let asked = Locked(0)
      let fixture = try Self.fixture(server, asked: asked) { $0.requiresServerProof = true }
      for _ in 0..<20 { #expect(try await fixture.send("/once/secret.json").status == .ok) }
      #expect(asked.withLock { $0 } == 1)
      #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
    }
  }

  @Test("Basic signs in; a wrong password is the server's word under both schemes")
  func basic() async throws {
    try await ApacheServer.run { server in
      let fixture = try Self.fixture(server)
      for _ in 0..<2 { #expect(try await fixture.send("/basic/secret.json").text == ApacheServer.secret("basic")) }
      #expect(fixture.manager.current?.attributes["realm"]?.string == "Apache \"Basic\"")
      for path in ["/basic/secret.json", "/digest/secret.json"] {
        let wrong = try Self.fixture(server, ApacheServer.user, "pear")
        let error = await schemeFailure { try await wrong.send(path) }
        #expect(error?.code == .invalidCredentials)
      }
    }
  }

  @Test("A realm beside ours is the app's")
  func realms() async throws {
    try await ApacheServer.run { server in
      let fixture = try Self.fixture(server) { $0.realm = "ours" }
      #expect(try await fixture.send("/basic/secret.json").status == .unauthorized)
      #expect(try await fixture.send("/digest/secret.json").status == .ok)
      #expect(try await fixture.send("/basic/secret.json").status == .unauthorized)
      // Another area of the same realm is answered without a question.
      #expect(try await fixture.send("/once/secret.json").status == .ok)
    }
  }
}

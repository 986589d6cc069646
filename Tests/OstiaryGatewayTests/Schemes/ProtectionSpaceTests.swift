import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryGateway

/// Where proof goes, and where it never does.
@Suite(
  "Header schemes: protection spaces", .enabled(if: StrictServer.python != nil, "python3 is not installed"),
  .timeLimit(.minutes(10)))
struct ProtectionSpaceTests {
  typealias Area = StrictServer.Area

  @Test("Basic goes unasked where it was accepted and below, and elsewhere once it is asked for (RFC 7617 §2.2)")
  func basicSpace() async throws {
    try await StrictServer.run(["/docs/": .basic(), "/api/": .basic()]) { server in
      let fixture = try SchemeFixture(server)
      for path in ["/docs/a", "/docs/deep/b", "/open", "/api/x", "/api/y"] {
        #expect(try await fixture.send(path).status == .ok)
      }
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty, "nothing went to the open address")
      #expect(
        log.targets == [
          "GET /docs/a", "HEAD /docs/a +", "GET /docs/a +", "GET /docs/deep/b +", "GET /api/x", "GET /api/x +",
          "GET /api/y +",
        ])
      #expect(fixture.credentialsAsked == 1)
      #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
    }
  }

  @Test("A space that was learned is known after a restart, as far as the sign-in saw it")
  func restored() async throws {
    try await StrictServer.run(["/docs/": .basic()]) { server in
      let store = EphemeralStore()
      #expect(try await SchemeFixture(server, store: store).send("/docs/a").status == .ok)
      let second = try SchemeFixture(server, store: store)
      // The store is read for the first request already.
      #expect(try await second.send("/docs/b").status == .ok)
      let log = try await server.log(second.transport)
      #expect(log.targets.last == "GET /docs/b +" && log.bare == 1 && log.broken.isEmpty)
    }
  }

  @Test("Paths that the app names get proof unasked")
  func preemptivePaths() async throws {
    try await StrictServer.run(["/a/": .basic(), "/b/": .basic()]) { server in
      let fixture = try SchemeFixture(server) { $0.preemptivePaths = ["/b/"] }
      #expect(try await fixture.send("/a/1").status == .ok)
      #expect(try await fixture.send("/b/1").status == .ok)
      #expect(try await server.log(fixture.transport).bare == 1)
    }
  }

  @Test("The domain of a Digest is where it goes unasked; without one that is the whole server (RFC 7616 §3.3)")
  func digestDomain() async throws {
    let areas = [
      "/a/": Area.digest("SHA-256") { $0.domain = "/a/ /b/ https://elsewhere.example/" }, "/b/": .digest("SHA-256"),
    ]
    try await StrictServer.run(areas) { server in
      let fixture = try SchemeFixture(server)
      #expect(try await fixture.send("/a/1").status == .ok)
      #expect(try await fixture.send("/open").status == .ok)
      let log = try await server.log(fixture.transport)
      #expect(log.broken.isEmpty && log.bare == 1)
    }
  }

  @Test("A 401 of another realm is the app's, and costs nothing of the session", arguments: ["basic", "digest"])
  func otherRealm(scheme: String) async throws {
    func area(_ realm: String) -> Area {
      Area {
        $0.realm = realm
        $0.offers = [
          .init(scheme: scheme, algorithm: scheme == "basic" ? nil : "SHA-256", qop: scheme == "basic" ? nil : "auth")
        ]
      }
    }
    try await StrictServer.run(["/ours/": area("ours"), "/theirs/": area("theirs")]) { server in
      let fixture = try SchemeFixture(server) { $0.realm = "ours" }
      #expect(try await fixture.send("/theirs/1").status == .unauthorized, "nobody is signed in, and nobody is asked")
      #expect(fixture.credentialsAsked == 0)
      #expect(try await fixture.send("/ours/1").status == .ok)
      #expect(try await fixture.send("/theirs/2").status == .unauthorized)
      #expect(try await fixture.send("/ours/2").status == .ok)
      #expect(fixture.credentialsAsked == 1)
      #expect(fixture.recorder.events.map(\.kind) == [.signedIn])
      // Without a realm of the app's choice the first that asks is ours.
      let other = try SchemeFixture(server)
      #expect(try await other.send("/theirs/1").status == .ok)
      #expect(try await other.send("/ours/1").status == .unauthorized)
      #expect(try await other.send("/theirs/1").status == .ok)
    }
  }

  @Test("Invariant 11: proof never goes to another origin, challenged or redirected", arguments: ["basic", "digest"])
  func otherOrigin(scheme: String) async throws {
    let area = Area {
      $0.offers = [
        .init(scheme: scheme, algorithm: scheme == "basic" ? nil : "MD5", qop: scheme == "basic" ? nil : "auth")
      ]
    }
    let stranger = try LoopbackServer { _ in
      [.response(401, [("WWW-Authenticate", "\(scheme) realm=\"r\", nonce=\"n\", qop=\"auth\"")])]
    }
    defer { stranger.stop() }
    var redirecting = area
    redirecting.status = 302
    redirecting.location = stranger.url("/y").absoluteString
    try await StrictServer.run(["/": area, "/go/": redirecting]) { server in
      let fixture = try SchemeFixture(server)
      #expect(try await fixture.send("/1").status == .ok)
      #expect(try await fixture.app.send(.get(stranger.url("/x"))).status == .unauthorized)
      #expect(try await fixture.send("/go/z").status == .unauthorized)
      #expect(stranger.requests.map(\.path) == ["/x", "/y"])
      #expect(stranger.requests.allSatisfy { $0.fields[.authorization] == nil })
      #expect(fixture.credentialsAsked == 1)
      #expect(try await server.log(fixture.transport).targets.last == "GET /go/z +")
    }
  }
}

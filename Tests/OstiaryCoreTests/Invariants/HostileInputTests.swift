import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@Suite("Invariant 14: bad input is an answer, through the whole manager", .timeLimit(.minutes(20)))
struct HostileInputTests {
  /// What a hostile or broken server may answer instead of JSON.
  static let bodies: [(name: String, body: Data)] = [
    ("nothing", Data()),
    ("a page", Data("<html><body>Sign in</body></html>".utf8)),
    ("half an object", Data(#"{"user":"ann","access_token":"#.utf8)),
    ("the wrong types", Data(#"{"user":7,"access_token":[],"renewal_token":{},"expires_in":"soon"}"#.utf8)),
    (
      "a number without end",
      Data(#"{"user":"ann","access_token":"a","expires_in":"#.utf8) + Data(repeating: 57, count: 100_000)
    ),
    ("lists in lists", Data(repeating: UInt8(ascii: "["), count: 200_000)),
    ("objects in objects", Data(String(repeating: #"{"a":"#, count: 100_000).utf8)),
    ("an unfinished escape", Data(#"{"user":"\ud800","access_token":"\u00"#.utf8)),
    ("bytes that are not UTF-8", Data([0x7B, 0x22, 0xFF, 0xFE, 0xC0, 0x80, 0x22, 0x3A, 0x31, 0x7D])),
    ("NUL", Data(repeating: 0, count: 4_096)),
    ("UTF-16", Data([0xFF, 0xFE]) + Data(#"{"user":"ann"}"#.utf8.flatMap { [$0, 0] })),
  ]

  @Test(
    "Invariant 14: a hostile answer to a sign-in is a typed error, and nobody is signed in",
    arguments: bodies.map(\.name))
  func signIn(name: String) async throws {
    let body = try #require(Self.bodies.first { $0.name == name }?.body)
    let fixture = ManagerFixture()
    fixture.transport.on(.post, "/sign-in") { _ in TransportResponse(HTTPResponse(status: .ok), body: body) }
    let manager = fixture.manager()
    let error = try #require(await failure { try await manager.signIn(with: ManagerFixture.ann) })
    #expect(error.code == .unexpectedResponse)
    #expect(manager.current == nil)
    #expect(try await !fixture.store.holdsSession(for: manager.key))
  }

  @Test(
    "Invariant 14: a hostile answer to a renewal is a typed error, and the session is kept",
    arguments: bodies.map(\.name))
  func renewal(name: String) async throws {
    let body = try #require(Self.bodies.first { $0.name == name }?.body)
    let fixture = ManagerFixture()
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    fixture.server.expireAccessTokens()
    fixture.transport.on(.post, "/renew") { _ in TransportResponse(HTTPResponse(status: .ok), body: body) }
    let http = AuthenticatedTransport(manager)
    let error = try #require(await failure { try await http.send(ManagerFixture.request()) })
    #expect(error.isTransient)
    #expect(manager.status.cause == nil)
    guard case .present = await fixture.store.load(manager.key) else {
      Issue.record("the stored session is gone")
      return
    }
  }

  @Test(
    "Invariant 14: what a server may say of a session's life, however absurd, makes a session or an error",
    arguments: ["-1", "0", "1e-300", "1e18", "1e300", "-1e300", "9223372036854775807", "99999999999999999999"])
  func lifetime(expiresIn: String) async throws {
    let fixture = ManagerFixture()
    let body = Data(#"{"user":"ann","access_token":"a","expires_in":\#(expiresIn)}"#.utf8)
    fixture.transport.on(.post, "/sign-in") { _ in TransportResponse(HTTPResponse(status: .ok), body: body) }
    let manager = fixture.manager(.upFront(ManagerFixture.ann))
    let error = await failure { try await manager.session() }
    // A life without an end is one; one that is over as it begins is found out, not tried for ever.
    #expect(error == nil || error?.code == .challengedAgain || error?.code == .internalError)
    #expect(fixture.transport.count < 20)
    let next = fixture.manager()
    _ = await next.restore()
    #expect(next.current?.proof == manager.current?.proof)
  }

  @Test("Invariant 14: a stored session cut at any byte, or with any byte changed, is a session or is reported")
  func stored() async throws {
    let fixture = ManagerFixture(lifetime: .seconds(600))
    let key = fixture.manager().key
    try await fixture.manager().signIn(with: ManagerFixture.ann)
    guard case .present(let data) = await fixture.store.load(key) else {
      Issue.record("nothing was stored")
      return
    }
    var reported = 0
    for place in data.indices {
      var changed = data
      changed[place] ^= UInt8(truncatingIfNeeded: 1 << (place % 8))
      for damaged in [data.prefix(place), changed] {
        try await fixture.store.save(Data(damaged), for: key, replacing: .anything)
        let manager = fixture.manager()
        let status = await manager.restore()
        if status.isSignedIn { continue }
        reported += 1
        #expect(manager.history.map(\.cause) == [.storeCorrupt])
      }
    }
    #expect(reported > data.count, "what is cut is no session")
  }

  @Test("Invariant 14: a stored session of any size and depth is answered")
  func storedGiants() async throws {
    let fixture = ManagerFixture()
    let key = fixture.manager().key
    let giants = [
      Data(repeating: UInt8(ascii: "["), count: 1_000_000),
      Data(String(repeating: #"{"session":"#, count: 100_000).utf8),
      Data(#"{"format":1,"session":"#.utf8) + Data(repeating: UInt8(ascii: "9"), count: 1_000_000),
      Data(repeating: 0xFF, count: 8_000_000),
      Data(#"{"format":99999999999999999999999,"session":{}}"#.utf8),
    ]
    for giant in giants {
      try await fixture.store.save(giant, for: key, replacing: .anything)
      let manager = fixture.manager()
      #expect(await manager.restore().isSignedIn == false)
      #expect(manager.history.map(\.cause) == [.storeCorrupt])
    }
    let manager = fixture.manager()
    try await manager.signIn(with: ManagerFixture.ann)
    #expect(manager.status.isSignedIn, "what was damaged is replaced")
  }
}

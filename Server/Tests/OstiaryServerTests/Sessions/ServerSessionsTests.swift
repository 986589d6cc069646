import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Server sessions")
struct ServerSessionsTests {
  private static func signedIn(
    _ server: IdentityWorld, name: String = "ada", replacing old: Secret? = nil
  ) async throws -> IssuedSession {
    if try await server.identity.user(named: name) == nil {
      try await server.identity.addUser(name: name, password: IdentityWorld.password)
    }
    let user = try #require(await server.verify(name, IdentityWorld.password).user)
    return try await server.sessions.begin(for: user, replacing: old)
  }

  @Test("SE-01: an id is 256 random bits, and only its SHA-256 is stored")
  func ids() async throws {
    let server = try IdentityWorld()
    var ids: Set<String> = []
    for _ in 0..<200 { ids.insert(try await server.sessions.beginGuest().id.reveal()) }
    #expect(ids.count == 200)
    for id in ids {
      let standard = id.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
      #expect(standard.decodedBase64Unpadded?.count == 32)
    }
    let stored = try await server.storage.read { db in try db.test.all(Data.self, "SELECT id_hash FROM sessions")
    }
    #expect(Set(stored) == Set(ids.compactMap { ServerSessionKey($0)?.data }))
    #expect(stored.allSatisfy { $0.count == 32 })
  }

  @Test("SE-02: signing in gives a new id, and the old one is dead")
  func fixation() async throws {
    let server = try IdentityWorld()
    let guest = try await server.sessions.beginGuest(attributes: ["attempts": 2])
    #expect(try await server.sessions.find(guest.id)?.isGuest == true)
    let first = try await Self.signedIn(server, replacing: guest.id)
    #expect(first.id != guest.id)
    #expect(try await server.sessions.find(guest.id) == nil)
    #expect(try await server.sessions.find(first.id)?.user?.name == "ada")
    let second = try await Self.signedIn(server, replacing: first.id)
    #expect(try await server.sessions.find(first.id) == nil)
    #expect(try await server.sessions.find(second.id)?.attributes == [:])
    #expect(try await server.sessions.count() == 1)
  }

  @Test(
    "SE-03: an id the server did not issue is never adopted",
    arguments: [
      "", "x", "chosen-by-the-client", String(repeating: "A", count: 43), String(repeating: "é", count: 43),
      String(repeating: "A", count: 1_000_000), "'; DROP TABLE sessions; --", "\u{0}",
    ])
  func unknown(id: String) async throws {
    let server = try IdentityWorld()
    #expect(try await server.sessions.find(Secret(id)) == nil)
    #expect(try await server.sessions.update(Secret(id)) { $0["x"] = 1 } == nil)
    #expect(try await server.sessions.end(Secret(id)) == false)
    let issued = try await Self.signedIn(server, replacing: Secret(id))
    #expect(issued.id != Secret(id))
    #expect(try await server.sessions.find(Secret(id)) == nil)
    #expect(try await server.sessions.count() == 1)
  }

  @Test("SE-04: an ended session is dead at once, for every server of the process")
  func end() async throws {
    let server = try IdentityWorld()
    let issued = try await Self.signedIn(server)
    let other = ServerSessions(storage: server.storage, clock: server.clock)
    #expect(try await other.find(issued.id) != nil)
    #expect(try await server.sessions.end(issued.id))
    #expect(try await server.sessions.find(issued.id) == nil)
    #expect(try await other.find(issued.id) == nil)
    #expect(try await server.sessions.end(issued.id) == false)
  }

  @Test("SE-04: another process's word is heard at once")
  func endElsewhere() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    let other = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url), clock: server.clock)
    let issued = try await Self.signedIn(server)
    #expect(try await server.sessions.find(issued.id) != nil)
    try await other.identity.disableUser(named: "ada")
    #expect(try await server.sessions.find(issued.id) == nil)
    try await other.identity.enableUser(named: "ada")
    let again = try await Self.signedIn(server)
    #expect(try await server.sessions.find(again.id) != nil)
    #expect(try await other.sessions.end(again.id))
    #expect(try await server.sessions.find(again.id) == nil)
  }

  @Test("SE-04: a look-up that races with the end never brings the session back")
  func endRace() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let user = try #require(await server.verify("ada", IdentityWorld.password).user)
    for _ in 0..<100 {
      let issued = try await server.sessions.begin(for: user)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try await server.sessions.find(issued.id) } }
        group.addTask {
          try await server.sessions.end(issued.id)
          #expect(try await server.sessions.find(issued.id) == nil)
        }
        try await group.waitForAll()
      }
      #expect(try await server.sessions.find(issued.id) == nil)
    }
  }

  @Test("SE-05: the idle limit ends a session that is not used", arguments: [true, false])
  func idle(isGuest: Bool) async throws {
    let server = try IdentityWorld()
    let issued = isGuest ? try await server.sessions.beginGuest() : try await Self.signedIn(server)
    let limit = isGuest ? SessionLimits.standard.guestIdle : SessionLimits.standard.idle
    for _ in 0..<3 {
      server.clock.advance(by: limit - .seconds(1))
      #expect(try await server.sessions.find(issued.id) != nil)
    }
    server.clock.advance(by: limit)
    #expect(try await server.sessions.find(issued.id) == nil)
    #expect(try await server.sessions.find(issued.id) == nil)
  }

  @Test("SE-05: the absolute limit ends a session however much it is used")
  func absolute() async throws {
    let server = try IdentityWorld()
    let issued = try await Self.signedIn(server)
    for _ in 0..<59 {
      server.clock.advance(by: .seconds(12 * 3600))
      #expect(try await server.sessions.find(issued.id) != nil)
    }
    server.clock.advance(by: .seconds(12 * 3600 - 1))
    #expect(try await server.sessions.find(issued.id) != nil)
    server.clock.advance(by: .seconds(1))
    #expect(try await server.sessions.find(issued.id) == nil)
    #expect(issued.session.endsAt == server.clock.now)
  }

  @Test("SE-05: the defaults are within NIST's limits")
  func defaults() {
    #expect(SessionLimits.standard.absolute <= .seconds(30 * 86400))
    #expect(SessionLimits.standard.idle <= SessionLimits.standard.absolute)
  }

  @Test("SE-06: disabling a user ends all of their sessions at once, and nobody else's")
  func disable() async throws {
    let server = try IdentityWorld()
    let bob = try await Self.signedIn(server, name: "bob")
    var sessions: [IssuedSession] = []
    for _ in 0..<5 { sessions.append(try await Self.signedIn(server)) }
    for session in sessions { #expect(try await server.sessions.find(session.id) != nil) }
    try await server.identity.disableUser(named: "ada")
    for session in sessions { #expect(try await server.sessions.find(session.id) == nil) }
    #expect(try await server.sessions.find(bob.id) != nil)
    try await server.identity.enableUser(named: "ada")
    for session in sessions { #expect(try await server.sessions.find(session.id) == nil) }
  }

  @Test("SE-06: a login under way when the user is disabled begins no session, even once enabled again")
  func disableMeanwhile() async throws {
    let server = try IdentityWorld()
    try await server.identity.addUser(name: "ada", password: IdentityWorld.password)
    let user = try #require(await server.verify("ada", IdentityWorld.password).user)
    try await server.identity.disableUser(named: "ada")
    await #expect(throws: ServerError(.userChanged, "")) { try await server.sessions.begin(for: user) }
    try await server.identity.enableUser(named: "ada")
    await #expect(throws: ServerError(.userChanged, "")) { try await server.sessions.begin(for: user) }
    #expect(try await server.sessions.count() == 0)
  }

  @Test("SE-06: of logins that race with the disabling none leaves a session behind")
  func disableRace() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    for round in 0..<20 {
      let name = "user \(round)"
      try await server.identity.addUser(name: name, password: IdentityWorld.password)
      let ids = try await withThrowingTaskGroup(of: Secret?.self) { group in
        for _ in 0..<6 {
          group.addTask {
            guard let user = await server.verify(name, IdentityWorld.password).user else { return nil }
            let id = try? await server.sessions.begin(for: user).id
            if let id { _ = try await server.sessions.find(id) }
            return id
          }
        }
        group.addTask {
          try await server.identity.disableUser(named: name)
          return nil
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for id in ids.compactMap({ $0 }) { #expect(try await server.sessions.find(id) == nil) }
      #expect(try await server.sessions.count() == 0)
    }
  }

  @Test("SE-06: a new password ends all sessions")
  func newPassword() async throws {
    let server = try IdentityWorld()
    let issued = try await Self.signedIn(server)
    #expect(try await server.sessions.find(issued.id) != nil)
    try await server.identity.setPassword("an entirely new one", forUserNamed: "ada")
    #expect(try await server.sessions.find(issued.id) == nil)
  }

  @Test("All sessions of a user can be ended")
  func endAll() async throws {
    let server = try IdentityWorld()
    let bob = try await Self.signedIn(server, name: "bob")
    let one = try await Self.signedIn(server)
    let two = try await Self.signedIn(server)
    for id in [one.id, two.id, bob.id] { #expect(try await server.sessions.find(id) != nil) }
    let ada = try #require(one.session.user)
    #expect(try await server.sessions.endAll(forUserID: ada.id) == 2)
    #expect(try await server.sessions.find(one.id) == nil)
    #expect(try await server.sessions.find(two.id) == nil)
    #expect(try await server.sessions.find(bob.id) != nil)
  }

  @Test("SE-08: the oldest session of an account makes room for one too many")
  func mostPerUser() async throws {
    var limits = SessionLimits.standard
    limits.mostPerUser = 3
    let server = try IdentityWorld(limits: limits)
    var ids: [Secret] = []
    for _ in 0..<5 {
      ids.append(try await Self.signedIn(server).id)
      for id in ids { _ = try await server.sessions.find(id) }
      server.clock.advance(by: .seconds(1))
    }
    var alive: [Bool] = []
    for id in ids { alive.append(try await server.sessions.find(id) != nil) }
    #expect(alive == [false, false, true, true, true])
  }

  @Test("SE-09: a use is written at most once a minute, and outlives a restart within that slack")
  func touches() async throws {
    let folder = TemporaryFolder()
    let server = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url))
    let issued = try await server.sessions.beginGuest()
    func stored() async throws -> Double {
      try await server.storage.read { db in try db.test.first(Double.self, "SELECT seen_at FROM sessions") ?? 0 }
    }
    var values: Set<Double> = [try await stored()]
    for _ in 0..<120 {
      server.clock.advance(by: .seconds(5))
      #expect(try await server.sessions.find(issued.id) != nil)
      values.insert(try await stored())
    }
    #expect(values.count == 11)

    // Used 25 seconds after the last write, and then the process is another.
    server.clock.advance(by: .seconds(25))
    #expect(try await server.sessions.find(issued.id) != nil)
    try await server.storage.close()
    server.clock.advance(by: SessionLimits.standard.guestIdle - .seconds(1))
    let again = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url), clock: server.clock)
    #expect(try await again.sessions.find(issued.id) != nil)
    try await again.storage.close()
    server.clock.advance(by: SessionLimits.standard.guestIdle + .seconds(60))
    let later = try IdentityWorld(storage: ServerStorage.forTest(in: folder.url), clock: server.clock)
    #expect(try await later.sessions.find(issued.id) == nil)
  }

  @Test("Expired sessions are removed as new ones come")
  func housekeeping() async throws {
    let server = try IdentityWorld()
    for _ in 0..<300 { _ = try await server.sessions.beginGuest() }
    server.clock.advance(by: .seconds(3600))
    for _ in 0..<4 { _ = try await server.sessions.beginGuest() }
    #expect(try await server.sessions.count() == 4)
  }

  @Test("Guests can't fill the database")
  func mostGuests() async throws {
    var limits = SessionLimits.standard
    limits.mostGuests = 50
    let server = try IdentityWorld(limits: limits)
    let user = try await Self.signedIn(server)
    var last: IssuedSession?
    for _ in 0..<300 {
      last = try await server.sessions.beginGuest()
      server.clock.advance(by: .seconds(1))
    }
    #expect(try await server.sessions.count() <= 56)
    #expect(try await server.sessions.find(user.id) != nil)
    #expect(try await server.sessions.find(try #require(last).id) != nil)
  }

  @Test("Attributes are changed one at a time, and are bounded")
  func attributes() async throws {
    let server = try IdentityWorld()
    let issued = try await server.sessions.beginGuest()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          _ = try? await server.sessions.update(issued.id) { attributes in
            attributes["attempts"] = .integer(Int64(attributes["attempts"]?.double ?? 0) + 1)
          }
          _ = try? await server.sessions.find(issued.id)
        }
      }
    }
    #expect(try await server.sessions.find(issued.id)?.attributes == ["attempts": 50])
    await #expect(throws: ServerError(.attributesTooLarge, "")) {
      try await server.sessions.update(issued.id) { $0["big"] = .string(String(repeating: "x", count: 5000)) }
    }
    await #expect(throws: ServerError(.attributesTooLarge, "")) {
      try await server.sessions.beginGuest(attributes: ["big": .string(String(repeating: "x", count: 5000))])
    }
    #expect(try await server.sessions.find(issued.id)?.attributes == ["attempts": 50])
  }

  @Test("SE-04: what was read before an end is not kept after it, whatever is ended")
  func staleRead() {
    let cache = SessionCache(capacity: 100)
    let session = ServerSession(user: nil, attributes: [:], createdAt: .distantPast, endsAt: .distantFuture)
    let record = SessionRecord(session: session, seenAt: .now, storedSeenAt: .now)
    let key = ServerSessionKey.make().key
    let ends: [@Sendable () -> Void] = [
      { cache.remove(key) }, { cache.remove(userID: "ada") }, { cache.removeAll() },
    ]
    for end in ends {
      let epoch = cache.epoch
      end()
      cache.insert(record, for: key, readAt: epoch, stamp: CacheStamp(0))
      #expect(cache.count == 0)
      cache.insert(record, for: key, readAt: cache.epoch, stamp: CacheStamp(0))
      #expect(cache.count == 1)
      cache.removeAll()
    }
  }

  @Test("The cache is bounded and forgets nothing that the database knows")
  func cacheBound() async throws {
    let cache = SessionCache(capacity: 100)
    let session = ServerSession(user: nil, attributes: [:], createdAt: .distantPast, endsAt: .distantFuture)
    let record = SessionRecord(session: session, seenAt: .now, storedSeenAt: .now)
    for _ in 0..<1000 {
      let key = ServerSessionKey.make().key
      cache.insert(record, for: key, readAt: cache.epoch, stamp: CacheStamp(0))
      #expect(cache.use(key) { $0.seenAt } != nil)
      #expect(cache.count <= 100)
    }
  }
}

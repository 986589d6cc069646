import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Refresh tokens in a database that has lost its last commits.
@Suite("Refresh tokens after lost commits", .timeLimit(.minutes(10)))
struct TokenFailoverTests {
  /// A family whose first token was rotated, of which the database knows nothing.
  private struct Lost {
    let world: TokenWorld
    let first: Secret
    let second: Secret

    /// - Parameters:
    ///   - hasNewTimeline: whether the database knows that it may have lost something.
    ///   - before: changes the database before the rotation that gets lost.
    init(
      hasNewTimeline: Bool = true, _ change: (inout TokenPolicy) -> Void = { _ in },
      before: (TokenWorld, Secret) async throws -> Void = { _, _ in }
    ) async throws {
      world = try await TokenWorld(storage: nil, change)
      first = try await world.family()
      try await before(world, first)
      let commits = try await LostCommits(after: world.storage)
      second = try await world.rotate(first)
      try await commits.lose(newTimelineAt: hasNewTimeline ? world.clock.now : nil)
    }

    /// The tokens that are live now.
    func live(_ tokens: Secret...) async throws -> [Secret] {
      var live: [Secret] = []
      for token in tokens where try await world.tokens.introspect(token) != nil { live.append(token) }
      return live
    }
  }

  @Test("RT-06, OP-07: a client whose refresh the database has lost goes on from it, and that is told")
  func oneStep() async throws {
    let lost = try await Lost()
    let events = AuditEvents(lost.world.storage)
    var answer: IssuedTokens?
    let told = try await events.words {
      answer = try await lost.world.refresh(lost.second).tokens
    }
    #expect(told == ["refresh_recovered"])
    let third = try #require(answer)
    #expect(!third.isReplay && third.renewal != lost.first && third.renewal != lost.second)
    #expect(try await lost.world.isAlive(third.accessToken))
    #expect(try await lost.live(lost.first, lost.second, third.renewal) == [third.renewal])
    let fourth = try await lost.world.rotate(third.renewal)
    #expect(try await lost.live(lost.first, lost.second, third.renewal, fourth) == [fourth])
    #expect(lost.world.securityEvents.isEmpty)
  }

  @Test("RT-03, OP-07: the token before gives the successor that was given before: there is no second branch")
  func sameSuccessor() async throws {
    let lost = try await Lost()
    let again = try #require(try await lost.world.refresh(lost.first).tokens)
    #expect(again.renewal == lost.second)
    #expect(try await lost.world.rotate(lost.second) != lost.second)
    #expect(lost.world.securityEvents.isEmpty)
  }

  @Test("RT-02: two refreshes that were lost are not told from a theft")
  func twoSteps() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let commits = try await LostCommits(after: world.storage)
    let third = try await world.rotate(try await world.rotate(first))
    try await commits.lose(newTimelineAt: world.clock.now)
    #expect(try await world.refresh(third).refusal == .reused)
    #expect(try await world.refresh(first).refusal == .unknown)
    #expect(world.securityEvents.count == 1)
  }

  @Test("RT-02: within one timeline a successor that was not given out is a theft")
  func sameTimeline() async throws {
    let lost = try await Lost(hasNewTimeline: false)
    #expect(try await lost.world.refresh(lost.second).refusal == .reused)
    #expect(try await lost.world.refresh(lost.first).refusal == .unknown)
    #expect(lost.world.securityEvents.count == 1)
  }

  @Test("RT-02: one timeline later, too, once the live token was written under it")
  func writtenSince() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    try await world.storage.beginTimeline(survivedUntil: nil, at: world.clock.now)
    let second = try await world.rotate(first)
    let commits = try await LostCommits(after: world.storage)
    let third = try await world.rotate(second)
    try await commits.lose(newTimelineAt: nil)
    #expect(try await world.refresh(third).refusal == .reused)
    // A new grant is of its time.
    let other = try await world.family()
    let others = try await LostCommits(after: world.storage)
    let next = try await world.rotate(other)
    try await others.lose(newTimelineAt: nil)
    #expect(try await world.refresh(next).refusal == .reused)
  }

  @Test("RT-02, RT-03: the token that was skipped is replayable for the window, and then spent")
  func skipped() async throws {
    let lost = try await Lost()
    let third = try await lost.world.rotate(lost.second)
    lost.world.clock.advance(by: .seconds(59))
    let again = try #require(try await lost.world.refresh(lost.first).tokens)
    #expect(again.isReplay && again.renewal == lost.second)
    #expect(try await lost.world.refresh(lost.second).tokens?.refreshToken == third)
    lost.world.clock.advance(by: .seconds(1))
    #expect(try await lost.world.refresh(lost.first).refusal == .reused)
    #expect(try await lost.world.refresh(third).refusal == .unknown)
  }

  @Test("RT-06: with patience, too, the skipped token has the window, and the one that took its place has its time")
  func patience() async throws {
    let lost = try await Lost { $0.replaysUntilSuccessorIsUsed = true }
    let third = try await lost.world.rotate(lost.second)
    lost.world.clock.advance(by: .seconds(3600))
    #expect(try await lost.world.refresh(lost.second).tokens?.refreshToken == third)
    #expect(try await lost.world.refresh(lost.first).refusal == .reused)
  }

  @Test("RT-07: the lost successor in many hands at once has one successor, and one token is live")
  func parallel() async throws {
    let lost = try await Lost()
    let answers = try await withThrowingTaskGroup(of: TokenDecision.self) { group in
      for _ in 0..<16 { group.addTask { try await lost.world.refresh(lost.second) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0.tokens != nil })
    #expect(answers.count { $0.tokens?.isReplay == false } == 1)
    let third = try #require(answers.first?.tokens?.renewal)
    #expect(Set(answers.compactMap { $0.tokens?.renewal }) == [third])
    #expect(try await lost.live(lost.first, lost.second, third) == [third])
  }

  @Test("RT-04: after a rotation by a server of the version before, the older successor is a theft's")
  func olderServer() async throws {
    let lost = try await Lost()
    let (world, first) = (lost.world, lost.first)
    // What that server writes: another leaf, and nothing of what it does not know.
    let text = try #require(RefreshTokenText(first))
    let others = text.successor(salt: Data(repeating: 7, count: 32))
    try await world.storage.write { db in
      try db.test.execute("UPDATE grants SET leaf_hash = ?", others.hash.data)
    }
    let commits = try await LostCommits(after: world.storage)
    // Its token goes on.
    let next = try await world.rotate(Secret(others.text))
    #expect(next != lost.second)
    _ = try await world.rotate(next)
    try await commits.lose(newTimelineAt: world.clock.now)
    #expect(try await world.refresh(lost.second).refusal == .reused)
  }

  @Test("RT-04: a token that an older server has issued has a successor from its next use on")
  func earlierToken() async throws {
    func forget(_ world: TokenWorld, _: Secret) async throws {
      try await world.storage.write { db in
        try db.test.execute("UPDATE grants SET successor_seed = NULL, successor_mark = NULL, timeline = NULL")
      }
    }
    let lost = try await Lost(before: forget)
    #expect(try await lost.world.refresh(lost.second).refusal == .reused)

    let world = try await TokenWorld()
    let first = try await world.family()
    try await forget(world, first)
    let second = try await world.rotate(first)
    let commits = try await LostCommits(after: world.storage)
    let third = try await world.rotate(second)
    try await commits.lose(newTimelineAt: world.clock.now)
    #expect(try await world.refresh(third).tokens != nil)
  }

  @Test("RT-06: a seed that gives another token, because the server has another key, is replaced")
  func otherSeed() async throws {
    let lost = try await Lost(before: { world, _ in
      try await world.storage.write { db in
        try db.test.execute("UPDATE grants SET successor_seed = ?", Data(repeating: 1, count: 16))
      }
    })
    // It was not settled which token would follow, so it is not recognised either.
    #expect(try await lost.world.refresh(lost.second).refusal == .reused)
  }

  @Test("RT-06: a skipped token whose successor can't be derived any more is refused, and the family goes on")
  func skippedWithOtherKey() async throws {
    let lost = try await Lost()
    // As if the server had another key since: the seed gives another salt.
    try await lost.world.storage.write { db in
      try db.test.execute("UPDATE grants SET successor_seed = ?", Data(repeating: 1, count: 16))
    }
    let third = try await lost.world.rotate(lost.second)
    #expect(try await lost.world.refresh(lost.first).refusal == .unknown)
    #expect(try await lost.world.refresh(lost.second).tokens?.refreshToken == third)
    _ = try await lost.world.rotate(third)
    #expect(lost.world.securityEvents.isEmpty)
  }

  @Test("RT-11: neither the database, nor a used token, nor both without the server's key give the next token")
  func thief() async throws {
    let world = try await TokenWorld()
    let first = try await world.family()
    let text = try #require(RefreshTokenText(first))
    let values = try await world.storage.read { db in
      try db.test.rows("SELECT * FROM grants").flatMap { $0 }
    }
    let second = try await world.rotate(first)
    #expect(values.count > 10)
    for value in values { #expect(text.successor(salt: value).text != second.reveal()) }

    // With the key a thief has the next token before the client, which is then one that was not given out.
    let other = try await world.family()
    let seed = try await world.storage.read { db in
      try db.test.first(Data.self, "SELECT successor_seed FROM grants ORDER BY id DESC LIMIT 1")
    }
    let salt = SuccessorKey.of(world.storage).salt(of: try #require(seed))
    let next = try #require(RefreshTokenText(other)).successor(salt: salt)
    #expect(try await world.refresh(Secret(next.text)).refusal == .reused)
    #expect(try await world.refresh(other).refusal == .unknown)
  }

  @Test("OP-07: a file of SQLite that was put back", TestDatabase.forSQLite)
  func restoredFile() async throws {
    let folder = TemporaryFolder()
    let file = folder.url.appending(path: ServerStorage.fileName)
    let saved = folder.url.appending(path: "saved")
    let clock = TestClock()
    var world = try await TokenWorld(storage: try ServerStorage(folder: folder.url), clock: clock)
    let (first, other) = (try await world.family(), try await world.family())
    try await world.storage.close()
    try FileManager.default.copyItem(at: file, to: saved)
    world = try await TokenWorld(storage: try ServerStorage(folder: folder.url), clock: clock)
    let (second, next) = (try await world.rotate(first), try await world.rotate(other))
    try await world.storage.close()
    try Data(contentsOf: saved).write(to: file)
    world = try await TokenWorld(storage: try ServerStorage(folder: folder.url), clock: clock)
    // Put back by hand, and noticed by no server.
    #expect(try await world.refresh(next).refusal == .reused)
    try await world.storage.beginTimeline(survivedUntil: nil, at: clock.now)
    #expect(try await world.refresh(second).tokens != nil)
    try await world.storage.close()
  }
}

import Foundation
import Logging
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Audit chain", .timeLimit(.minutes(10)))
struct AuditChainTests {
  private struct World {
    let base: IdentityWorld
    let sealer: AuditSealer
    let archive: AuditArchive
    let events: AuditEvents

    init(storage: ServerStorage? = nil, retention: Duration = .seconds(100)) throws {
      base = try IdentityWorld(storage: storage)
      var settings = AuditSettings()
      settings.retention = retention
      sealer = AuditSealer(
        storage: base.storage, settings: settings, clock: base.clock, logger: Logger(label: "test"))
      archive = AuditArchive(base.storage)
      events = AuditEvents(base.storage)
    }

    /// Some events, sealed.
    func fill(_ count: Int = 10) async throws {
      for number in 0..<count { _ = await base.verify("user \(number)", "wrong") }
      #expect(try await sealer.seal() == count)
    }
  }

  @Test("OP-04: a chain that nobody has touched is whole")
  func whole() async throws {
    let world = try World()
    #expect(try await world.archive.verify().problem == nil)
    try await world.fill(600)
    _ = await world.base.verify("one more", "wrong")
    let verification = try await world.archive.verify()
    #expect(verification.problem == nil)
    #expect(verification.sealed == 600)
    #expect(verification.unsealed == 1)
    #expect(verification.end == 600)
    #expect(try await world.sealer.seal() == 1)
    #expect(try await world.sealer.seal() == 0)
  }

  /// What a writer without the key can do, and which row is told.
  private static let harms: [(sql: String, problem: AuditVerification.Problem)] =
    [
      "happened_at = happened_at + 1", "kind = 'password_accepted'", "cause = NULL", "user_id = 'x'",
      "name_mark = NULL", "client_id = ''", "session_mark = 'x'", "grant_id = 0", "calls = 0", "times = 2",
      "actor = 'command'", "place = 'x'", "address = '192.0.2.1'", "request_id = 'x'", "seal = x'00'",
      // Between two columns.
      "session_mark = actor, client_id = cause",
    ].map { ("UPDATE audit_events SET \($0) WHERE number = 5", .changed(number: 5, id: 5)) } + [
      ("DELETE FROM audit_events WHERE number = 5", .missing(from: 5, to: 5)),
      ("DELETE FROM audit_events WHERE number BETWEEN 4 AND 6", .missing(from: 4, to: 6)),
      ("DELETE FROM audit_events WHERE number = 1", .missing(from: 1, to: 1)),
      ("DELETE FROM audit_events WHERE number = 10", .cut(after: 9, end: 10)),
      ("DELETE FROM audit_events WHERE number > 3", .cut(after: 3, end: 10)),
      ("DELETE FROM audit_events", .cut(after: 0, end: 10)),
      ("UPDATE audit_events SET number = NULL, seal = NULL WHERE number = 10", .cut(after: 9, end: 10)),
      // Two rows change places.
      (
        """
        UPDATE audit_events SET number = 99 WHERE number = 4; UPDATE audit_events SET number = 4 WHERE number = 5;
        UPDATE audit_events SET number = 5 WHERE number = 99
        """, .changed(number: 4, id: 5)
      ),
      // The gap is closed.
      (
        "DELETE FROM audit_events WHERE number = 5; UPDATE audit_events SET number = number - 1 WHERE number > 5",
        .changed(number: 5, id: 6)
      ),
      ("UPDATE audit_marks SET number = 9 WHERE name = 'end'", .markForged("end")),
      (
        """
        UPDATE audit_marks SET number = 9, hash = (SELECT seal FROM audit_events WHERE number = 9) WHERE name = 'end';
        DELETE FROM audit_events WHERE number = 10
        """, .markForged("end")
      ),
      (
        """
        UPDATE audit_marks SET number = 3, hash = (SELECT seal FROM audit_events WHERE number = 3) WHERE name = 'start';
        DELETE FROM audit_events WHERE number <= 3
        """, .markForged("start")
      ),
    ]

  @Test(
    "OP-04, Bug-C16: a row that is changed, removed, cut off or moved is told, by its number", arguments: harms.indices)
  func harmed(_ index: Int) async throws {
    let (sql, problem) = Self.harms[index]
    let world = try World()
    try await world.fill()
    try await world.events.tamper(sql)
    #expect(try await world.archive.verify().problem == problem, "\(sql)")
  }

  @Test("OP-04: an older copy of the database is told by the file beside it, and so is a database without a trail")
  func witness() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let world = try World(storage: storage)
    try await world.fill()
    let mark = try await storage.read { db in
      let row = try db.test.rows("SELECT hash, seal FROM audit_marks WHERE name = 'end'")[0]
      return "hash = x'\(row[0].hexadecimal)', seal = x'\(row[1].hexadecimal)'"
    }
    try await world.fill(2)
    #expect(try await world.archive.verify().problem == nil)
    // The end of before, which the server has signed.
    try await world.events.tamper(
      """
      DELETE FROM audit_events WHERE number > 10;
      UPDATE audit_marks SET number = 10, \(mark) WHERE name = 'end'
      """)
    #expect(try await world.archive.verify().problem == .witnessDiffers(end: 10, seen: 12))
    try await world.events.tamper(
      "DELETE FROM audit_events; UPDATE audit_marks SET number = 0, hash = x'00', seal = x'00'")
    #expect(try await world.archive.verify().problem == .witnessDiffers(end: 0, seen: 12))
    try Data("12 x y\n".utf8).write(to: folder.url.appendingPathComponent(AuditWitness.fileName))
    #expect(try await world.archive.verify().problem == .witnessDamaged)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(AuditWitness.fileName))
    #expect(try await world.archive.verify().problem == nil, "there is no trail either")
    _ = await world.base.verify("ada", "wrong")
    try await world.sealer.seal()
    #expect(try await world.archive.verify().problem == nil)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(AuditWitness.fileName))
    #expect(try await world.archive.verify().problem == .witnessMissing)
    // Another server has sealed all that there is: a machine that has just begun has the end all the same, and mends nothing.
    try await world.sealer.beginWitness()
    #expect(try await world.archive.verify().problem == nil)
    try Data("12 x y\n".utf8).write(to: folder.url.appendingPathComponent(AuditWitness.fileName))
    try await world.sealer.beginWitness()
    #expect(try await world.archive.verify().problem == .witnessDamaged)
    try await storage.close()
  }

  @Test("What is too old goes at the front, and the rest is whole; what is younger stays")
  func retention() async throws {
    let world = try World()
    try await world.fill()
    world.base.clock.advance(by: .seconds(60))
    try await world.fill(5)
    #expect(try await world.sealer.removeExpired() == 0)
    world.base.clock.advance(by: .seconds(41))
    #expect(try await world.sealer.removeExpired() == 10)
    let verification = try await world.archive.verify()
    #expect(verification.problem == nil)
    #expect(verification.start == 10)
    #expect(verification.sealed == 5)
    try await world.events.tamper("DELETE FROM audit_events WHERE number = 11")
    #expect(try await world.archive.verify().problem == .missing(from: 11, to: 11))
  }

  @Test("Two that seal at once give each row one number")
  func together() async throws {
    let world = try World()
    for number in 0..<50 { _ = await world.base.verify("user \(number)", "wrong") }
    let (one, other) = (world.sealer, try World(storage: world.base.storage).sealer)
    async let first = one.seal()
    async let second = other.seal()
    #expect(try await first + second == 50)
    #expect(try await world.archive.verify().sealed == 50)
  }

  @Test("A server seals what it was asked for when it stops, and a command's work is sealed before it ends")
  func stopping() async throws {
    let folder = TemporaryFolder()
    try await TestServer.runWithJane({ $0.storage = .folder(folder.url) }) { server in
      _ = try await server.client().get("/prweb/api/v1/authenticate", headers: Client.basic("jdoe", "wrong"))
    }
    let storage = try ServerStorage.forTest(in: folder.url)
    let verification = try await AuditArchive(storage).verify()
    #expect(verification.problem == nil)
    #expect(verification.unsealed == 0)
    #expect(verification.sealed >= 2)
    try await storage.close()
  }
}

import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryServer

@Suite("Salesforce door: what a query may cost", .timeLimit(.minutes(20)))
struct SalesforceQueryTests {
  private static let base = "/services/data/v59.0"

  private static func list(_ item: (Int) -> String, _ count: Int, _ separator: String = ",") -> String {
    (0..<count).map(item).joined(separator: separator)
  }

  /// Never ends by itself.
  private static let endless = StorageQuery(
    StorageFragment("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 - i FROM n) SELECT count(*) FROM n"))

  @Test("Bug-C04: a query that asks for too much is refused in the vendor's words before the database hears of it")
  func bounded() async throws {
    try await SalesforceTester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let door = try tester.door
      for (text, code) in [
        ("SELECT Id FROM Case ORDER BY " + Self.list({ _ in "Id" }, 5900), "QUERY_TOO_COMPLICATED"),
        ("SELECT Id FROM Case WHERE " + Self.list({ _ in "Id='x'" }, 1000, " OR "), "QUERY_TOO_COMPLICATED"),
        ("SELECT Id FROM Case WHERE Id IN (" + Self.list({ "'\($0)'" }, 2001) + ")", "QUERY_TOO_COMPLICATED"),
        (
          "SELECT Id FROM Case WHERE CreatedDate IN (" + Self.list({ _ in "2020-01-01" }, 300) + ")",
          "QUERY_TOO_COMPLICATED"
        ),
        ("SELECT Id FROM Case WHERE Subject LIKE '" + Self.list({ _ in "%a" }, 600, "") + "'", "QUERY_TOO_COMPLICATED"),
        ("SELECT " + Self.list({ _ in "Id" }, 5000) + " FROM Case", "MALFORMED_QUERY"),
        ("SELECT Id FROM Case WHERE Description LIKE '%a%'", "INVALID_FIELD"),
        ("SELECT Id FROM Case ORDER BY Description", "INVALID_FIELD"),
      ] {
        let target = "\(Self.base)/query?q=" + text.replacing(" ", with: "+").replacing("%", with: "%25")
        let answer = try await tester.call(target, access)
        #expect(answer.status == 400 && answer.dataError == code, "\(text.prefix(60)): \(answer.body)")
        let locator = SalesforceQueryPlace(query: text, start: 0, size: 200).locator
        if locator.utf8.count < 30_000 {
          #expect(try await tester.call("\(Self.base)/query/\(locator)", access).dataError == code)
        }
      }
      #expect(door.queries.counts == SalesforceQueries.Counts())
    }
  }

  @Test("Bug-C04: of 300 cases of 128 kB a query reads those that its answer has, and an answer has a megabyte")
  func bytes() async throws {
    let text = String(repeating: "\u{1F600}", count: 32_000)
    try await SalesforceTester.run { tester in
      let access = try await tester.signIn()["access_token"]?.string
      let door = try tester.door
      let user = try #require(try await tester.server.identity.user(named: "jane@example.com"))
      let place = SalesforceRecords.Place(org: door.configuration.orgs[0], object: .theCase, userID: nil)
      for number in 0..<300 {
        _ = try await door.records.insert(
          ["Subject": .string("case \(number)"), "Description": .string(text)], of: user, in: place)
      }
      func ask(_ target: String) async throws -> (answer: Answer, counts: SalesforceQueries.Counts) {
        let before = door.queries.counts
        let answer = try await tester.call(target, access)
        #expect(answer.status == 200)
        var counts = door.queries.counts
        counts.records -= before.records
        counts.bytes -= before.bytes
        return (answer, counts)
      }
      func query(_ text: String) -> String { "\(Self.base)/query?q=\(Client.encode(text))" }
      let sorted = try await ask(query("SELECT Id FROM Case WHERE Subject LIKE '%9%' ORDER BY Subject DESC LIMIT 1"))
      #expect(sorted.answer.json["totalSize"] == 1 && sorted.counts.records == 1 && sorted.counts.bytes < 200_000)
      let counted = try await ask(query("SELECT COUNT() FROM Case"))
      #expect(counted.answer.json["totalSize"] == 300 && counted.counts.records == 0)
      var (seen, target) = (0, query("SELECT Description FROM Case"))
      while true {
        let (answer, counts) = try await ask(target)
        #expect(counts.bytes <= SOQLLimits.mostBatchBytes && counts.records > 0)
        #expect(answer.json["totalSize"] == 300)
        seen += answer.json["records"]?.array?.count ?? 0
        guard let next = answer.json["nextRecordsUrl"]?.string, counts.records > 0 else { break }
        target = next
      }
      #expect(seen == 300)
    }
  }

  @Test("Bug-C04: patterns that are made to be tried in many ways are answered like any other")
  func patterns() async throws {
    let long = String(repeating: "a", count: 255)
    let world = try await SOQLWorld(records: Array(repeating: ["Subject": .string(long)], count: 300))
    for pattern in [
      Self.list({ _ in "%a" }, 500, "") + "b", Self.list({ _ in "%_" }, 500, "") + "b",
      "%" + String(repeating: "a", count: 254) + "b", Self.list({ _ in "%%%a%_" }, 150, "") + "b",
    ] {
      #expect(try await world.count("Subject LIKE '\(pattern)'") == 0)
    }
    #expect(try await world.count("Subject LIKE '" + Self.list({ _ in "%a" }, 255, "") + "%'") == 300)
    #expect(try await world.count("Subject LIKE '" + Self.list({ _ in "%a" }, 256, "") + "%'") == 0)
  }

  @Test(
    "Bug-C04: what the database does for a client ends when the client goes away, and others are answered meanwhile")
  func goneClient() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (begun, ended, storage) = (Locked(0), Locked(0), Locked<ServerStorage?>(nil))
    let route = Route(
      "/endless",
      receivers: [
        .get: .abandonable({ _ in
          begun.withLock { $0 += 1 }
          defer { ended.withLock { $0 += 1 } }
          guard let storage = storage.withLock({ $0 }) else { return DoorResponse(status: .noContent) }
          let count = try await storage.read(within: .seconds(36_000)) { db in try db.count(Self.endless) }
          return DoorResponse(status: .ok, headers: [:], body: Array("\(count)".utf8))
        })
      ])
    try await TestServer.run({ $0.storage = .folder(folder.url) }, furtherRoutes: [route]) { server in
      storage.withLock { $0 = server.application.storage }
      let port = server.running.port
      let client = Task {
        try await RawConnection(port: port).exchange("GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      }
      try await waitUntil { begun.withLock { $0 } == 1 }
      #expect(try await server.client().ready().status == 200)
      #expect(ended.withLock { $0 } == 0)
      client.cancel()
      _ = try? await client.value
      try await waitUntil { ended.withLock { $0 } == 1 }
      #expect(try await server.client().ready().status == 200)
    }
  }

  @Test("Bug-C04: the database stops where a read's time is over, or its task is cancelled", arguments: [false, true])
  func interrupted(isOnDisk: Bool) async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let storage = try isOnDisk ? ServerStorage.forTest(in: folder.url) : ServerStorage.forTest()
    await #expect(throws: ServerError(.workTooLong, "")) {
      try await storage.read(within: .milliseconds(1)) { db in try db.count(Self.endless) }
    }
    let task = Task { try await storage.read(within: .seconds(36_000)) { db in try db.count(Self.endless) } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await storage.read { db in try db.count(FlowStatements.sql.count) } == 0)
    try await storage.close()
  }

  @Test("Bug-C04: a few queries are asked at a time, the others wait in order, and too many are refused")
  func places() async throws {
    let places = SalesforceQueryPlaces(1, mostWaiting: 2, mostWaitingOfUser: 1)
    let (gates, open) = AsyncStream<Void>.makeStream()
    let order = Locked<[String]>([])
    @Sendable func query(_ user: String) async throws {
      try await places.withPlace(for: user) {
        order.withLock { $0.append(user) }
        if user == "first" { for await _ in gates {} }
      }
    }
    let first = Task { try await query("first") }
    try await waitUntil { places.counts.running == 1 }
    let second = Task { try await query("second") }
    try await waitUntil { places.counts.waiting == 1 }
    // Of one user one waits.
    await #expect(throws: SalesforceDataFailure.self) { try await query("second") }
    let third = Task { try await query("third") }
    try await waitUntil { places.counts.waiting == 2 }
    await #expect(throws: SalesforceDataFailure.self) { try await query("fourth") }
    #expect(places.refused == 2)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(places.counts.waiting == 1)
    open.finish()
    try await first.value
    try await third.value
    #expect(order.withLock { $0 } == ["first", "third"])
    #expect(places.counts.running == 0 && places.counts.waiting == 0)
  }
}

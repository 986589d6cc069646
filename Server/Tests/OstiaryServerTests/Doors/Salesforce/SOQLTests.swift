import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("SOQL", .timeLimit(.minutes(10)))
struct SOQLTests {
  @Test(
    "A condition holds",
    arguments: [
      "Status = 'New'", "status = 'NEW'", "Status != 'Closed'", "Status <> 'Closed'", "Reason = null",
      "Subject LIKE '%lamp%'", "Subject like 'a_broken%'", "Subject LIKE 'A broken \"lamp\"'",
      "Status IN ('Old', 'New')", "Status NOT IN ('Old')", "IsClosed = false AND Status = 'New'",
      "Status = 'Old' OR (Status = 'New' AND NOT IsClosed = true)", "CreatedDate > 2027-01-14T00:00:00Z",
      "CreatedDate < 2027-01-15T09:00:00.000+0000", "CreatedDate >= 2027-01-15",
      "CreatedDate = 2027-01-15T08:00:00.000Z",
      "CreatedDate <= 2027-01-15T08:00:00Z", "CreatedDate IN (2027-01-14, 2027-01-15T08:00:00Z)", "CreatedDate != null",
      "Id = '500000000000001'", "Id IN ('500000000000001AAA', 'x')", "Id != '500000000000002'",
      "Id < '500000000000002'",
      "NOT (Status = 'Old')", "Subject = 'A broken \\\"lamp\\\"'", "SuppliedName = 'änne müller'",
      "SuppliedName LIKE '%MÜLLER'", "SuppliedName = 'A\u{308}NNE Mu\u{308}ller'",
      "SuppliedCompany LIKE '50\\% off\\_'",
      "SuppliedCompany LIKE '50%%%off_'", "Reason != 'x'", "Reason NOT IN ('x')", "Reason IN ('x', null)",
      "Status != 5",
      "CaseNumber = '00000001'", "CaseNumber LIKE '%1'", "ClosedDate = null", "IsDeleted = false", "IsClosed != true",
      "OwnerId != null", "CreatedById IN ('x', null) OR Status = 'New'", "IsClosed IN (false)",
    ])
  func holds(condition: String) async throws {
    #expect(try await SOQLWorld().count(condition) == 1)
  }

  @Test(
    "A condition doesn't hold",
    arguments: [
      "Status = 'Old'", "Status = null", "Reason != null", "Subject LIKE 'lamp'", "Subject LIKE '\\_ broken%'",
      "Status = 'New' AND IsClosed = true", "CreatedDate > 2027-01-16T00:00:00Z", "Status > 5", "Reason < 'a'",
      "Reason >= null", "Reason LIKE '%'", "NOT Reason = null", "Id = '005000000000001'", "Id > 'x'", "Status IN (5)",
      "CreatedDate > 2027-01-15T08:00:00Z", "CreatedDate != 2027-01-15T08:00:00Z", "SuppliedCompany LIKE '50\\_ off%'",
      "ClosedDate < 2030-01-01", "OwnerId = 'x'", "IsDeleted = true", "CaseNumber = '1'", "Status = ''",
    ])
  func holdsNot(condition: String) async throws {
    #expect(try await SOQLWorld().count(condition) == 0)
  }

  @Test("AND binds more than OR")
  func precedence() async throws {
    #expect(try await SOQLWorld().count("Status='New' OR Status='x' AND IsClosed=true") == 1)
  }

  @Test(
    "What can't be looked at is said",
    arguments: [
      ("Description = 'text'", "INVALID_FIELD"), ("Description LIKE 'text'", "INVALID_FIELD"),
      ("Nonsense = 1", "INVALID_FIELD"),
      ("CreatedDate LIKE '2%'", "INVALID_QUERY_FILTER_OPERATOR"),
      ("OwnerId LIKE '0%'", "INVALID_QUERY_FILTER_OPERATOR"),
    ])
  func refused(condition: String, code: String) async throws {
    let world = try await SOQLWorld()
    let failure = await #expect(throws: SalesforceDataFailure.self) { try await world.count(condition) }
    #expect(failure?.code == code && failure?.status == .badRequest)
  }

  @Test("Everything of a query is read")
  func whole() throws {
    let query = try SOQLParser.parse(
      "select Id, subject from Case where Status = 'New' order by CreatedDate desc nulls last, Subject limit 5 offset 2"
    )
    #expect(query.fields == ["Id", "subject"])
    #expect(query.object == "Case")
    #expect(query.limit == 5 && query.offset == 2)
    #expect(query.order.map(\.isDescending) == [true, false])
    #expect(query.order.map(\.putsNullsLast) == [true, false])
    #expect(query.namedFields == ["Id", "subject", "Status", "CreatedDate", "Subject"])
    #expect(try SOQLParser.parse("SELECT COUNT() FROM Case").fields == nil)
  }

  @Test(
    "What the door doesn't understand it says",
    arguments: [
      "", "SELECT", "SELECT FROM Case", "SELECT Id", "SELECT Id FROM", "SELECT Id FROM Case WHERE",
      "SELECT Id FROM Case WHERE Status", "SELECT Id FROM Case WHERE Status =",
      "SELECT Id FROM Case WHERE Status = New",
      "SELECT Id FROM Case WHERE Status = 'New", "SELECT Id FROM Case LIMIT x", "SELECT Id FROM Case LIMIT -1",
      "SELECT Id FROM Case ORDER Status", "SELECT Id FROM Case WHERE (Status = 'New'", "SELECT * FROM Case",
      "SELECT Id FROM Case; DROP TABLE users", "SELECT Id FROM Case GROUP BY Status", "SELECT Id FROM Case OFFSET 2001",
      "SELECT Id FROM Case WHERE Status = 'a\\q'", "SELECT (SELECT Id FROM Contacts) FROM Case",
      "SELECT Id FROM Case WHERE " + String(repeating: "(", count: 1000),
      "SELECT Id FROM Case WHERE " + String(repeating: "NOT ", count: 1000),
      String(repeating: "x", count: 100_001),
    ])
  func malformed(query: String) {
    #expect(throws: SalesforceDataFailure.self) { try SOQLParser.parse(query) }
  }

  @Test("Records are sorted by several fields, and those without a value are first unless told otherwise")
  func order() async throws {
    let world = try await SOQLWorld(
      records: [("b", "1"), ("A", "2"), (nil, "3"), ("a", "1")].map { subject, status in
        ["Subject": subject.map(JSONValue.string) ?? .null, "Status": .string(status)]
      })
    func sorted(_ order: String) async throws -> [String] {
      try await world.records("SELECT Id FROM Case ORDER BY \(order)").map {
        ($0.fields["Subject"]?.string ?? "-").lowercased() + ($0.fields["Status"]?.string ?? "")
      }
    }
    #expect(try await sorted("Subject, Status") == ["-3", "a1", "a2", "b1"])
    #expect(try await sorted("Subject DESC NULLS LAST, Status DESC") == ["b1", "a2", "a1", "-3"])
    #expect(try await sorted("IsClosed") == ["b1", "a2", "-3", "a1"])
    #expect(try await sorted("Id DESC") == ["a1", "-3", "a2", "b1"])
  }

  @Test("Users are found by what they are called now, and those of another tenant never")
  func users() async throws {
    let world = try await SOQLWorld()
    try await world.base.identity.addUser(name: "other", tenant: "t")
    #expect(try await world.records("SELECT Id FROM User WHERE Name = 'ADA'").count == 1)
    let user = try #require(try await world.base.identity.user(named: "ada"))
    let id = SalesforceRecordID(user).long
    #expect(try await world.records("SELECT Id FROM User WHERE Id = '\(id.prefix(15))' AND IsActive = true").count == 1)
    #expect(try await world.records("SELECT Id FROM User").count == 1)
    try await world.base.storage.write { db in
      _ = try db.run(
        UserStatements.sql.setDisplayName, "Countess", Date(timeIntervalSince1970: 0), user.id, ends: .user(user.id))
    }
    #expect(try await world.records("SELECT Id FROM User WHERE Name = 'countess' ORDER BY Name").count == 1)
    #expect(try await world.records("SELECT Id FROM User WHERE Name = 'Ada'").isEmpty)
  }

  @Test("The org is found by its own fields")
  func organization() async throws {
    let world = try await SOQLWorld()
    #expect(try await world.records("SELECT Id FROM Organization WHERE Name = 'ACME' AND IsSandbox = false").count == 1)
    #expect(try await world.records("SELECT Id FROM Organization WHERE Name LIKE 'b%' ORDER BY Id").isEmpty)
  }

  @Test("Records of before are found, and those that change are found as they are now")
  func earlierRecords() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let all = Migrations.all(of: houseDoors)
    let storage = try ServerStorage(folder: folder.url, migrations: all.filter { !$0.name.hasPrefix("13:") })
    let org = SOQLWorld.org
    let user = try await IdentityWorld(storage: storage).identity.addUser(name: "ada")
    try await storage.write { db in
      for number in 0..<250 {
        _ = try db.newID(
          SalesforceStatements.sql.insert, org.id.short, "Case", user.id,
          "{\"Subject\":\"\(number)\",\"Status\":\"New\"}",
          Date(timeIntervalSince1970: 5), Date(timeIntervalSince1970: 5))
      }
    }
    try await storage.close()
    let world = try await SOQLWorld(base: IdentityWorld(storage: ServerStorage.forTest(in: folder.url)), records: [])
    let found = try await world.records("SELECT Id FROM Case WHERE Subject = '249'")
    #expect(found.count == 1)
    let id = try #require(found.first?.id)
    #expect(try await world.store.update(id, ["Status": "Closed"], in: world.place))
    #expect(try await world.count("IsClosed = true") == 1)
    #expect(try await world.count("Status = 'New'") == 249)
    #expect(try await world.store.delete(id, in: world.place))
    #expect(try await world.count("IsClosed = true") == 0)
    try await world.base.storage.close()
  }
}

/// An org's records, and the queries about them.
struct SOQLWorld: Sendable {
  static let org = SalesforceOrg(name: "Acme")

  let base: IdentityWorld
  let store: SalesforceRecords
  let queries: SalesforceQueries
  let caller: SalesforceTokenHolder
  let place: SalesforceRecords.Place

  init(
    base: IdentityWorld? = nil,
    records: [[String: JSONValue]] = [
      [
        "Subject": "A broken \"lamp\"", "Status": "New", "SuppliedName": "ÄNNE Müller", "SuppliedCompany": "50% off_",
        "Description": "text",
      ]
    ]
  ) async throws {
    let base = try base ?? IdentityWorld()
    self.base = base
    let known = try await base.identity.user(named: "ada")
    let user = if let known { known } else { try await base.identity.addUser(name: "ada", displayName: "Ada") }
    caller = SalesforceTokenHolder(user: user, org: Self.org, scopes: ["api"], community: nil)
    place = caller.place(.theCase)
    store = SalesforceRecords(storage: base.storage, clock: AdjustableClock(), most: 10_000)
    queries = SalesforceQueries(storage: base.storage)
    for fields in records { _ = try await store.insert(fields, of: user, in: place) }
  }

  func batch(_ text: String, from start: Int = 0) async throws -> SalesforceQueries.Batch {
    let query = try SOQLParser.parse(text)
    return try await queries.batch(
      try SOQLPlan(query, try SalesforceObject.named(query.object), caller), from: start, size: 2000)
  }

  func records(_ text: String) async throws -> [SalesforceRecord] { try await batch(text).records }

  /// How many cases a condition holds for.
  @discardableResult
  func count(_ condition: String) async throws -> Int {
    try await batch("SELECT COUNT() FROM Case WHERE \(condition)").total
  }
}

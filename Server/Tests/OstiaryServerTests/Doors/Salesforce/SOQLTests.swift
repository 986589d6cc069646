import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("SOQL")
struct SOQLTests {
  private static func record(_ fields: [String: JSONValue]) -> SalesforceRecord {
    SalesforceRecord(object: .theCase, id: SalesforceID(.theCase, number: 1), fields: fields)
  }

  private static let sample = record([
    "Id": .string(SalesforceID(.theCase, number: 1).long), "Subject": "A broken \"lamp\"", "Status": "New",
    "Description": .null, "IsClosed": false, "CreatedDate": "2026-11-21T07:00:00.000+0000",
  ])

  @Test(
    "A condition holds",
    arguments: [
      "Status = 'New'", "status = 'NEW'", "Status != 'Closed'", "Status <> 'Closed'", "Description = null",
      "Subject LIKE '%lamp%'", "Subject like 'a_broken%'", "Subject LIKE 'A broken \"lamp\"'",
      "Status IN ('Old', 'New')", "Status NOT IN ('Old')", "IsClosed = false AND Status = 'New'",
      "Status = 'Old' OR (Status = 'New' AND NOT IsClosed = true)", "CreatedDate > 2026-11-20T00:00:00Z",
      "CreatedDate < 2026-11-21T08:00:00.000+0000", "CreatedDate >= 2026-11-21", "Id = '500000000000001'",
      "NOT (Status = 'Old')", "Subject = 'A broken \\\"lamp\\\"'",
    ])
  func holds(condition: String) throws {
    let query = try SOQLParser.parse("SELECT Id FROM Case WHERE \(condition)")
    #expect(query.matches(Self.sample.value))
  }

  @Test(
    "A condition doesn't hold",
    arguments: [
      "Status = 'Old'", "Status = null", "Description != null", "Subject LIKE 'lamp'", "Subject LIKE '\\_ broken%'",
      "Status = 'New' AND IsClosed = true", "CreatedDate > 2026-11-22T00:00:00Z", "Status > 5", "Description < 'a'",
      "Description >= null",
    ])
  func holdsNot(condition: String) throws {
    let query = try SOQLParser.parse("SELECT Id FROM Case WHERE \(condition)")
    #expect(!query.matches(Self.sample.value))
  }

  @Test("AND binds more than OR")
  func precedence() throws {
    let query = try SOQLParser.parse("SELECT Id FROM Case WHERE Status='New' OR Status='x' AND IsClosed=true")
    #expect(query.matches(Self.sample.value))
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
    #expect(throws: SalesforceFailure.self) { try SOQLParser.parse(query) }
  }

  @Test("A hostile pattern takes no longer than any other")
  func patterns() {
    let text = SOQLValue.text(String(repeating: "a", count: 2000))
    #expect(!text.isLike(String(repeating: "%a", count: 500) + "b"))
    #expect(text.isLike(String(repeating: "%a", count: 500)))
  }

  @Test("Records are sorted by several fields, and those without a value are first unless told otherwise")
  func order() throws {
    let records = [("b", "1"), ("a", "2"), (nil, "3"), ("a", "1")].map { subject, status in
      Self.record(["Subject": subject.map(JSONValue.string) ?? .null, "Status": .string(status)])
    }
    func sorted(_ order: String) throws -> [String] {
      let query = try SOQLParser.parse("SELECT Id FROM Case ORDER BY \(order)")
      return records.sorted { query.precedes($0.value, $1.value) }.map {
        ($0.fields["Subject"]?.string ?? "-") + ($0.fields["Status"]?.string ?? "")
      }
    }
    #expect(try sorted("Subject, Status") == ["-3", "a1", "a2", "b1"])
    #expect(try sorted("Subject DESC NULLS LAST, Status DESC") == ["b1", "a2", "a1", "-3"])
  }
}

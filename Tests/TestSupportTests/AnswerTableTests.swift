import OstiaryCore
import TestSupport
import Testing

@Suite("Tables of the documentation, as tests read them")
struct AnswerTableReaderTests {
  @Test("A table has its rows, cells as written, without header and ruler; a heading without one is told")
  func rows() throws {
    let article = "OstiarySalesforce/Documentation.docc/OstiarySalesforce.md"
    let rows = try AnswerTable.rows(ofArticle: article, heading: "What an answer means")
    #expect(rows.count >= 30)
    #expect(rows.allSatisfy { $0.count == 6 })
    #expect(rows.first?.prefix(3) == ["call", "200", "`Content-Type: application/json`"])
    for heading in ["What an answer", "Overview"] {
      #expect(throws: AnswerTable.NotThere.self) { try AnswerTable.rows(ofArticle: article, heading: heading) }
    }
  }

  @Test("A bar behind a backslash belongs to its cell")
  func bars() {
    #expect(AnswerTable.cells(#"| a \| b | `c` ||"#) == [#"a \| b"#, "`c`", ""])
    #expect(AnswerTable.text(ofCell: #"`a\|b`"#) == "a|b")
  }

  @Test("Neighbours of a JSON text are other texts, each once changed")
  func neighbours() throws {
    let body = #"{"a":{"b":"c"}}"#
    let changes = try Neighbours.changes(of: body, at: ["a", "b"])
    #expect(changes.count == Neighbours.values.count + 1)
    let values = changes.map { JSONValue(json: $0)?["a"]?["b"] }
    #expect(values == Neighbours.values + [nil])
    #expect(Neighbours.frames(of: body).allSatisfy { JSONValue(json: $0)?["a"] == nil })
  }
}

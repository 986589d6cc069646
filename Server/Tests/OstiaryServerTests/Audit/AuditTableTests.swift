import Foundation
import Testing

@testable import OstiaryServer

/// The table of the article about the audit trail, made from what the doors declare.
@Suite("Audit table")
struct AuditTableTests {
  private static let article = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/OstiaryServer/Documentation.docc/Audit.md").standardizedFileURL
  private static let (start, end) = (
    "<!-- Made from the sources: OSTIARY_WRITE_TABLES=1 writes it anew. -->", "<!-- End -->"
  )

  /// The doors' names, in the order of the house.
  private static let titles = [
    "Pega", "Newzulu", "The gateway", "Salesforce", "Primer", "The pages for accounts, and their JSON",
    "Administration",
  ]

  private static var table: String {
    var lines: [String] = []
    for (title, kind) in zip(titles, houseDoors) {
      lines += ["", "### \(title)", "", "| Route | Outcome | Event |", "|---|---|---|"]
      for entry in kind.audit where !entry.outcomes.isEmpty {
        for (index, outcome) in entry.outcomes.enumerated() {
          let routes = index == 0 ? entry.routes.map { "`\($0)`" }.joined(separator: ", ") : ""
          lines.append("| \(routes) | \(outcome.what) | `\(outcome.word)` |")
        }
      }
      let silent = kind.audit.filter(\.outcomes.isEmpty).flatMap(\.routes)
      if !silent.isEmpty {
        lines += ["", "Only read, and tell nothing: " + silent.map { "`\($0)`" }.joined(separator: ", ") + "."]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("The table of routes, outcomes and events in the documentation is what the doors declare")
  func shown() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.components(separatedBy: Self.start)
    let rest = try #require(parts.last?.components(separatedBy: Self.end), "the article has no place for the table")
    try #require(parts.count == 2 && rest.count == 2)
    if ProcessInfo.processInfo.environment["OSTIARY_WRITE_TABLES"] == "1" {
      let whole = parts[0] + Self.start + "\n" + Self.table + "\n" + Self.end + rest[1]
      try whole.write(to: Self.article, atomically: true, encoding: .utf8)
      return
    }
    #expect(rest[0].trimmingCharacters(in: .newlines) == Self.table.trimmingCharacters(in: .newlines))
  }

  @Test("The article has every kind of event and every cause")
  func kinds() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    for kind in AuditKind.allCases { #expect(text.contains("| `\(kind.rawValue)` | \(kind.words) |"), "\(kind)") }
    for cause in AuditCause.allCases { #expect(text.contains("| `\(cause.rawValue)` | \(cause.words) |"), "\(cause)") }
    #expect(houseDoors.count == Self.titles.count)
  }
}

import Foundation
import Testing

@Suite("What one server keeps for itself")
struct ProcessStateTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/OstiaryServer").standardizedFileURL

  @Test("Every file with state of the process is in the documentation's table, and the table has no others")
  func listed() throws {
    let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 100)
    var stateful: Set<String> = []
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      guard text.contains(/\bLocked[<(]|^(?:\w+ )*actor \w|\bMutex[<(]|\bAtomic</.anchorsMatchLineEndings()) else {
        continue
      }
      // An extension's file has its type's name first.
      stateful.insert(String(file.deletingPathExtension().lastPathComponent.split(separator: "+").first ?? ""))
    }
    let article = try String(
      contentsOf: Self.sources.appending(path: "Documentation.docc/StateOfOneProcess.md"), encoding: .utf8)
    let table = try #require(
      article.components(separatedBy: "## What a server keeps").last?.components(separatedBy: "A test holds").first)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = Set(
      rows.flatMap { row in (row.split(separator: "|").first ?? "").matches(of: /`(\w+)`/).map { String($0.output.1) } }
    )
    // Types whose file has the name of their feature.
    let typesOfFiles = [
      "User": "UserChanges", "MailSender": "InsecureDevelopmentMailbox",
    ]
    let found = Set(stateful.map { typesOfFiles[$0] ?? $0 })
    #expect(found.subtracting(named).sorted() == [])
    #expect(named.subtracting(found).sorted() == [])
  }
}

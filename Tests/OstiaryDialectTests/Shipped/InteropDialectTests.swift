import Foundation
import OstiaryDialect
import Testing

/// The documents with which `make interop` signs in to servers of others.
@Suite("Dialects of make interop")
struct InteropDialectTests {
  private static let folder = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    .appending(path: "Scripts/interop/dialects", directoryHint: .isDirectory)

  @Test("Nothing is wrong with a document, it has its file's name and the pages that it is from, and can be written")
  func documents() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".json") }
    #expect(files.count >= 6)
    for file in files {
      let dialect = try Dialect(json: Data(contentsOf: Self.folder.appending(path: file)))
      #expect(dialect.check() == [], "\(file)")
      #expect("\(dialect.name).json" == file)
      #expect(!dialect.sources.isEmpty && dialect.sources.allSatisfy { $0.hasPrefix("https://") }, "\(file)")
      #expect(try Dialect(json: dialect.json()) == dialect, "\(file)")
    }
  }
}

import Foundation
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

/// Every text that reaches the console is in one catalogue, which these tests read.
@Suite("The catalogue of messages", .timeLimit(.minutes(20)))
struct CatalogueTests {
  private static let server = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below a folder of the server's package.
  private static func sources(_ folder: String) throws -> [(path: String, text: String)] {
    let root = server.appending(path: folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  /// The types of messages that the sources declare, with the names of their cases.
  private static func declared() throws -> [String: [String]] {
    var types: [String: [String]] = [:]
    for module in ["OstiaryClientCommand", "OstiaryServerCommand"] {
      for (_, text) in try sources("Sources/\(module)") {
        var name: String?
        for line in text.split(separator: "\n") {
          if let match = line.firstMatch(of: #/^(?:package )?(?:enum|struct) ([A-Za-z]+): CommandMessage\b/#) {
            name = String(match.1)
            types[String(match.1)] = []
          } else if line == "}" {
            name = nil
          } else if let name, let match = line.firstMatch(of: #/^  case ([A-Za-z0-9]+)/#) {
            types[name]?.append(String(match.1))
          }
        }
      }
    }
    return types
  }

  /// The name of an example's case.
  static func caseName(_ message: any CommandMessage) -> String { String("\(message)".prefix { $0 != "(" }) }

  @Test("Bug-B06: every type of messages is in the catalogue, and each of its cases has an example")
  func complete() throws {
    let declared = try Self.declared()
    #expect(declared.count > 20)
    let listed = Dictionary(uniqueKeysWithValues: Catalogue.whole.map { ("\($0)", $0) })
    #expect(Set(declared.keys) == Set(listed.keys))
    for (name, cases) in declared {
      let examples = listed[name].map { $0.examples.map { Self.caseName($0) } } ?? []
      #expect(!examples.isEmpty, "\(name) has no examples")
      for missing in Set(cases).subtracting(examples) { Issue.record("\(name).\(missing) has no example") }
    }
  }

  @Test("Bug-B06: no message has words of a program, is empty, or ends in the middle of a sentence")
  func wording() {
    for type in Catalogue.whole {
      for message in type.examples {
        let (name, line) = ("\(type).\(Self.caseName(message))", message.line.plain)
        #expect(!line.isEmpty, "\(name)")
        #expect(ProgramWords.found(in: line + " " + message.advice).isEmpty, "\(name): \(message.whole.plain)")
        guard type.isSentences else { continue }
        for text in [line, message.advice] where !text.isEmpty {
          // A question has a blank for the answer. A page, a code and a command have no full stop that would be copied with them.
          let end = text.trimmingCharacters(in: .whitespaces)
          let isEnded =
            [".", "…", ":", "?", " ABCD1234"].contains { end.hasSuffix($0) } || end.contains("\n  http")
            || end.contains(#/: (ostiary|secret-tool) /#)
          #expect(isEnded, "\(name): \(text)")
        }
      }
    }
  }
}

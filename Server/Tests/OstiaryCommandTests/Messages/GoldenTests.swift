import ArgumentParser
import Foundation
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

/// Everything that the command says, in one file that a person has read. A change of it is seen in the file.
@Suite("The golden file of messages and help", .timeLimit(.minutes(20)))
struct GoldenTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Golden/messages.txt")
  private static let width = 80

  private static func messages() -> String {
    Catalogue.whole.map { type in
      let lines = type.examples.map { message in
        let name = CatalogueTests.caseName(message)
        let sentence = (message as? CommandWording)?.sentence
        return "\(sentence.map { "“\($0)”" } ?? name): \(message.whole.plain)"
      }
      return "== \(type)\n\n" + lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// Every command below one, with what is typed for it.
  private static func commands(
    _ command: any ParsableCommand.Type = RootCommand.self, _ words: [String] = []
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    let own = words + [command._commandName]
    return [(own, command)] + command.configuration.subcommands.flatMap { commands($0, own) }
  }

  private static func help(columns: Int) -> [(words: [String], text: String)] {
    commands().map { words, type in
      let text = RootCommand.helpMessage(for: type, columns: HelpLayout.unlimited)
      return (words, HelpLayout.wrapped(text, to: columns))
    }
  }

  @Test("Bug-B06: the messages and the help are those that were read")
  func golden() throws {
    let help = Self.help(columns: Self.width).map { "== \($0.words.joined(separator: " ")) --help\n\n\($0.text)" }
    let now =
      ([Self.messages()] + help).joined(separator: "\n\n").split(
        separator: "\n", omittingEmptySubsequences: false
      ).map { $0.replacing(#/ +$/#, with: "") }.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["OSTIARY_GOLDEN"] == "write" {
      try Data(now.utf8).write(to: Self.file)
    }
    let golden = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
    let difference = now.split(separator: "\n").difference(from: golden.split(separator: "\n"))
    let changes = difference.map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(
      golden == now,
      """
      \(changes.joined(separator: "\n"))
      Read the changes. Then renew the file: OSTIARY_GOLDEN=write Scripts/test.sh server GoldenTests
      """)
  }

  @Test("Bug-B06: no line of the help is wider than the terminal")
  func width() throws {
    for columns in [40, 60, Self.width, 120] {
      for (words, text) in Self.help(columns: columns) {
        for line in text.split(separator: "\n") where line.count > columns {
          // A word that is longer than a line stays whole.
          let isOneWord = !line.trimmingCharacters(in: .whitespaces).contains(" ")
          #expect(columns == 40 && isOneWord, "\(words) at \(columns): \(line)")
        }
      }
    }
  }

  @Test("Bug-B06: help is wrapped at the width that COLUMNS says", arguments: [50, 100])
  func columns(width: Int) async throws {
    let sandbox = try Sandbox()
    let outcome = try await Tool.run(["status", "--help"], in: sandbox, variables: ["COLUMNS": "\(width)"])
    let widths = outcome.output.split(separator: "\n").map(\.count)
    #expect(outcome.status == 0)
    #expect(widths.allSatisfy { $0 <= width } && widths.contains { $0 > width - 15 }, "\(outcome.output)")
  }
}

import OstiaryCore
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// The texts of the starter experience as a terminal of 40 columns shows them, in every language.
@Suite("Bug-G21: the starter experience in a terminal of 40 columns", .timeLimit(.minutes(20)))
struct StarterTerminalTests {
  private static let columns = 40

  /// A terminal at which lines are typed until there are none left.
  private final class Terminal: ExperienceTerminal {
    private struct State: Sendable {
      var lines: [String]
      var pieces: [String] = []
    }

    private let state: Locked<State>
    let layout = TerminalLayout(columns: StarterTerminalTests.columns, isolatesDirections: true)

    init(_ lines: [String]) { state = Locked(State(lines: lines)) }

    /// What was shown at once, and each question, in order.
    var pieces: [String] { state.withLock { $0.pieces } }

    func show(_ text: String) async throws { state.withLock { $0.pieces.append(text) } }

    func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
      state.withLock { state in
        state.pieces.append(prompt.text)
        return state.lines.isEmpty ? nil : Secret(state.lines.removeFirst())
      }
    }
  }

  private static func isIsolate(_ character: Character) -> Bool { character == "\u{2068}" || character == "\u{2069}" }

  /// What is left of a text when lines and spaces don't count.
  private static func letters(_ text: String) -> String { text.filter { !$0.isWhitespace && !isIsolate($0) } }

  /// In which column the texts of a list begin.
  private static func starts(_ piece: String) -> Set<Int> {
    Set(
      piece.split(separator: "\n").compactMap { line in
        let line = line.filter { !isIsolate($0) }
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        let mark = line[...end]
        return TerminalColumns.of(String(mark)) + line[end...].dropFirst().prefix { $0 == " " }.count
      })
  }

  @Test(
    "Bug-G21: every text is there, no line is wider, lists are aligned, and a heading is underlined as far as it goes",
    arguments: AccountTables.languages.sorted())
  func looks(language: String) async throws {
    let experience = try Experience(json: StarterExperience.document)
    var count = 0
    for flow in experience.flows {
      for screen in flow.screens {
        let terminal = Terminal([":", "", "x", ":", "", "x", ":", ""])
        let runner = ExperienceRunner(experience, flow: flow.id, screen: screen.id, languages: [language])
        let drawn = runner.snapshot.screen
        #expect(drawn.language == language)
        _ = try await TerminalRenderer(terminal).run(runner)
        let (pieces, place) = (terminal.pieces, "\(flow.id)/\(screen.id)")
        for line in pieces.flatMap({ $0.split(separator: "\n").map(String.init) }) {
          #expect(TerminalColumns.of(line) <= Self.columns, "\(place): \(line)")
        }
        for piece in pieces { #expect(Self.starts(piece).count <= 1, "\(place): \(piece)") }
        // Return stands for the main action.
        let others = drawn.actions.dropFirst().map(\.label)
        let texts = [drawn.title, drawn.text].compactMap { $0 } + drawn.fields.map(\.label) + others
        let shown = Self.letters(pieces.joined())
        for text in texts { #expect(shown.contains(Self.letters(text)), "\(place): \(text)") }
        count += texts.count
        let heading = (pieces.first ?? "").split(separator: "\n").map(String.init)
        let underline = try #require(heading.firstIndex { !$0.isEmpty && $0.allSatisfy { $0 == "=" } })
        #expect(heading[underline].count == heading[..<underline].map { TerminalColumns.of($0) }.max(), "\(place)")
      }
    }
    #expect(count >= 19)
  }
}

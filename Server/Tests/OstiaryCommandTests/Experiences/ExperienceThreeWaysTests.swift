import BrowserTestSupport
import Foundation
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// One document and one script, drawn in three ways: the app is asked and told the same, in the same order, and the user
/// is told the same. What that is stands in `conversations.txt`.
@Suite("Experience: one script, three ways", .serialized, .timeLimit(.minutes(20)))
struct ExperienceThreeWaysTests {
  /// What a conversation came to, as the golden file has it.
  private func section(_ conversation: Conversation, _ app: ScriptedApp, told: [String]) -> String {
    (["# \(conversation.name)"] + app.log + told.map { "! \($0)" }).joined(separator: "\n") + "\n"
  }

  private func compare(_ sections: [String]) throws {
    let (actual, golden) = (sections.joined(separator: "\n"), try Conversation.Book.golden())
    guard actual != golden else { return }
    let changes = actual.split(separator: "\n").difference(from: golden.split(separator: "\n")).map { change in
      switch change {
      case .insert(let place, let line, _): "+ \(place): \(line)"
      case .remove(let place, let line, _): "- \(place): \(line)"
      }
    }
    Issue.record("It is not what conversations.txt says:\n\(changes.joined(separator: "\n"))")
  }

  @Test("The runner alone")
  func runner() async throws {
    let book = try Conversation.Book()
    var sections: [String] = []
    for conversation in book.conversations {
      let app = ScriptedApp(conversation.answers)
      let runner = book.runner(conversation, app)
      runner.present()
      var told: [String] = []
      for step in conversation.steps {
        await runner.submit(step.entries, with: step.action)
        for await moment in runner.snapshots() where moment.phase == .shown || moment.outcome != nil {
          if moment.outcome == nil { told += moment.screen.messages + moment.screen.fields.compactMap(\.message) }
          #expect(moment.screen.fields.allSatisfy { !$0.isSecure || $0.value == nil })
          break
        }
      }
      _ = try await runner.outcome()
      sections.append(section(conversation, app, told: told))
    }
    try compare(sections)
  }

  /// Types what the script says as soon as it is asked for.
  private final class TypedTerminal: ExperienceTerminal {
    private struct State: Sendable {
      var lines: [String]
      var asked: [String: Int] = [:]
    }

    private let terminal: ConversationTerminal
    private let pane: TmuxPane
    private let state: Locked<State>

    init(_ terminal: ConversationTerminal, _ pane: TmuxPane, _ lines: [String]) {
      self.terminal = terminal
      self.pane = pane
      state = Locked(State(lines: lines))
    }

    /// Lines that no question has asked for.
    var rest: [String] { state.withLock { $0.lines } }

    func show(_ text: String) async throws { try await terminal.show(text) }

    func ask(_ prompt: TerminalPrompt) async throws -> Secret? {
      let (line, count) = state.withLock { state -> (String?, Int) in
        state.asked[prompt.text, default: 0] += 1
        return (state.lines.isEmpty ? nil : state.lines.removeFirst(), state.asked[prompt.text] ?? 0)
      }
      async let answer = terminal.ask(prompt)
      // What is typed before the question is there would be shown, secret or not.
      try await pane.waitFor("\n" + prompt.text, times: count)
      if let line { try await pane.type(line: line) } else { try await pane.press("C-d") }
      return try await answer
    }
  }

  @Test("A terminal, in tmux")
  func terminal() async throws {
    guard let tmux = TmuxPane.tmux else {
      print("three ways: not compared on a terminal, there is no tmux")
      return
    }
    let (book, sandbox) = (try Conversation.Book(), try Sandbox())
    var sections: [String] = []
    for conversation in book.conversations {
      // The pane's own program leaves its terminal alone.
      let pane = try await TmuxPane(tmux, "exec tail -f /dev/null", in: sandbox.folder)
      let descriptor = open(try await pane.device(), O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let terminal = TypedTerminal(
        ConversationTerminal(DescriptorSink(descriptor), answers: DescriptorAnswers(descriptor)), pane,
        conversation.steps.flatMap(\.lines))
      let app = ScriptedApp(conversation.answers)
      _ = try await TerminalRenderer(terminal).run(book.runner(conversation, app))
      #expect(terminal.rest.isEmpty)
      let lines = try await pane.lines()
      #expect(lines.contains { $0.hasPrefix("[:1] ") }, "\(lines)")
      #expect(!lines.joined().contains("planted"), "\(lines)")
      let told = lines.filter { $0.hasPrefix("! ") }.map { String($0.dropFirst(2)) }
      sections.append(section(conversation, app, told: told))
    }
    try compare(sections)
  }

  @Test("A page, in Chromium", arguments: [true, false])
  func page(runsScripts: Bool) async throws {
    guard Chromium.program != nil else {
      print("three ways: not compared on a page. \(Chromium.absence)")
      return
    }
    let book = try Conversation.Book()
    let tab = try await Chromium(runsScripts: runsScripts)
    var sections: [String] = []
    for (index, conversation) in book.conversations.enumerated() {
      let app = ScriptedApp(conversation.answers)
      let runner = book.runner(conversation, app)
      let pages = try ConversationPages(runner)
      defer { pages.server.stop() }
      if index == 0 {
        try await tab.open(pages.server.url("/probe").absoluteString)
        #expect(try await tab.all("title", "text") == [runsScripts ? "on" : "off"])
      }
      try await tab.open(pages.server.url().absoluteString)
      var told: [String] = []
      for step in conversation.steps {
        for (name, entry) in step.entries.sorted(by: { $0.key < $1.key }) { try await tab.fill(name, with: entry) }
        try await tab.click("button[value=\"\(step.action)\"]")
        told += try await tab.texts(".problems li:not(:has(a))") + tab.texts(".message")
        // A secret never comes back, and nothing that is known fills it in.
        let secrets = try await tab.all("input[type=password]", "value")
        #expect(secrets.allSatisfy { $0 == "" })
      }
      #expect(try await tab.texts("#over") == ["Over"])
      #expect(pages.problems.isEmpty)
      _ = try await runner.outcome()
      sections.append(section(conversation, app, told: told))
    }
    await tab.close()
    try compare(sections)
  }
}

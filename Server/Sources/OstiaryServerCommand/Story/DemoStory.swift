internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// Reports the steps of a demonstration with times, and records how each step ended.
final class DemoStory: Sendable {
  /// One step that was run.
  struct Step: Sendable, Encodable {
    let chapter: String
    let step: String
    let passed: Bool
    let milliseconds: Double
    /// The expectation that was not met.
    let problem: String?
    /// The session manager's events during the step.
    let events: [SessionEvent]
  }

  /// A step that did not go as expected.
  struct Unexpected: Error {
    let message: DemoMessage

    /// - Parameter expectation: what was expected, as it follows that word.
    init(_ expectation: some CommandMessage) { message = .expected(expectation.line.plain) }
  }

  private struct State {
    var chapter = ""
    var steps: [Step] = []
    var watched: SessionManager?
    var seen: UInt64 = 0
  }

  private let console: Console?
  private let state = Locked(State())

  /// - Parameter console: prints the steps; `nil` keeps them for the report.
  init(console: Console?) {
    self.console = console
  }

  /// Every step so far.
  var steps: [Step] { state.withLock { $0.steps } }

  /// Begins a chapter.
  func begin(_ title: some CommandMessage) throws {
    let title = title.line.plain
    state.withLock { state in
      state.chapter = title
      state.watched = nil
    }
    try console?.print(["", "\(title, .bold)"])
  }

  /// From now on, prints below each step the events of the manager's session.
  func watch(_ manager: SessionManager) {
    state.withLock { state in
      state.watched = manager
      state.seen = manager.history.last?.number ?? 0
    }
  }

  /// Runs a step: does the work, checks it, and reports it.
  /// - Parameters:
  ///   - what: the text of the step when it succeeded.
  ///   - work: throws ``Unexpected`` (see ``expect(_:_:)``) or any error when it did not go as expected.
  @discardableResult
  func step<Result: Sendable>(
    _ what: some CommandMessage, _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    let what = what.line.plain
    let start = ContinuousClock.now
    do {
      let result = try await work()
      try record(what, problem: nil, since: start)
      return result
    } catch let error as Unexpected {
      try record(what, problem: error.message.line.plain, since: start)
      throw ExitStatus.failure
    } catch {
      let words = FailureReport(describing: error)?.message ?? "\(type(of: error))"
      try record(what, problem: DemoMessage.expectedToWork(instead: words).line.plain, since: start)
      throw ExitStatus.failure
    }
  }

  /// Checks the expectation of a step.
  func expect(_ isAsExpected: Bool, _ expectation: some CommandMessage) throws {
    if !isAsExpected { throw Unexpected(expectation) }
  }

  private func record(_ what: String, problem: String?, since start: ContinuousClock.Instant) throws {
    let duration = ContinuousClock.now - start
    let events = state.withLock { state -> [SessionEvent] in
      let events = state.watched?.history.filter { [seen = state.seen] in $0.number > seen } ?? []
      state.seen = events.last?.number ?? state.seen
      state.steps.append(
        Step(
          chapter: state.chapter, step: what, passed: problem == nil, milliseconds: duration.timeInterval * 1000,
          problem: problem, events: events))
      return events
    }
    guard let console else { return }
    let time = Timestamp.text(duration)
    let column = String(repeating: " ", count: max(0, 7 - time.count)) + time
    let mark: Line = problem == nil ? "\("✓", .green)" : "\("✗", .failure)"
    var lines: [Line] = ["  \(mark) \(column, .dim)  \(what)"]
    if let problem { lines.append("             \(problem, .red)") }
    lines += events.map { "             \("· \($0)", .dim)" }
    try console.print(lines)
  }
}

extension Timestamp {
  /// A short duration: `4 ms`, `1.2 s`.
  static func text(_ duration: Duration) -> String {
    let milliseconds = duration.timeInterval * 1000
    if milliseconds < 1000 { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}

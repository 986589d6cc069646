internal import Foundation
internal import OstiaryCore

/// A line at the end of a terminal that says how far work has come. Other output has none.
final class ProgressBar: Sendable {
  /// How far the work has come.
  struct Position: Sendable, Equatable {
    /// What is being done, in few words.
    var label: String
    var done: Int64
    var total: Int64
    /// How many bytes a second; `nil` while that is not known.
    var rate: Int64?
  }

  private struct State {
    /// How many questions stand in the place of the bar.
    var questions = 0
    var isShown = false
  }

  private let console: Console
  private let position: @Sendable () -> Position
  private let state = Locked(State())

  /// - Parameter position: how far the work has come now.
  init(_ console: Console, position: @escaping @Sendable () -> Position) {
    self.console = console
    self.position = position
  }

  /// Shows the bar while work is done.
  func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
    guard console.showsProgress else { return try await work() }
    let ticker = Task { [self] in
      while !Task.isCancelled {
        draw()
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    ticker.cancel()
    await ticker.value
    state.withLock { clear(&$0) }
    return try result.get()
  }

  /// Takes the bar away while a person is asked, or a line is printed.
  func hidden<Result: Sendable>(_ work: @Sendable () async throws -> Result) async rethrows -> Result {
    state.withLock { state in
      state.questions += 1
      clear(&state)
    }
    defer { state.withLock { $0.questions -= 1 } }
    return try await work()
  }

  /// Prints a line above the bar.
  func note(_ line: Line) {
    state.withLock { state in
      clear(&state)
      console.note([line])
    }
  }

  private func draw() {
    let line = Self.text(position(), width: console.width(of: console.error) - 1)
    state.withLock { state in
      guard state.questions == 0 else { return }
      state.isShown = true
      try? console.error.write(Data("\r\(line)\u{1B}[K".utf8))
    }
  }

  private func clear(_ state: inout State) {
    if state.isShown { try? console.error.write(Data("\r\u{1B}[K".utf8)) }
    state.isShown = false
  }

  /// The bar as it is shown, in ASCII but for the label. Where there is less room the rate is left out, then the bar itself, then the label.
  static func text(_ position: Position, width: Int) -> String {
    let done = max(0, min(position.done, position.total))
    let part = position.total > 0 ? Double(done) / Double(position.total) : 1
    let percent = "\(Int(part * 100))%"
    let amount = "\(ByteCount.text(done)) of \(ByteCount.text(position.total))"
    let label = position.label.printable.cut(to: max(8, width / 3))
    let rate = position.rate.map { "  \(ByteCount.text($0))/s" } ?? ""
    for tail in ["\(percent)  \(amount)\(rate)", "\(percent)  \(amount)", percent] {
      let room = width - label.displayWidth - tail.displayWidth - 6
      guard room >= 10 else { continue }
      let columns = min(room, 40)
      let filled = Int(part * Double(columns))
      let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: columns - filled)
      return "\(label)  [\(bar)]  \(tail)"
    }
    return "\(percent) \(label)".cut(to: max(1, width))
  }
}

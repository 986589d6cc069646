import Foundation
import OstiaryCore

@testable import OstiaryClientCommand

/// Answers that are lines of a text, as a pipe has them.
final class ScriptedAnswers: AnswerSource {
  private let lines: Locked<[Substring]>
  let isTerminal: Bool

  init(_ text: String, isTerminal: Bool = false) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self.lines = Locked(lines.last == "" ? lines.dropLast() : lines)
    self.isTerminal = isTerminal
  }

  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink) throws -> Secret? {
    let line = lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    try sink.write(Data("\(question)\n".utf8))
    return line.map { Secret(String($0)) }
  }
}

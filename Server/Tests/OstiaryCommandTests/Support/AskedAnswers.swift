import Foundation
import OstiaryCore

@testable import OstiaryClientCommand

/// Answers of a person who looks at each question first.
struct AskedAnswers: AnswerSource {
  let isTerminal = false
  let answer: @Sendable (_ question: String) async throws -> String?

  func ask(_ question: String, isSecret: Bool, on sink: any OutputSink) async throws -> Secret? {
    try sink.write(Data("\(question)\n".utf8))
    return try await answer(question).map { Secret($0) }
  }
}

internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

/// Asks the person at the terminal what an API wants to know in the middle of a sign-in.
struct DialectPerson: Sendable {
  private let environment: CommandEnvironment

  init(_ environment: CommandEnvironment) { self.environment = environment }

  /// - Throws: ``OstiaryError`` `interactionRequired` without a terminal, `interactionCancelled` at the end of its input.
  func answer(_ question: DialectQuestion) async throws -> DialectReply {
    guard environment.terminal.isAvailable else {
      throw OstiaryError(.interactionRequired, DialectMessage.noPersonToAnswer(kind: question.kind))
    }
    if let error = question.previousError { environment.console.note(["\(error.message)"]) }
    if question.isAcceptance {
      let agrees = try await environment.terminal.agrees(to: DialectMessage.accept(question.title ?? question.kind))
      return agrees ? .accepted : .declined
    }
    let answer = try await environment.terminal.askSecret(
      DialectMessage.enterCode(question.title ?? question.kind))
    let code = answer.reveal().trimmingCharacters(in: .whitespaces)
    guard !code.isEmpty else { throw OstiaryError(.interactionCancelled, CommandLineMessage.nothingEntered) }
    return .code(Secret(code))
  }
}

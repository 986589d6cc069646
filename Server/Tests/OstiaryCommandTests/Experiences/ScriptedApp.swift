import Foundation
import OstiaryCore
import OstiaryExperiences

/// An app that writes down everything that it is asked and told, and answers from a script.
final class ScriptedApp: ExperienceDelegate {
  private struct State: Sendable {
    var log: [String] = []
    /// What is recorded for statistics: in its own order, which nothing else waits for.
    var records: [String] = []
    var answers: [Conversation.Answer]
    weak var runner: ExperienceRunner?
  }

  private let state: Locked<State>

  init(_ answers: [Conversation.Answer]) {
    state = Locked(State(answers: answers))
  }

  /// What was asked and told, in order; then what was recorded, in order.
  var log: [String] { state.withLock { $0.log + $0.records } }

  func follow(_ runner: ExperienceRunner) { state.withLock { $0.runner = runner } }

  private func write(_ line: String) { state.withLock { $0.log.append(line) } }

  /// The next answer; one that the script doesn't have shows in the log.
  private func answer(_ question: String) async throws -> Conversation.Answer {
    let (answer, runner) = state.withLock { state -> (Conversation.Answer?, ExperienceRunner?) in
      state.log.append(question)
      return (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.runner)
    }
    guard let answer else {
      write("no answer is left")
      return Conversation.Answer()
    }
    if answer.pauses == true, let runner {
      runner.pause()
      let isTaken = runner.enter("while hidden", in: "email") || runner.perform("continue")
      write("paused: \(runner.snapshot.phase), takes entries: \(isTaken)")
      runner.resume()
    }
    if answer.closes == true {
      runner?.dismiss()
      throw CancellationError()
    }
    return answer
  }

  /// Fields as what they are, secrets by their length.
  private static func written(_ fields: [String: FieldValue]) -> String {
    let parts = fields.sorted { $0.key < $1.key }.map { key, value -> String in
      switch value {
      case .text(let text): "\(key): “\(text)”"
      case .secret(let secret): "\(key): secret of \(secret.reveal().count)"
      case .number(let number): "\(key): \(number)"
      case .integer(let number): "\(key): \(number)"
      case .toggle(let isOn): "\(key): \(isOn)"
      }
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    try await answer("validate \(screen) \(Self.written(fields))").result
  }

  func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    let answer = try await answer("logIn \(Self.written(fields))")
    return UserValidation(answer.result, userID: answer.user)
  }

  func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    let answer = try await answer("signUp \(Self.written(fields))")
    return UserValidation(answer.result, userID: answer.user)
  }

  func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    try await answer("recoverPassword \(Self.written(fields))").result
  }

  func handle(_ fields: [String: FieldValue]) async throws -> Bool {
    try await answer("handle \(Self.written(fields))").decision ?? true
  }

  func handleTrigger(_ name: String) async throws -> Bool {
    try await answer("handleTrigger \(name)").decision ?? true
  }

  func didSignIn(_ user: SignedInUser) async {
    let properties = user.properties.keys.sorted().joined(separator: ", ")
    write("didSignIn \(user.id ?? "nobody known")\(user.isNew ? ", new" : ""), with \(properties)")
  }

  func screenDidAppear(_ screen: String, triggers: [String]) async {
    write("screenDidAppear \(screen)\(triggers.isEmpty ? "" : " with \(triggers.joined(separator: ", "))")")
  }

  func willClose(with fields: [String: FieldValue]) async { write("willClose \(Self.written(fields))") }

  func record(_ event: ExperienceEvent) async {
    let parameters = event.parameters.filter { $0.key != "experience" }.sorted { $0.key < $1.key }
    let line = "record \(event.name) \(parameters.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
    state.withLock { $0.records.append(line) }
  }

  func open(_ url: URL) async { write("open \(url.absoluteString)") }
}

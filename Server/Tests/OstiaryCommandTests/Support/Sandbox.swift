import Foundation
import OstiaryCore
import OstiaryOAuth
import Testing

@testable import OstiaryClientCommand
@testable import OstiaryServerCommand

/// A folder for one test, with everything the command keeps; gone with the value.
final class Sandbox: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "ostiary-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.path(percentEncoded: false) }

  var folders: Folders {
    get throws { try Folders(environment()) }
  }

  /// Every file below the folder, with its content.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    let paths = try FileManager.default.subpathsOfDirectory(atPath: path)
    for name in paths { contents[name] = FileManager.default.contents(atPath: path + "/" + name) }
    return contents
  }

  /// Writes a file that only its owner can read.
  func write(secret text: String, to name: String, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/" + name)
  }

  /// The permissions of a file.
  func permissions(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return try #require(attributes[.posixPermissions] as? Int) & 0o777
  }

  /// What a command finds around it.
  func environment(
    output: any OutputSink = BufferSink(), error: any OutputSink = BufferSink(),
    terminal: any Terminal = ScriptedTerminal(nil), input: String = "", conversation: (any AnswerSource)? = nil,
    variables: [String: String] = [:], clock: any SessionClock = .system,
    browser: @escaping @Sendable (URL) async throws -> Void = { _ in throw Sandbox.noBrowser }
  ) -> CommandEnvironment {
    let all = variables.merging(["OSTIARY_HOME": path]) { own, _ in own }
    return CommandEnvironment(
      variables: all, workingFolder: folder,
      console: Console(output: output, error: error, variables: all), terminal: terminal,
      input: .text(input), answers: conversation ?? ScriptedAnswers(input), clock: clock,
      browser: browser)
  }

  static var noBrowser: OstiaryError { OstiaryError(.browserUnavailable, "No browser could be opened.") }

  /// Runs the command in this process.
  @discardableResult
  func run(
    _ arguments: [String], answers: [String]? = nil, input: String = "", conversation: (any AnswerSource)? = nil,
    isTerminal: Bool = false,
    variables: [String: String] = [:], clock: any SessionClock = .system,
    browser: @escaping @Sendable (URL) async throws -> Void = { _ in throw Sandbox.noBrowser }
  ) async -> Outcome {
    let output = BufferSink(isTerminal: isTerminal)
    let error = BufferSink(isTerminal: isTerminal)
    let terminal = ScriptedTerminal(answers)
    let environment = environment(
      output: output, error: error, terminal: terminal, input: input, conversation: conversation, variables: variables,
      clock: clock,
      browser: browser)
    let status = await CommandLineTool.whole.run(arguments, in: environment)
    return Outcome(status: status.rawValue, output: output.text, error: error.text, prompts: terminal.prompts)
  }
}

extension StandardInput {
  /// A text that is read piece by piece.
  static func text(_ text: String) -> StandardInput {
    let rest = Locked(Data(text.utf8))
    return StandardInput { limit in
      rest.withLock { rest in
        let piece = Data(rest.prefix(limit + 1))
        rest = Data(rest.dropFirst(piece.count))
        return piece
      }
    }
  }
}

/// How a command ended.
struct Outcome: Sendable {
  let status: Int32
  let output: String
  let error: String
  var prompts: [String] = []

  /// The JSON document on standard output.
  func json() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(output.utf8)) }
  /// The JSON document on standard error.
  func errorJSON() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(error.utf8)) }
}

/// Keeps what is written.
final class BufferSink: OutputSink {
  let isTerminal: Bool
  private let data = Locked(Data())

  init(isTerminal: Bool = false) { self.isTerminal = isTerminal }

  func write(_ bytes: Data) { data.withLock { $0.append(bytes) } }

  var text: String { String(decoding: data.withLock { $0 }, as: UTF8.self) }
}

/// A person with prepared answers; `nil` is no person.
final class ScriptedTerminal: Terminal {
  private let answers: Locked<[String]>
  private let asked = Locked<[String]>([])
  let isAvailable: Bool

  init(_ answers: [String]?) {
    isAvailable = answers != nil
    self.answers = Locked(answers ?? [])
  }

  /// The questions so far.
  var prompts: [String] { asked.withLock { $0 } }

  func ask(_ question: some CommandMessage, isSecret: Bool) throws -> Secret {
    asked.withLock { $0.append(question.line.plain) }
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw OstiaryError(.interactionCancelled, "Nothing was entered.") }
    return Secret(answer)
  }
}

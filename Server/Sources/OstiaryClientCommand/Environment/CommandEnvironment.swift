package import Foundation
package import Logging
internal import OstiaryCore
internal import OstiaryOAuth

/// The environment of a command: tests can run commands in their own process.
package struct CommandEnvironment: Sendable {
  /// The version of the command.
  package static let version = "0.1.0"

  /// The environment variables.
  package let variables: [String: String]
  /// The folder at which relative paths start.
  let workingFolder: URL
  /// Output.
  package let console: Console
  /// The person to ask, if there is one.
  package let terminal: any Terminal
  /// Reads standard input.
  package let input: StandardInput
  /// Answers the questions of a conversation, line by line.
  let answers: any AnswerSource
  /// The clock.
  let clock: any SessionClock
  /// The time.
  package var now: Date { clock.now }
  /// Shows a page to the user.
  let browser: @Sendable (URL) async throws -> Void
  /// Records what happens, where that was asked for.
  var trace: SessionTraceRecorder?
  /// Whether secrets in files that other users can read are taken, too.
  var takesOpenSecrets = false

  /// The environment of the command that is running.
  @TaskLocal package static var current = CommandEnvironment.process

  /// The words of the command that is running.
  @TaskLocal package static var arguments: [String] = []

  /// The environment of this process.
  static var process: CommandEnvironment {
    let variables = ProcessInfo.processInfo.environment
    return CommandEnvironment(
      variables: variables,
      workingFolder: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory),
      console: Console(
        output: DescriptorSink.standardOutput, error: DescriptorSink.standardError, variables: variables),
      terminal: ControllingTerminal(charset: LocaleCharset(variables)),
      input: .process,
      answers: DescriptorAnswers.standardInput,
      clock: .system,
      browser: { page in
        if let command = variables["BROWSER"], !command.isEmpty {
          try await SystemBrowser.open(page, with: command)
        } else {
          try await SystemBrowser.open(page)
        }
      })
  }

  /// A logger that shows warnings, or all messages.
  package func logger(verbose: Bool) -> Logger {
    Logger(label: "ostiary") { [console] _ in ConsoleLogHandler(console, level: verbose ? .debug : .warning) }
  }

  /// The file or folder of a path on the command line.
  package func url(path: String, isFolder: Bool = false) -> URL {
    URL(filePath: path, directoryHint: isFolder ? .isDirectory : .notDirectory, relativeTo: workingFolder)
      .absoluteURL
  }
}

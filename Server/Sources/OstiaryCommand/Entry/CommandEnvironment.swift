internal import Foundation
internal import Logging
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryServer

/// Everything a command touches outside itself, so that tests can run commands in their own process.
struct CommandEnvironment: Sendable {
  /// The environment variables.
  let variables: [String: String]
  /// The folder that relative paths start from.
  let workingFolder: URL
  /// Output.
  let console: Console
  /// The person to ask, if there is one.
  let terminal: any Terminal
  /// Reads standard input.
  let input: StandardInput
  /// Answers the questions of a conversation, line by line.
  let answers: any AnswerSource
  /// Tells the time.
  let clock: any SessionClock
  /// Shows a page to the user.
  let browser: @Sendable (URL) async throws -> Void

  /// The environment of the command that is running.
  @TaskLocal static var current = CommandEnvironment.process

  /// This process's.
  static var process: CommandEnvironment {
    let variables = ProcessInfo.processInfo.environment
    return CommandEnvironment(
      variables: variables,
      workingFolder: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory),
      console: Console(
        output: DescriptorSink.standardOutput, error: DescriptorSink.standardError, variables: variables),
      terminal: ControllingTerminal(),
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

  /// A logger that shows warnings, or everything.
  func logger(verbose: Bool) -> Logger {
    Logger(label: "ostiary") { [console] _ in ConsoleLogHandler(console, level: verbose ? .debug : .warning) }
  }

  /// The file or folder that a path on the command line means.
  func url(path: String, isFolder: Bool = false) -> URL {
    URL(filePath: path, directoryHint: isFolder ? .isDirectory : .notDirectory, relativeTo: workingFolder)
      .absoluteURL
  }
}

/// Standard input, read whole.
struct StandardInput: Sendable {
  /// Reads to the end, but no more than `limit` bytes and one, so that too much shows.
  let read: @Sendable (_ limit: Int) throws -> Data

  /// This process's standard input.
  static var process: StandardInput {
    StandardInput { limit in
      var data = Data()
      while data.count <= limit {
        let piece: Data?
        do {
          piece = try FileHandle.standardInput.read(upToCount: min(65536, limit - data.count + 1))
        } catch {
          throw OstiaryError.file("Standard input can't be read.", advice: "Connect it to a file or a pipe.")
        }
        guard let piece, !piece.isEmpty else { break }
        data.append(piece)
      }
      return data
    }
  }

  /// A password as `--password-stdin` takes it: everything up to the end of input, without the line end that `echo`
  /// adds. Any other character, spaces and line ends within included, belongs to the password.
  func password() throws -> Secret {
    let limit = 65536
    var data = try read(limit)
    guard data.count <= limit else { throw OstiaryError.usage("The password on standard input is too long.") }
    if data.last == UInt8(ascii: "\n") {
      data.removeLast()
      if data.last == UInt8(ascii: "\r") { data.removeLast() }
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw OstiaryError.usage("The password on standard input is not UTF-8.")
    }
    guard !text.isEmpty else {
      throw OstiaryError.usage(
        "There is no password on standard input.", advice: "Pipe it in: printf %s \"$PASSWORD\" | ostiary …")
    }
    return Secret(text)
  }
}

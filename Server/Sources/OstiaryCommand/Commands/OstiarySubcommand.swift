internal import ArgumentParser
internal import Logging

/// One command of `ostiary`.
protocol OstiarySubcommand: AsyncParsableCommand {
  /// What every command takes.
  var output: OutputOptions { get }

  /// Does the command's work. Anything but success is thrown: an error, or an ``ExitStatus`` when everything has been
  /// said already.
  func run(in environment: CommandEnvironment) async throws
}

extension OstiarySubcommand {
  mutating func run() async throws {
    try await run(in: .current)
  }

  /// The command's logger.
  func logger(_ environment: CommandEnvironment) -> Logger {
    environment.logger(verbose: output.verbose)
  }
}

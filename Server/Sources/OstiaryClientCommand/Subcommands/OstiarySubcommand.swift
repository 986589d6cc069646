package import ArgumentParser
package import Logging
internal import OstiaryCore

/// One command of `ostiary`.
package protocol OstiarySubcommand: AsyncParsableCommand {
  /// The options of every command.
  var output: OutputOptions { get }

  /// Whether there is a session to speak of. The commands that make one have none to keep.
  static var hasSession: Bool { get }

  /// Runs the command. Any outcome but success is thrown: an error, or an ``ExitStatus`` if all messages have been
  /// printed already.
  func run(in environment: CommandEnvironment) async throws
}

extension OstiarySubcommand {
  package static var hasSession: Bool { true }

  package mutating func run() async throws {
    do {
      try await run(in: .current)
    } catch let error as OstiaryError where !Self.hasSession {
      throw error.ofNoSession
    }
  }

  /// The command's logger.
  package func logger(_ environment: CommandEnvironment) -> Logger {
    environment.logger(verbose: output.verbose)
  }
}

/// The options of every command.
package struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document, and errors as JSON on standard error.")
  package var json = false

  @Flag(name: .shortAndLong, help: "Show on standard error what happens.")
  package var verbose = false

  package init() {}
}

/// The profile of a command.
struct ProfileOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The profile to use, instead of the current one.", completion: .profiles)
  var profile: String?
}

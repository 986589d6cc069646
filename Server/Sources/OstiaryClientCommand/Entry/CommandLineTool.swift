package import ArgumentParser
internal import Dispatch
internal import Foundation
internal import OstiaryCore

/// Runs the command `ostiary`, or a part of it, as a process.
package struct CommandLineTool: Sendable {
  private let root: any ParsableCommand.Type

  /// - Parameter root: the command with its subcommands.
  package init(_ root: any ParsableCommand.Type) {
    self.root = root
  }

  /// Runs the command with this process's arguments and ends the process. No file may have been opened before.
  package func main() -> Never {
    Self.occupyStandardDescriptors()
    // A closed pipe is an error of `write`, reported separately; it must not end the process.
    signal(SIGPIPE, SIG_IGN)
    let environment = CommandEnvironment.process
    Self.widenTerminalOfParser(environment)
    Task {
      let arguments = Array(CommandLine.arguments.dropFirst())
      let status: ExitStatus
      if let number = Self.argumentThatIsNotUTF8 {
        // Swift puts other characters in its place, and the command would be about another file or user.
        let error = OstiaryError.usage(CommandLineMessage.argumentNotUTF8(number))
        status = report(error, asJSON: arguments.contains("--json"), to: environment.console)
      } else {
        status = await run(arguments, in: environment)
      }
      exit(status.rawValue)
    }
    dispatchMain()
  }

  /// The parser lays the help out by itself, before ``HelpLayout`` does, and a debug build of it traps where the terminal is narrower
  /// than its column of options. It looks at this process's variables, not at those that the command goes by.
  private static func widenTerminalOfParser(_ environment: CommandEnvironment) {
    let width = environment.variables["COLUMNS"].map { Int($0) ?? 80 } ?? environment.console.output.columns ?? 80
    if width < 40 { setenv("COLUMNS", "80", 1) }
  }

  /// The number of the first argument that is not UTF-8.
  private static var argumentThatIsNotUTF8: Int? {
    (1..<max(1, Int(CommandLine.argc))).first { index in
      CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
    }
  }

  /// Replaces standard input, output or error if the process was started without it. Otherwise the next file to be
  /// opened would take its place and get the output; the replacement refuses every write.
  private static func occupyStandardDescriptors() {
    var descriptor: Int32
    repeat { descriptor = open("/dev/null", O_RDONLY) } while (0...2).contains(descriptor)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Runs the command and returns its exit status. Errors have been shown.
  package func run(_ arguments: [String], in environment: CommandEnvironment) async -> ExitStatus {
    await CommandEnvironment.$current.withValue(environment) {
      do {
        if let unknown = unknownCommand(in: arguments) { throw unknown }
        var command = try root.parseAsRoot(arguments)
        if var command = command as? any AsyncParsableCommand {
          try await CommandEnvironment.$arguments.withValue(arguments) { try await command.run() }
        } else {
          try command.run()
        }
        return .success
      } catch {
        let wantsJSON = arguments.prefix { $0 != "--" }.contains("--json")
        return report(error, asJSON: wantsJSON, to: environment.console)
      }
    }
  }

  /// The failure for a command that there is not. The parser would complain about an option after it instead.
  private func unknownCommand(in arguments: [String]) -> OstiaryError? {
    var parent: any ParsableCommand.Type = root
    for argument in arguments {
      let commands = parent.configuration.subcommands
      guard !argument.hasPrefix("-"), argument != "help", !commands.isEmpty else { return nil }
      let next = commands.first { $0._commandName == argument || $0.configuration.aliases.contains(argument) }
      guard let next else {
        let names = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        return OstiaryError.usage(CommandLineMessage.unknownCommand(argument, known: names))
      }
      parent = next
    }
    return nil
  }

  private func report(_ error: any Error, asJSON: Bool, to console: Console) -> ExitStatus {
    if let status = error as? ExitStatus { return status }
    if error is BrokenPipe { return .brokenPipe }
    let failure: FailureReport
    if let known = FailureReport(describing: error) {
      failure = known
    } else if root.exitCode(for: error).isSuccess {
      // Help, the version, a completion script: the user asked for it, so it is a result.
      let text = root.fullMessage(for: error, columns: HelpLayout.unlimited)
      return print(HelpLayout.wrapped(text, to: console.width(of: console.output)), to: console)
    } else if root.exitCode(for: error) == .validationFailure {
      return reportMisuse(error, asJSON: asJSON, to: console)
    } else {
      failure = FailureReport(
        code: "internal_error", CommandLineMessage.internalFailure(type: "\(type(of: error))"), status: .failure)
    }
    if asJSON {
      console.note(json: FailureReport.Document(error: failure))
    } else {
      console.note([failure.line])
    }
    return ExitStatus(rawValue: failure.exitCode)
  }

  private func print(_ text: String, to console: Console) -> ExitStatus {
    do {
      let end = text.hasSuffix("\n") ? "" : "\n"
      try console.print(text: text + end)
      return .success
    } catch is BrokenPipe {
      return .brokenPipe
    } catch {
      return .failure
    }
  }

  private func reportMisuse(_ error: any Error, asJSON: Bool, to console: Console) -> ExitStatus {
    let message = root.message(for: error)
    if asJSON {
      let failure = FailureReport(code: "usage", CommandLineMessage.misuse(message), status: .usage)
      console.note(json: FailureReport.Document(error: failure))
      return .usage
    }
    console.note(["\("error:", .failure) \(message)"])
    let full = root.fullMessage(for: error).split(separator: "\n")
    let usage = full.drop { !$0.hasPrefix("Usage:") }
    console.note(usage.flatMap { HelpLayout.lines(of: $0, console.width(of: console.error)) }.map { Line($0, .dim) })
    return .usage
  }
}

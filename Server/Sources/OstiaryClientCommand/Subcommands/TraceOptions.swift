internal import ArgumentParser
internal import OstiaryCore

/// Where a command writes down what it sent, got and decided.
struct TraceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write every request, answer and decision to a file, secrets masked: *.json, *.html (a page), or text.",
      valueName: "file"),
    completion: .file())
  var trace: String?

  /// The file, if one is given.
  /// - Throws: if it can't be written: later may be too late.
  func file(in environment: CommandEnvironment) throws -> TraceFile? {
    try trace.map { try TraceFile(environment.url(path: $0), clock: environment.clock) }
  }
}

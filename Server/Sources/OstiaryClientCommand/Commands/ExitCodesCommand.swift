internal import ArgumentParser

/// `ostiary exit-codes`, with the text of `ostiary help exit-codes`.
struct ExitCodesCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "exit-codes",
    abstract: "Explain the exit status.",
    discussion: ExitStatus.table.map { "  \(String($0.status.rawValue).padded(to: 5))\($0.meaning.line.plain)" }
      .joined(separator: "\n"))

  @OptionGroup var output: OutputOptions

  private struct Row: Encodable {
    let exitCode: Int32
    let meaning: String
  }

  func run(in environment: CommandEnvironment) throws {
    if output.json {
      return try environment.console.print(
        json: ExitStatus.table.map { Row(exitCode: $0.status.rawValue, meaning: $0.meaning.line.plain) })
    }
    for (status, meaning) in ExitStatus.table {
      try environment.console.print(["\(String(status.rawValue).padded(to: 5), .bold)\(meaning.line)"])
    }
  }
}

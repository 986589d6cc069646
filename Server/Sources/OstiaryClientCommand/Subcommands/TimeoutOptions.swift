internal import ArgumentParser

/// How long a command waits for a server.
struct TimeoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many seconds to wait for each answer of a server, and for each further piece of it. (default: 30)",
      valueName: "seconds"))
  var timeout: Double?

  func validate() throws {
    guard let timeout else { return }
    guard timeout > 0, timeout <= 86_400 else { throw ValidationError(CommandLineMessage.badTimeout) }
  }

  /// The time, if one is given.
  var given: Duration? { timeout.map { .milliseconds(max(1, Int64($0 * 1000))) } }
}

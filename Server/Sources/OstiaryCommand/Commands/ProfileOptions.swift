internal import ArgumentParser

/// Which profile a command is about.
struct ProfileOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: "The profile to use, instead of the current one.")
  var profile: String?
}

internal import ArgumentParser

/// What every command takes.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one JSON document; errors as JSON on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show on standard error what happens.")
  var verbose = false
}

internal import ArgumentParser

/// The options of `ostiary login api`.
struct DialectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A name of `ostiary dialect list`, or a file.", valueName: "name|file"),
    completion: .file(extensions: ["json"]))
  var dialect: String?

  @Option(
    name: .customLong("setting"), parsing: .singleValue,
    help: ArgumentHelp(
      "What the dialect has to know of your project; @FILE reads it from a file.", valueName: "name=value|@file"))
  var settings: [String] = []
}

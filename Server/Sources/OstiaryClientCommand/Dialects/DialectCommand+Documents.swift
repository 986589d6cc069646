internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect

extension DialectCommand {
  /// `ostiary dialect list`.
  struct List: OstiarySubcommand {
    static let configuration = CommandConfiguration(abstract: "List the dialects that come with this command.")

    @OptionGroup var output: OutputOptions

    private struct Entry: Encodable {
      let name: String
      let title: String
      let sources: [String]
      let tried: String
    }

    func run(in environment: CommandEnvironment) throws {
      let entries = ShippedDialects.all.map {
        Entry(name: $0.name, title: $0.title, sources: $0.sources, tried: $0.tried)
      }
      if output.json { return try environment.console.print(json: entries) }
      var table = Table(["NAME", "API", "TRIED"])
      for entry in entries { table.add([entry.name, entry.title, entry.tried]) }
      try environment.console.print(table)
    }
  }

  /// `ostiary dialect show`.
  struct Show: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a dialect's document.",
      discussion: """
        Save it to change it: ostiary dialect show simplejwt > ours.json
        """)

    @Argument(help: "A name of `ostiary dialect list`, or a file.", completion: .file(extensions: ["json"]))
    var dialect: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) throws {
      let document = try DialectDocument(dialect, environment)
      try environment.console.print(text: document.dialect().printed)
    }
  }

  /// `ostiary dialect schema`.
  struct Schema: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the JSON schema of dialects, for editors and for people who write one.")

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) throws {
      try environment.console.print(text: Dialect.schema.hasSuffix("\n") ? Dialect.schema : Dialect.schema + "\n")
    }
  }

  /// `ostiary dialect check`.
  struct Check: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Tell everything that is wrong with a dialect.",
      discussion: """
        Every problem is told with its place in the document (a JSON Pointer) and with what to do. Notes say what is allowed \
        and worth a thought. The exit status is 0 when the dialect can be used and 1 when not.
        """)

    @Argument(
      help: "A file, - for standard input, or a name of `ostiary dialect list`.",
      completion: .file(extensions: ["json"]))
    var dialect: String

    @OptionGroup var output: OutputOptions

    func run(in environment: CommandEnvironment) throws {
      let report = DialectReport(try DialectDocument(dialect, environment))
      if output.json {
        try environment.console.print(json: report)
      } else {
        try environment.console.print(report.lines)
      }
      // All problems have been printed.
      if !report.isValid { throw ExitStatus.failure }
    }
  }
}

extension Dialect {
  /// The document as text that ends with a line end, without what could control a terminal.
  var printed: String {
    let text = String(decoding: json(), as: UTF8.self).escapedForJSON
    return text.hasSuffix("\n") ? text : text + "\n"
  }
}

internal import ArgumentParser

/// `ostiary dialect`.
struct DialectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dialect",
    abstract: "Write, check and try dialects: what an API calls things, as a document.",
    discussion: """
      A dialect is a JSON document that says how to sign in to one API: its calls, what their answers have, and what its \
      refusals mean. Some come with this command; `ostiary dialect new` writes the first draft of another from one call.

      Sign in with `ostiary login api --dialect NAME|FILE --server URL --user NAME`.
      """,
    subcommands: [List.self, Show.self, Schema.self, Check.self, Try.self, New.self])
}

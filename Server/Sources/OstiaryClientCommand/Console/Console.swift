internal import Foundation

/// The output of a command: results on standard output, all other messages on standard error.
///
/// Colours appear only on a terminal, never when `NO_COLOR` is set (no-color.org) or the terminal is `dumb`.
package struct Console: Sendable {
  /// The stream for results.
  package let output: any OutputSink
  /// The stream for errors, warnings and progress.
  package let error: any OutputSink
  private let allowsColor: Bool
  /// Whether progress can be shown in a line that changes.
  let showsProgress: Bool
  /// What the environment says of the terminal's width (POSIX: `COLUMNS`).
  private let columns: Int?

  package init(output: any OutputSink, error: any OutputSink, variables: [String: String]) {
    self.output = output
    self.error = error
    // Without TERM it is not known what the terminal can show.
    let isCapable = !["", "dumb"].contains(variables["TERM"] ?? "")
    allowsColor = (variables["NO_COLOR"] ?? "").isEmpty && isCapable
    showsProgress = error.isTerminal && isCapable
    columns = variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Prints a message that is the result, or a part of it.
  package func print(_ message: some CommandMessage) throws { try print([message.whole]) }

  /// Prints the lines of a report: messages, and values beside their names.
  package func print(_ lines: [Line]) throws {
    for line in lines {
      let text = line.rendered(colored: allowsColor && output.isTerminal) + "\n"
      try output.write(Data(text.utf8))
    }
  }

  /// Prints a table.
  package func print(_ table: Table) throws { try print(table.lines) }

  /// Prints one JSON document, the whole result of a command run with `--json`.
  package func print(json value: some Encodable) throws {
    try output.write(try Self.document(value))
  }

  /// Prints a message besides the result. An error in writing it is ignored: the result does not depend on it.
  package func note(_ message: some CommandMessage) { note([message.whole]) }

  /// Prints the lines of a report besides the result, as ``note(_:)-(CommandMessage)``.
  package func note(_ lines: [Line]) {
    for line in lines {
      let text = line.rendered(colored: colorsErrors) + "\n"
      try? error.write(Data(text.utf8))
    }
  }

  /// Prints a warning.
  package func warn(_ message: some CommandMessage) { note(["\("warning:", .yellow) \(message.whole)"]) }

  /// How many columns a line may have: the terminal's, or 80.
  func width(of sink: any OutputSink) -> Int { columns ?? sink.columns ?? 80 }

  /// Prints JSON on standard error: the failure of a command run with `--json`.
  func note(json value: some Encodable) {
    guard let document = try? Self.document(value) else { return }
    try? error.write(document)
  }

  /// Whether standard error shows colours.
  var colorsErrors: Bool { allowsColor && error.isTerminal }

  private static func document(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    // A character that could control a terminal, or turn the direction of its text, is written as JSON's escape of it.
    let text = String(decoding: try encoder.encode(value), as: UTF8.self).escapedForJSON
    return Data((text + "\n").utf8)
  }
}

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
  /// The characters of the user's terminal and programs.
  private let charset: LocaleCharset

  package init(output: any OutputSink, error: any OutputSink, variables: [String: String]) {
    self.output = output
    self.error = error
    // Without TERM it is not known what the terminal can show.
    let isCapable = !["", "dumb"].contains(variables["TERM"] ?? "")
    allowsColor = (variables["NO_COLOR"] ?? "").isEmpty && isCapable
    showsProgress = error.isTerminal && isCapable
    charset = LocaleCharset(variables)
    columns = variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Prints a message that is the result, or a part of it.
  package func print(_ message: some CommandMessage) throws { try print([message.whole]) }

  /// Prints the lines of a report: messages, and values beside their names.
  package func print(_ lines: [Line]) throws {
    for line in lines { try output.write(document(line, colored: allowsColor && output.isTerminal, for: output)) }
  }

  /// Prints one JSON document, the whole result of a command run with `--json`.
  package func print(json value: some Encodable) throws {
    try output.write(try Self.document(value))
  }

  /// Prints a message besides the result. An error in writing it is ignored: the result does not depend on it.
  package func note(_ message: some CommandMessage) { note([message.whole]) }

  /// Prints the lines of a report besides the result, as ``note(_:)-(CommandMessage)``.
  package func note(_ lines: [Line]) {
    for line in lines { try? error.write(document(line, colored: colorsErrors, for: error)) }
  }

  /// Prints a table, which a terminal that is too narrow for it gets as a list.
  package func print(_ table: Table) throws {
    try print(table.lines(fitting: knownWidth(of: output)))
  }

  /// Prints a text of several lines that is laid out already, such as a command's help.
  func print(text: String) throws { try textOutput.write(Data(text.utf8)) }

  /// Prints a warning.
  package func warn(_ message: some CommandMessage) { note(["\("warning:", .yellow) \(message.whole)"]) }

  /// The stream for results, for text; a body that is shown as it came is written to ``output``.
  var textOutput: any OutputSink { TextSink(base: output, charset: charset) }
  /// The stream for messages, for text.
  var textError: any OutputSink { TextSink(base: error, charset: charset) }

  /// The line in the user's characters, in as many lines as the terminal needs.
  private func document(_ line: Line, colored: Bool, for sink: any OutputSink) -> Data {
    let line = line.written(in: charset)
    let lines = knownWidth(of: sink).map { line.wrapped(to: $0) } ?? [line]
    return Data(lines.map { $0.rendered(colored: colored) + "\n" }.joined().utf8)
  }

  /// A message as a stream gets it, without colours: for a terminal that shows it when a signal ends the process.
  func text(of message: some CommandMessage, for sink: any OutputSink) -> String {
    String(decoding: document(message.whole, colored: false, for: sink), as: UTF8.self)
  }

  /// Whether the user's terminal and programs take UTF-8 for text.
  var writesUTF8: Bool { charset == .utf8 }

  /// How many columns the terminal has; `nil` if it is not known, or is none.
  func knownWidth(of sink: any OutputSink) -> Int? { sink.isTerminal ? columns ?? sink.columns : nil }

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

/// What is said of the command line as a whole, of the terminal and of the output.
package enum CommandLineMessage: CommandMessage {
  case unknownCommand(String, known: [String])
  case argumentNotUTF8(Int)
  case internalFailure(type: String)
  /// The parser's own words.
  case misuse(String)
  case outputFailed(reason: String)
  case noTerminal
  case nothingEntered
  case badTimeout

  package var line: Line {
    switch self {
    case .unknownCommand(let name, _): "There is no command “\(name)”."
    case .argumentNotUTF8(let number): "Argument \(number) is not UTF-8."
    case .internalFailure(let type): "Something failed that should not: \(type)."
    case .misuse(let words): Line(words.hasSuffix(".") ? words : words + ".")
    case .outputFailed(let reason): "The output can't be written: \(reason)."
    case .noTerminal: "There is no terminal to ask on."
    case .nothingEntered: "Nothing was entered."
    case .badTimeout: "--timeout takes a number of seconds above 0, and at most 86400."
    }
  }

  package var advice: String {
    switch self {
    case .unknownCommand(_, let known): "Known commands: \(known.joined(separator: ", "))."
    case .argumentNotUTF8: "Write names and texts in UTF-8."
    case .internalFailure: "Run the command again with --verbose, and report what it shows."
    case .misuse: "See --help."
    case .outputFailed: "Check the disk, or write the output to another place."
    case .noTerminal: "Run the command in a terminal, or see its --help for a way without one."
    case .nothingEntered: "Run the command again."
    case .badTimeout: "Write --timeout 30 for half a minute."
    }
  }

  package static let examples: [CommandLineMessage] = [
    .unknownCommand("nosuch", known: ["login", "status", "request"]), .argumentNotUTF8(3),
    .internalFailure(type: "POSIXError"), .misuse("Missing expected argument '<kind>'"),
    .outputFailed(reason: "No space left on device"), .noTerminal, .nothingEntered, .badTimeout,
  ]
}

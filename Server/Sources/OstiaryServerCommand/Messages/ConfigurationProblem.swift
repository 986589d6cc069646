internal import OstiaryClientCommand
internal import OstiaryCore

/// What is wrong with a configuration file. The name of a setting comes first.
enum ConfigurationProblem: CommandMessage, Error {
  /// What a value must be.
  enum Wanted: Sendable {
    case flag, text, texts, path, paths, group
    case number(ClosedRange<Int64>)
    case word([String])

    fileprivate var words: String {
      switch self {
      case .flag: "true or false"
      case .text: "a text that is not empty"
      case .texts: "a list of texts that are not empty"
      case .path: "a path that is not empty"
      case .paths: "a list of paths that are not empty"
      case .group: "an object with settings"
      case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
      case .word(let words): "one of \(words.map { "“\($0)”" }.joined(separator: ", "))"
      }
    }
  }

  /// What a value is. The value itself is not told: it may be a secret in a wrong place.
  enum Found: String, Sendable {
    case null, flag = "true or false", number = "a number", text = "a text", emptyText = "an empty text"
    case list = "a list", group = "an object"

    init(_ value: JSONValue) {
      self =
        switch value {
        case .null: .null
        case .bool: .flag
        case .integer, .number: .number
        case .string(let text): text.isEmpty ? .emptyText : .text
        case .array: .list
        case .object: .group
        }
    }
  }

  case tooLarge
  case notJSON(line: Int)
  case repeated(String)
  case unknown(String, known: [String])
  case wrongType(String, Wanted, found: Found)
  case secretUnreadable(String, path: String)
  case secretOpenToOthers(String, path: String)
  case secretEmpty(String, path: String)
  /// What the server or an option says of the setting.
  case refused(String, words: String)
  /// What is wrong with several settings, or with one and an option.
  case together(words: String)

  var line: Line {
    switch self {
    case .tooLarge: "It is larger than 1 MiB."
    case .notJSON(let line): "It is not JSON in line \(line)."
    case .repeated(let name): "“\(name)”: It is there twice."
    case .unknown(let name, _): "“\(name)”: There is no such setting."
    case .wrongType("", let wanted, let found): "The file must be \(wanted.words), not \(found.rawValue)."
    case .wrongType(let name, _, .emptyText): "“\(name)”: It is empty."
    case .wrongType(let name, .word(let words), .text): "“\(name)”: It must be \(Wanted.word(words).words)."
    case .wrongType(let name, .number(let range), .number): "“\(name)”: It must be \(Wanted.number(range).words)."
    case .wrongType(let name, .texts, .list), .wrongType(let name, .paths, .list):
      "“\(name)”: Each must be a text that is not empty."
    case .wrongType(let name, let wanted, let found): "“\(name)”: It must be \(wanted.words), not \(found.rawValue)."
    case .secretUnreadable(let name, let path): "“\(name)”: \(path) can't be read."
    case .secretOpenToOthers(let name, let path): "“\(name)”: Others may read \(path)."
    case .secretEmpty(let name, let path): "“\(name)”: \(path) has nothing in it."
    case .refused(let name, let words): "“\(name)”: \(words)"
    case .together(let words): "\(words)"
    }
  }

  var advice: String {
    switch self {
    case .notJSON: "Check commas, quotation marks and braces."
    case .unknown(_, let known): "Known here: \(known.map { "“\($0)”" }.joined(separator: ", "))."
    case .secretOpenToOthers: "Run chmod 600 on it."
    default: ""
    }
  }

  /// The setting that it is about, if it is one.
  var setting: String? {
    switch self {
    case .tooLarge, .notJSON, .together: nil
    case .repeated(let name), .unknown(let name, _), .wrongType(let name, _, _), .secretUnreadable(let name, _),
      .secretOpenToOthers(let name, _), .secretEmpty(let name, _), .refused(let name, _):
      name
    }
  }

  static let examples: [ConfigurationProblem] = [
    .tooLarge, .notJSON(line: 3), .repeated("gateway.style"),
    .unknown("gateway.colour", known: ["style", "upstream"]), .wrongType("", .group, found: .list),
    .wrongType("dev", .flag, found: .text), .wrongType("serviceName", .text, found: .emptyText),
    .wrongType("trustProxy", .texts, found: .text), .wrongType("trustProxy", .texts, found: .list),
    .wrongType("data", .path, found: .null), .wrongType("primer.experience", .paths, found: .flag),
    .wrongType("mail", .group, found: .number), .wrongType("port", .number(0...65535), found: .number),
    .wrongType("port", .number(0...65535), found: .group),
    .wrongType("gateway.style", .word(["ostiary", "webseal"]), found: .text),
    .secretUnreadable("primer.tokenFile", path: "/etc/ostiary/primer.token"),
    .secretOpenToOthers("primer.tokenFile", path: "/etc/ostiary/primer.token"),
    .secretEmpty("primer.tokenFile", path: "/etc/ostiary/primer.token"),
    .refused("trustProxy", words: "A trusted proxy is named by its numeric address, not “proxy”."),
    .together(words: "“tls.cert” and “tls.key” go together. Write both."),
  ]
}

/// What is said of a configuration file as a whole.
enum ConfigurationMessage: CommandMessage {
  case problems(String, count: Int)

  var line: Line {
    switch self {
    case .problems(let path, 1): "The server can't be started with \(path):"
    case .problems(let path, let count): "The server can't be started with \(path), for \(count) reasons:"
    }
  }

  static let examples: [ConfigurationMessage] = [
    .problems("/etc/ostiary/ostiary.json", count: 1), .problems("/etc/ostiary/ostiary.json", count: 3),
  ]
}

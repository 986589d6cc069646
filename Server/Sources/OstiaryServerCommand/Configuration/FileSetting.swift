internal import OstiaryCore

/// A setting of a configuration file: what an option of the command line says, under a name and with a type.
///
/// The reader of the file and its schema are both made from it, so that they can't differ.
struct FileSetting: Sendable {
  /// What its value is.
  enum Kind: Sendable, Equatable {
    /// `true` is the option; `false` is what holds without it, or another option.
    case flag(off: String? = nil)
    case text
    case texts
    /// A path. A relative one begins at the folder of the configuration file.
    case file
    case files
    /// A path, or this word.
    case fileOrWord(String)
    case number(ClosedRange<Int64>)
    case word([String])
    /// The path of a file with a secret, which has no place in a configuration file itself.
    case secretFile
    /// The path of a file with secrets, one a line.
    case secretsFile
  }

  /// Its name, after those of the groups that it is in: `gateway.upstream`.
  let name: String
  /// The option that says the same, without its hyphens.
  let option: String
  let kind: Kind
  /// Options in whose presence it does not count, besides its own.
  var yieldsTo: [String] = []
  /// A variable of the environment that counts before it.
  var variable: String?

  init(_ name: String, _ option: String, _ kind: Kind, yieldsTo: [String] = [], variable: String? = nil) {
    self.name = name
    self.option = option
    self.kind = kind
    self.yieldsTo = yieldsTo
    self.variable = variable
  }

  /// Whether an option of the command line, or the environment, has the last word.
  func isOverruled(by given: Set<String>, _ variables: [String: String]) -> Bool {
    var options = yieldsTo + [option]
    if case .flag(let off?) = kind { options.append(off) }
    return options.contains { given.contains($0) } || variable.map { variables[$0]?.isEmpty == false } ?? false
  }

  /// What its value must be, to follow "must be".
  var wanted: ConfigurationProblem.Wanted {
    switch kind {
    case .flag: .flag
    case .text: .text
    case .texts: .texts
    case .file, .fileOrWord, .secretFile, .secretsFile: .path
    case .files: .paths
    case .number(let range): .number(range)
    case .word(let words): .word(words)
    }
  }

  /// Its part of the schema (JSON Schema 2020-12).
  func schema(description: String?) -> JSONValue {
    let text: [String: JSONValue] = ["type": "string", "minLength": 1]
    var members: [String: JSONValue] =
      switch kind {
      case .flag: ["type": "boolean"]
      case .text, .file, .fileOrWord, .secretFile, .secretsFile: text
      case .texts, .files: ["type": "array", "items": .object(text)]
      case .number(let range):
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
      case .word(let words): ["enum": .array(words.map { .string($0) })]
      }
    members["description"] = description.map { JSONValue.string($0) }
    return .object(members)
  }

  /// The value as it is handed on; nil for one of another type.
  func value(_ json: JSONValue) -> Value? {
    switch (kind, json) {
    case (.flag, .bool(let isOn)): .flag(isOn)
    case (.number(let range), .integer(let number)) where range.contains(number): .texts(["\(number)"])
    case (.word(let words), .string(let word)) where words.contains(word): .texts([word])
    case (.text, .string(let text)), (.file, .string(let text)), (.fileOrWord, .string(let text)),
      (.secretFile, .string(let text)), (.secretsFile, .string(let text)):
      text.isEmpty ? nil : .texts([text])
    case (.texts, .array(let values)), (.files, .array(let values)):
      values.allSatisfy { $0.string?.isEmpty == false } ? .texts(values.compactMap(\.string)) : nil
    default: nil
    }
  }

  /// A value of the right type.
  enum Value: Sendable, Equatable {
    case flag(Bool)
    case texts([String])
  }
}

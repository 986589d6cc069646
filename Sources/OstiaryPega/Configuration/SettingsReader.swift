internal import Foundation
internal import OstiaryCore

/// Takes the members of one object of a settings file, each by its name. What is left over at the end is a mistake.
struct SettingsReader {
  private var members: [String: JSONValue]
  private let source: String
  private let path: String
  private var names: [String] = []

  init(_ members: [String: JSONValue], source: String, path: String = "") {
    self.members = members
    self.source = source
    self.path = path
  }

  // MARK: Taking

  mutating func text(_ name: String, mayBeEmpty: Bool = false) throws -> String? {
    guard let value = take(name) else { return nil }
    guard let text = value.string else {
      throw refusal(name, "must be a text, not \(Self.kind(of: value))", advice: Self.advice(for: value))
    }
    try check(text, name, mayBeEmpty: mayBeEmpty)
    return text
  }

  /// Takes texts into a value.
  mutating func texts<Root>(_ table: [PegaSettingsFile.Text<Root>], _ root: inout Root) throws {
    for (name, path) in table { root[keyPath: path] = try text(name) ?? root[keyPath: path] }
  }

  mutating func flag(_ name: String) throws -> Bool? {
    guard let value = take(name) else { return nil }
    guard let flag = value.bool else { throw refusal(name, "must be true or false, not \(Self.kind(of: value))") }
    return flag
  }

  mutating func integer(_ name: String) throws -> Int? {
    guard let value = take(name) else { return nil }
    guard case .integer(let number) = value, let number = Int(exactly: number) else {
      throw refusal(name, "must be a whole number, not \(Self.kind(of: value))")
    }
    return number
  }

  /// Takes a number of seconds, of at most a day.
  mutating func seconds(_ name: String) throws -> Duration? {
    guard let value = take(name) else { return nil }
    guard let seconds = value.double, seconds > 0, seconds <= 86_400 else {
      throw refusal(name, "must be a number of seconds from more than 0 to 86400")
    }
    return .milliseconds(Int64((seconds * 1_000).rounded(.up)))
  }

  mutating func list(_ name: String) throws -> [String]? {
    guard let value = take(name) else { return nil }
    guard let values = value.array, values.count <= 64 else {
      throw refusal(name, "must be a list of at most 64 texts, not \(Self.kind(of: value))")
    }
    return try values.map { value in
      guard let text = value.string else {
        throw refusal(name, "must be a list of texts; it has \(Self.kind(of: value))")
      }
      try check(text, name, mayBeEmpty: false)
      return text
    }
  }

  mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(_ name: String) throws -> Choice? {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw refusal(name, "must be one of \(choices)")
    }
    return choice
  }

  /// Takes an object and all that is in it.
  mutating func object(_ name: String, _ read: (inout SettingsReader) throws -> Void) throws {
    guard let value = take(name) else { return }
    guard let members = value.object else { throw refusal(name, "must be an object, not \(Self.kind(of: value))") }
    var reader = SettingsReader(members, source: source, path: path + name)
    try read(&reader)
    try reader.end()
  }

  /// Checks that nothing is left over.
  func end() throws {
    guard let name = members.keys.min() else { return }
    let shown = ServerWords.shown(name, hiding: [], limit: 60)
    let nearest = names.min { Self.distance($0, name) < Self.distance($1, name) }
    let advice =
      nearest.flatMap { Self.distance($0, name) <= 3 ? "It may have to be “\($0)”." : nil }
      ?? "Take it out. Settings here are: \(names.sorted().joined(separator: ", "))."
    throw refusal(shown, "is no setting of a Pega server", advice: advice)
  }

  private mutating func take(_ name: String) -> JSONValue? {
    names.append(name)
    return members.removeValue(forKey: name)
  }

  private func check(_ text: String, _ name: String, mayBeEmpty: Bool) throws {
    guard mayBeEmpty || !text.allSatisfy(\.isWhitespace) else { throw refusal(name, "must not be empty") }
    guard text.utf8.count <= 2_048, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw refusal(name, "must be shorter than 2048 bytes and without control characters") }
  }

  // MARK: Refusing

  /// What is wrong with a member. Its value is not shown.
  func refusal(_ name: String, _ problem: String, advice: String = "Correct it.") -> OstiaryError {
    let full = [path, name].filter { !$0.isEmpty }.joined(separator: ".")
    return OstiaryError(
      .invalidInput, "“\(full)” in \(source) \(problem).", advice: advice, disposition: .misuse,
      requestMayHaveExecuted: false)
  }

  /// What kind of value it is, for a message.
  static func kind(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  private static func advice(for value: JSONValue) -> String {
    // 8.10 as a number would be 8.1.
    value.double == nil ? "Correct it." : "Put it in quotation marks."
  }

  /// How many letters have to be changed, put in or taken out to make one name of the other; names are compared without case.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.lowercased().utf8.prefix(64)), Array(other.lowercased().utf8.prefix(64)))
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let changed = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}

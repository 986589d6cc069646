internal import Foundation
internal import Ostiary

/// Takes the members of a settings file, each by its name. What is left over at the end is a mistake.
struct SettingsMembers {
  private var members: [String: JSONValue]
  private let source: String
  private var names: [String] = []

  init(_ members: [String: JSONValue], _ source: String) {
    self.members = members
    self.source = source
  }

  mutating func text(_ name: String) throws -> String? {
    try take(name).map { value in
      guard let text = value.string else { throw refusal(name, "must be a text in quotation marks") }
      return try checked(text, name)
    }
  }

  mutating func list(_ name: String) throws -> [String]? {
    try take(name).map { value in
      guard let values = value.array, values.count <= 64 else {
        throw refusal(name, "must be a list of at most 64 texts")
      }
      return try values.map { value in
        guard let text = value.string else { throw refusal(name, "must be a list of texts") }
        return try checked(text, name)
      }
    }
  }

  /// Takes a number of seconds, of at most a day.
  mutating func seconds(_ name: String) throws -> Double? {
    try take(name).map { value in
      guard let seconds = value.double, seconds > 0, seconds <= 86_400 else {
        throw refusal(name, "must be a number of seconds from more than 0 to 86400")
      }
      return seconds
    }
  }

  mutating func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    try take(name).map { value in
      guard let number = value.double.flatMap({ Int(exactly: $0) }), range.contains(number) else {
        throw refusal(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

  /// Takes an object whose members are texts.
  mutating func texts(_ name: String, of known: [String]) throws -> [String: String]? {
    try take(name).map { value in
      guard let object = value.object else { throw refusal(name, "must be an object") }
      var texts: [String: String] = [:]
      for (member, value) in object {
        guard known.contains(member) else {
          throw refusal("\(name).\(Self.shown(member))", "is none of the vendor's constants", Self.list(known))
        }
        guard let text = value.string else { throw refusal("\(name).\(member)", "must be a text in quotation marks") }
        texts[member] = try checked(text, "\(name).\(member)")
      }
      return texts
    }
  }

  /// Checks that nothing is left over.
  func end() throws {
    guard let name = members.keys.min() else { return }
    throw refusal(Self.shown(name), "is no setting", Self.list(names))
  }

  /// What is wrong with a member. Its value is not shown.
  func refusal(_ name: String, _ problem: String, _ advice: String = "Correct it.") -> OstiaryError {
    SalesforceSDKSettings.refusal("“\(name)” in \(source) \(problem).", advice)
  }

  private mutating func take(_ name: String) -> JSONValue? {
    names.append(name)
    return members.removeValue(forKey: name)
  }

  private func checked(_ text: String, _ name: String) throws -> String {
    let isClean = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !text.isEmpty, text.utf8.count <= 2_048, isClean else {
      throw refusal(name, "must not be empty, longer than 2048 bytes, or have control characters")
    }
    return text
  }

  private static func list(_ names: [String]) -> String { "There are: \(names.sorted().joined(separator: ", "))." }

  /// A name that a file has, as a message shows it.
  private static func shown(_ name: String) -> String {
    String(name.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
  }
}

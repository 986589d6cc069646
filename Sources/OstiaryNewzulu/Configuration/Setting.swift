internal import Foundation
internal import OstiaryCore

/// What is wrong with a setting of a file.
struct SettingProblem: Sendable, Hashable, CustomStringConvertible {
  /// The setting, as a path such as `uploads.partSize`.
  let path: String
  /// What is wrong, as the end of a sentence that begins with the setting.
  let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  var description: String { path.isEmpty ? "it \(text)" : "“\(path)” \(text)" }
}

/// One setting: its name in a file, and how its value gets into what is set.
struct Setting<Root> {
  let name: String
  /// The settings that it has in it, by their paths below it; none for one that is no group.
  var members: [String] = []
  /// Takes a value for the setting at a path, and tells what is wrong with it.
  let take: (_ value: JSONValue, _ path: String, _ root: inout Root) -> [SettingProblem]

  /// How many problems of one group are told.
  private static var most: Int { 20 }

  /// Reads a group of settings. What is not in the value stays as it is.
  static func read(
    _ value: JSONValue, into root: inout Root, _ settings: [Setting<Root>], at path: String = ""
  ) -> [SettingProblem] {
    guard let members = value.object else {
      return [SettingProblem(path, "has to be an object, not \(value.kindOfValue)")]
    }
    var problems: [SettingProblem] = []
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      guard problems.count < most else { break }
      let place = path.isEmpty ? name : "\(path).\(name)"
      if let setting = settings.first(where: { $0.name == name }) {
        problems += setting.take(member, place, &root)
      } else {
        let near = SettingName.nearest(to: name, in: settings.map(\.name))
        let hint = near.map { " (is “\(path.isEmpty ? $0 : "\(path).\($0)")” meant?)" } ?? ""
        problems.append(SettingProblem(SettingName.shown(place), "is no setting\(hint)"))
      }
    }
    return problems
  }

  /// A value of a type that a closure reads; `nil` is another type or too large or small.
  static func value<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, _ wanted: String,
    _ read: @escaping (JSONValue) -> Value?
  ) -> Setting {
    Setting(name: name) { value, place, root in
      guard let taken = read(value) else {
        return [SettingProblem(place, "has to be \(wanted), not \(value.kindOfValue)")]
      }
      root[keyPath: path] = taken
      return []
    }
  }

  /// Settings with a name in common.
  static func group<Part>(
    _ name: String, _ path: WritableKeyPath<Root, Part>, _ settings: [Setting<Part>]
  ) -> Setting {
    Setting(name: name, members: Setting<Part>.paths(settings)) { value, place, root in
      Setting<Part>.read(value, into: &root[keyPath: path], settings, at: place)
    }
  }

  /// The paths of all settings, those in groups among them.
  static func paths(_ settings: [Setting<Root>]) -> [String] {
    settings.flatMap { setting in
      setting.members.isEmpty ? [setting.name] : setting.members.map { "\(setting.name).\($0)" }
    }
  }

  /// A name that a server uses.
  static func name(_ name: String, _ path: WritableKeyPath<Root, String>) -> Setting {
    value(name, path, SettingName.wanted) { SettingName.read($0) }
  }

  /// A name that a server uses; `null` for none.
  static func nameOrNull(_ name: String, _ path: WritableKeyPath<Root, String?>) -> Setting {
    value(name, path, "null or \(SettingName.wanted)") { value -> String?? in
      value == .null ? .some(nil) : SettingName.read(value).map { .some($0) }
    }
  }

  /// A whole number.
  static func number<Number: FixedWidthInteger>(
    _ name: String, _ path: WritableKeyPath<Root, Number>, _ range: ClosedRange<Int64>
  ) -> Setting {
    value(name, path, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.wholeNumber.flatMap { range.contains($0) ? Number(exactly: $0) : nil }
    }
  }

  /// A time in seconds, at most a day.
  static func seconds(
    _ name: String, _ path: WritableKeyPath<Root, Duration>, from least: Double = 0.001
  ) -> Setting {
    value(name, path, "a number of seconds from \(least) to 86400") { value in
      value.double.flatMap { (least...86400).contains($0) ? .seconds($0) : nil }
    }
  }

  /// What a failure says: a part of it, in any case.
  static func phrase(_ name: String, _ path: WritableKeyPath<Root, String>) -> Setting {
    value(name, path, SettingName.wantedPhrase) { SettingName.phrase($0) }
  }
}

extension JSONValue {
  /// A whole number, however it is written.
  var wholeNumber: Int64? {
    if case .integer(let value) = self { value } else { double.flatMap { Int64(exactly: $0) } }
  }

  /// What a value is, for a person. What it holds may be a secret and is not said.
  var kindOfValue: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "this number"
    case .string(let text): text.isEmpty ? "empty text" : "this text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

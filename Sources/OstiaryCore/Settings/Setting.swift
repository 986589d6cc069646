/// One setting: its name in a document, and how its value gets into what is set.
package struct Setting<Root> {
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
      return [SettingProblem(path, "must be an object, not \(SettingKind(value).rawValue)")]
    }
    var problems: [SettingProblem] = []
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      guard problems.count < most else { break }
      let place = path.isEmpty ? name : "\(path).\(name)"
      if let setting = settings.first(where: { $0.name == name }) {
        problems += setting.take(member, place, &root)
      } else {
        problems.append(unknown(name, at: path, among: settings.map(\.name)))
      }
    }
    return problems
  }

  /// A name that no setting has.
  static func unknown(_ name: String, at path: String, among known: [String]) -> SettingProblem {
    let group = path.isEmpty ? "" : "\(path)."
    let hint = SettingText.nearest(to: name, in: known).map { " (is “\(group)\($0)” meant?)" } ?? ""
    return SettingProblem(
      group + name, "is no setting\(hint)", advice: "Settings here are: \(known.joined(separator: ", ")).")
  }

  /// A value of a type that a closure reads.
  /// - Parameters:
  ///   - wanted: what it must be, for a person.
  ///   - kinds: what the closure reads; another kind is told as such.
  ///   - read: gives `nil` for what can't be used.
  package static func value<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, _ wanted: String, of kinds: Set<SettingKind>,
    _ read: @escaping (JSONValue) -> Value?
  ) -> Setting {
    Setting(name: name) { value, place, root in
      let kind = SettingKind(value)
      guard kinds.contains(kind), let taken = read(value) else {
        return [SettingProblem(place, "must be \(wanted)\(kinds.contains(kind) ? "" : ", not \(kind.rawValue)")")]
      }
      root[keyPath: path] = taken
      return []
    }
  }

  /// Settings with a name in common.
  /// - Parameter check: what is wrong with them together, as the end of a sentence.
  package static func group<Part>(
    _ name: String, _ path: WritableKeyPath<Root, Part>, _ settings: [Setting<Part>],
    check: @escaping (Part) -> String? = { _ in nil }
  ) -> Setting {
    Setting(name: name, members: Setting<Part>.paths(settings)) { value, place, root in
      let problems = Setting<Part>.read(value, into: &root[keyPath: path], settings, at: place)
      guard problems.isEmpty, let problem = check(root[keyPath: path]) else { return problems }
      return [SettingProblem(place, problem)]
    }
  }

  /// The paths of all settings, those in groups among them.
  package static func paths(_ settings: [Setting<Root>]) -> [String] {
    settings.flatMap { setting in
      setting.members.isEmpty ? [setting.name] : setting.members.map { "\(setting.name).\($0)" }
    }
  }
}

internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore

/// The settings that a configuration file may have.
struct ConfigurationTable: Sendable {
  let settings: [FileSetting]

  /// A member of the document that says by which schema it is written; editors look for it.
  static let schemaName = "$schema"

  /// What was found in a document.
  struct Reading: Sendable {
    /// The settings whose values are of their types, in the order of the table.
    var accepted: [(setting: FileSetting, value: FileSetting.Value)] = []
    var problems: [ConfigurationProblem] = []
  }

  /// Reads a document, and finds all problems with names and types.
  func read(_ document: JSONValue) -> Reading {
    var reading = Reading()
    var values: [String: FileSetting.Value] = [:]
    read(document, "", &values, &reading.problems)
    reading.accepted = settings.compactMap { setting in values[setting.name].map { (setting, $0) } }
    return reading
  }

  private func read(
    _ json: JSONValue, _ path: String, _ values: inout [String: FileSetting.Value],
    _ problems: inout [ConfigurationProblem]
  ) {
    guard let members = json.object else {
      return problems.append(.wrongType(path, .group, found: .init(json)))
    }
    for (name, member) in members.sorted(by: { $0.key < $1.key }) {
      if path.isEmpty, name == Self.schemaName, member.string != nil { continue }
      // A name with a dot would pass for one in a group.
      let place = path.isEmpty ? name : "\(path).\(name)"
      if !name.contains("."), let setting = settings.first(where: { $0.name == place }) {
        if let value = setting.value(member) {
          values[place] = value
        } else {
          problems.append(.wrongType(place, setting.wanted, found: .init(member)))
        }
      } else if !name.contains("."), settings.contains(where: { $0.name.hasPrefix(place + ".") }) {
        read(member, place, &values, &problems)
      } else {
        problems.append(.unknown(place, known: known(in: path)))
      }
    }
  }

  /// The names that there are in a group.
  private func known(in path: String) -> [String] {
    let prefix = path.isEmpty ? "" : path + "."
    var names: [String] = []
    for setting in settings where setting.name.hasPrefix(prefix) {
      let name = String(setting.name.dropFirst(prefix.count).prefix { $0 != "." })
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The name of a setting for an option, with or without its hyphens.
  func name(ofOption option: String) -> String? {
    let option = option.hasPrefix("--") ? String(option.dropFirst(2)) : option
    return settings.first { setting in
      if case .flag(let off?) = setting.kind, off == option { return true }
      return setting.option == option
    }?.name
  }

  /// A text about options, with the names of settings in their places.
  func renamed(_ text: String) -> String {
    text.replacing(#/--[a-z][a-z0-9-]+/#) { match in
      name(ofOption: String(match.0)).map { "“\($0)”" } ?? String(match.0)
    }
  }

  // MARK: The schema

  /// The schema of the file (JSON Schema 2020-12).
  /// - Parameter descriptions: What is said of options, by their names.
  func schema(title: String, descriptions: [String: String]) -> JSONValue {
    var schema = group("", descriptions)
    schema[Self.schemaName] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = .string(title)
    return .object(schema)
  }

  private func group(_ path: String, _ descriptions: [String: String]) -> [String: JSONValue] {
    var properties: [String: JSONValue] = path.isEmpty ? [Self.schemaName: .object(["type": "string"])] : [:]
    for name in known(in: path) {
      let place = path.isEmpty ? name : "\(path).\(name)"
      properties[name] =
        settings.first { $0.name == place }.map {
          $0.schema(description: descriptions[$0.option].map { renamed($0) })
        } ?? .object(group(place, descriptions))
    }
    return ["type": "object", "additionalProperties": false, "properties": .object(properties)]
  }
}

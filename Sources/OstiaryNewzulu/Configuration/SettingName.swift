internal import Foundation
internal import OstiaryCore

/// What can be a name that a server uses.
enum SettingName {
  /// What a name has to be, for a person.
  static let wanted = "a name of 1 to 100 letters, digits and signs without spaces"
  /// What a phrase has to be, for a person.
  static let wantedPhrase = "a text of 3 to 200 characters"

  /// Reads a name.
  static func read(_ value: JSONValue) -> String? {
    guard let text = value.string, (1...100).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return text
  }

  /// Reads a part of a failure's text. One that is empty would be in every text.
  static func phrase(_ value: JSONValue) -> String? {
    guard let text = value.string?.trimmingCharacters(in: .whitespaces), (3...200).contains(text.count) else {
      return nil
    }
    return text.lowercased()
  }

  /// Reads a path below the server's address: nothing in it can lead to another origin or above it.
  static func path(_ value: JSONValue) -> String? {
    guard let text = read(value) else { return nil }
    let path = text.hasPrefix("/") ? String(text.dropFirst()) : text
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    guard !path.utf8.contains(where: { forbidden.contains($0) }), steps.allSatisfy({ !["", ".", ".."].contains($0) })
    else { return nil }
    return path
  }

  /// What ends a path, begins a scheme, escapes, or is a slash to some parsers.
  private static let forbidden = Set("?#:\\%@".utf8)
}

extension Setting {
  /// A name that a server uses.
  static func name(_ name: String, _ path: WritableKeyPath<Root, String>) -> Setting {
    value(name, path, SettingName.wanted, of: [.text]) { SettingName.read($0) }
  }

  /// A name that a server uses; `null` for none.
  static func nameOrNull(_ name: String, _ path: WritableKeyPath<Root, String?>) -> Setting {
    value(name, path, "null or \(SettingName.wanted)", of: [.text, .null]) { value -> String?? in
      value == .null ? .some(nil) : SettingName.read(value).map { .some($0) }
    }
  }

  /// What a failure says: a part of it, in any case.
  static func phrase(_ name: String, _ path: WritableKeyPath<Root, String>) -> Setting {
    value(name, path, SettingName.wantedPhrase, of: [.text]) { SettingName.phrase($0) }
  }
}

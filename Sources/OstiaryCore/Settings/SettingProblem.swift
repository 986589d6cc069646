/// What is wrong with one setting of a document.
package struct SettingProblem: Sendable, Hashable {
  /// The setting, as a path such as `uploads.partSize`.
  package let path: String
  /// What is wrong, as the end of a sentence that begins with the setting. It has no value in it.
  package let text: String
  /// What to do next; `nil` for what is always right.
  package let advice: String?

  /// Makes a problem.
  package init(_ path: String, _ text: String, advice: String? = nil) {
    self.path = SettingText.shown(path)
    self.text = text
    self.advice = advice
  }
}

/// Why a value is refused, where that ends the reading of more than the value.
struct SettingRefusal: Error {
  let problem: SettingProblem
}

/// What a value is, for a person.
package enum SettingKind: String, Sendable, Hashable {
  case null = "null"
  case flag = "true or false"
  case number = "a number"
  case text = "a text"
  case list = "a list"
  case object = "an object"

  package init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .flag
    case .integer, .number: self = .number
    case .string: self = .text
    case .array: self = .list
    case .object: self = .object
    }
  }
}

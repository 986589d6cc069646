/// A field as it is drawn.
public struct FieldSnapshot: Sendable, Hashable {
  /// The field's key.
  public var key: String
  /// What to draw; never a kind that this version does not know.
  public var kind: Experience.FieldKind
  /// What stands beside it; the key where the document says nothing.
  public var label: String
  /// An example, shown while it is empty.
  public var placeholder: String?
  /// A line of explanation.
  public var help: String?
  /// What was entered; `nil` for nothing, and always for a secure field.
  public var value: String?
  /// Whether something was entered, also for a secure field.
  public var isFilled: Bool
  /// Whether it must be filled in.
  public var isRequired: Bool
  /// Whether what is entered must not be shown.
  public var isSecure: Bool
  /// What the value must be like.
  public var constraints: Experience.Constraints
  /// What can be chosen.
  public var options: [Option]
  /// What a password manager is told.
  public var autofill: String?
  /// What is wrong with the value.
  public var message: String?
  /// Which rule it breaks; `nil` when the value is accepted so far.
  public var issue: FieldIssue?
  /// What stands before the decimals of a number as the field reads it.
  public internal(set) var decimalSeparator = "."
  /// The languages of the texts that are not in the screen's, by the property's name.
  var otherLanguages: [String: String] = [:]

  /// Makes a field to draw without a document. A secure one keeps no value.
  public init(
    key: String, kind: Experience.FieldKind, label: String, placeholder: String? = nil, help: String? = nil,
    value: String? = nil, isFilled: Bool? = nil, isRequired: Bool = true, isSecure: Bool? = nil,
    constraints: Experience.Constraints = .init(), options: [Option] = [], autofill: String? = nil,
    message: String? = nil, issue: FieldIssue? = nil
  ) {
    let isSecure = kind.isSecret || isSecure ?? false
    self.key = key
    self.kind = kind.known
    self.label = label
    self.placeholder = placeholder
    self.help = help
    self.value = isSecure ? nil : value
    self.isFilled = isFilled ?? (value.map { !$0.isEmpty } ?? false)
    self.isRequired = isRequired
    self.isSecure = isSecure
    self.constraints = constraints
    self.options = options
    self.autofill = autofill
    self.message = message
    self.issue = issue
  }

  /// One of several things to choose from.
  public struct Option: Sendable, Hashable {
    /// What the app gets.
    public var value: String
    /// What the user sees.
    public var label: String
    /// The label's language, where it is not the screen's.
    var language: String?

    /// Makes an option.
    public init(value: String, label: String) {
      self.value = value
      self.label = label
    }
  }

  /// Whether a toggle is on.
  public var isOn: Bool { value.map(Experience.Field.isOn) ?? false }
}

extension FieldSnapshot: CustomStringConvertible, CustomReflectable {
  /// The key, the kind, and what is wrong. The value, and texts that may have it in them, are not shown.
  public var description: String {
    "FieldSnapshot(\(key), \(kind.rawValue)\(isFilled ? ", filled" : "")\(issue.map { ", \($0.code.rawValue)" } ?? ""))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

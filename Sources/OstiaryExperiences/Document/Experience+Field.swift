extension Experience {
  /// One thing to fill in.
  public struct Field: Sendable, Hashable {
    /// Names the field within its flow; the app gets its value under this key.
    public var key: String
    /// What is asked for.
    public var kind: FieldKind
    /// What stands beside it.
    public var label: Text?
    /// An example, shown while it is empty.
    public var placeholder: Text?
    /// A line of explanation.
    public var help: Text?
    /// Whether it must be filled in; for a ``FieldKind/toggle``, whether it must be on.
    public var isRequired: Bool
    /// Whether its value is a secret: hidden as `Secret`, never a user property, never filled in beforehand, never shown
    /// again.
    public var isSecure: Bool
    /// Whether no two users may have the same. The app checks it.
    public var isUnique: Bool
    /// The user property that it becomes after a log-in or sign-up.
    public var property: String
    /// The property whose value it begins with; `nil` for none. A value that was entered into another field with the same
    /// property counts before the user's.
    public var inherits: String?
    /// What it begins with when nothing is inherited.
    public var value: String?
    /// What the value must be like.
    public var constraints: Constraints
    /// What can be chosen, for a ``FieldKind/choice``.
    public var options: [Option]
    /// What a password manager is told (an HTML autofill detail token); `nil` for none.
    public var autofill: String?
    /// What is said when the value is not accepted, unless there is a better text.
    public var error: Text?

    /// Makes a field.
    /// - Parameters:
    ///   - isSecure: by default whether the kind is a secret; a kind that is one can't be declared otherwise.
    ///   - property: by default the key.
    ///   - inherits: by default the property; pass ``Inheritance/nothing`` for none.
    ///   - autofill: by default the usual one for the kind.
    public init(
      key: String, kind: FieldKind, label: Text? = nil, placeholder: Text? = nil, help: Text? = nil,
      isRequired: Bool = false, isSecure: Bool? = nil, isUnique: Bool = false, property: String? = nil,
      inherits: Inheritance = .property, value: String? = nil, constraints: Constraints = Constraints(),
      options: [Option] = [], autofill: String? = nil, error: Text? = nil
    ) {
      self.key = key
      self.kind = kind
      self.label = label
      self.placeholder = placeholder
      self.help = help
      self.isRequired = isRequired
      self.isSecure = kind.isSecret || isSecure ?? false
      self.isUnique = isUnique
      self.property = property ?? key
      self.inherits =
        switch inherits {
        case _ where self.isSecure: nil
        case .nothing: nil
        case .property: property ?? key
        case .from(let name): name
        }
      self.value = value
      self.constraints = constraints
      self.options = options
      self.autofill = autofill ?? kind.usualAutofill
      self.error = error
    }

    /// Where a field's first value comes from.
    public enum Inheritance: Sendable, Hashable {
      /// From the property that it becomes.
      case property
      /// From another property.
      case from(String)
      /// From nowhere.
      case nothing
    }

    /// One of several things to choose from.
    public struct Option: Sendable, Hashable {
      /// What the app gets.
      public var value: String
      /// What the user sees; the value itself when there is no text.
      public var label: Text?

      /// Makes an option.
      public init(_ value: String, label: Text? = nil) {
        self.value = value
        self.label = label
      }
    }
  }
}

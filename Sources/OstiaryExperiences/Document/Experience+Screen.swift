extension Experience {
  /// What is shown at once.
  public struct Screen: Sendable, Hashable {
    /// Names the screen within its flow. It is also the name that the app is told.
    public var id: String
    /// The heading.
    public var title: Text?
    /// A paragraph under the heading.
    public var text: Text?
    /// What the user fills in.
    public var fields: [Field]
    /// What the user can do.
    public var actions: [Action]
    /// What the app can set off while this screen is shown.
    public var triggers: [Trigger]
    /// Whether it must have been submitted before its flow can be, and can't be skipped.
    public var isRequired: Bool

    /// Makes a screen.
    public init(
      id: String, title: Text? = nil, text: Text? = nil, fields: [Field] = [], actions: [Action] = [],
      triggers: [Trigger] = [], isRequired: Bool = false
    ) {
      self.id = id
      self.title = title
      self.text = text
      self.fields = fields
      self.actions = actions
      self.triggers = triggers
      self.isRequired = isRequired
    }

    /// The field with this key.
    public func field(_ key: String) -> Field? { fields.first { $0.key == key } }
    /// The action with this id.
    public func action(_ id: String) -> Action? { actions.first { $0.id == id } }
    /// The trigger of this name.
    public func trigger(_ name: String) -> Trigger? { triggers.first { $0.name == name } }
  }
}

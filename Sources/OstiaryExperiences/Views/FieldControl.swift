/// The control that draws a field, where the platform has controls of its own.
///
/// Every view that draws fields natively decides by it, so that all platforms draw a field alike.
public enum FieldControl: Sendable, Hashable {
  /// No control: the field goes along and is not shown.
  case hidden
  /// A switch.
  case toggle
  /// A list of options, of which one is chosen.
  case options
  /// A calendar.
  case calendar(DayChoice)
  /// A line of text.
  case text(TextInput)
  /// A line of text whose characters are covered.
  case secret(TextInput)
}

extension FieldSnapshot {
  /// The control that draws this field.
  ///
  /// A secure day is typed like other secrets: a calendar would show it. A one-time code is shown while it is typed, as it is good
  /// for minutes.
  public var control: FieldControl {
    switch kind {
    case .hidden: .hidden
    case .toggle: .toggle
    case .choice where !isSecure: .options
    case .date where !isSecure: .calendar(DayChoice(self))
    case .oneTimeCode: .text(TextInput(self))
    default: isSecure ? .secret(TextInput(self)) : .text(TextInput(self))
    }
  }
}

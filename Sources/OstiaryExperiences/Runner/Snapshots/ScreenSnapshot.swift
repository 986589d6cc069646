/// A screen as it is drawn: texts in the user's language, values, messages.
public struct ScreenSnapshot: Sendable, Hashable {
  /// The screen's id.
  public var id: String
  /// Names the flow, the screen and this showing of it. A form sends it back, and counts for no other showing.
  public var turn: String
  /// The heading.
  public var title: String?
  /// The paragraph under it.
  public var text: String?
  /// What is wrong as a whole.
  public var messages: [String]
  /// The fields, hidden ones included.
  public var fields: [FieldSnapshot]
  /// The actions that can be drawn.
  public var actions: [ActionSnapshot]
  /// What can be set off.
  public var triggers: [String]
  /// Whether the user may leave or skip it.
  public var isRequired: Bool
  /// Whether there is a screen to go back to.
  public var canGoBack: Bool
  /// The language of the texts (BCP 47).
  public var language: String
  /// Whether that is written from right to left.
  public var isRightToLeft: Bool
  /// Ostiary's own words in that language.
  public var words: Words
  /// Grows with every refusal of what was entered; 0 before the first. See ``RefusalFocus``.
  public var refusal = 0
  /// The languages of the texts that are not in the screen's: of the title and the text by the property's name.
  var otherLanguages: [String: String] = [:]
  /// The languages (BCP 47) of the messages that are not in the screen's, by the message.
  public var messageLanguages: [String: String] = [:]

  /// The first field that is not accepted: where the focus belongs.
  public var firstInvalidField: FieldSnapshot? { fields.first { $0.message != nil && $0.kind != .hidden } }

  /// The action that Return stands for: the first that submits and stands out, or the first that submits, or the first
  /// at all.
  var mainAction: ActionSnapshot? {
    actions.first { $0.style == .primary && $0.submits } ?? actions.first { $0.submits } ?? actions.first
  }

  /// Words that a renderer needs around a screen.
  public typealias Words = ScreenWords

  /// The id of *Close*, which is drawn where the document leaves no way out. No name in a document begins with a colon.
  static let closeAction = ":close"
}

/// An action as it is drawn.
public struct ActionSnapshot: Sendable, Hashable {
  /// The action's id.
  public var id: String
  /// What stands on it.
  public var label: String
  /// How much it stands out.
  public var style: Experience.Action.Style
  /// What it does.
  public var work: Experience.Action.Work
  /// The label's language, where it is not the screen's.
  var language: String?

  /// Whether what was entered goes along.
  public var submits: Bool {
    switch work {
    case .move(.next), .move(.submit), .submitFields: true
    default: false
    }
  }
}

extension ScreenSnapshot: CustomStringConvertible, CustomReflectable {
  /// The showing and its fields. Texts may have what is known of the user in them and are not shown.
  public var description: String { "ScreenSnapshot(\(turn), \(fields))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

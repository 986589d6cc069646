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

  /// Whether what was entered goes along.
  public var submits: Bool {
    switch work {
    case .move(.next), .move(.submit), .submitFields: true
    default: false
    }
  }
}

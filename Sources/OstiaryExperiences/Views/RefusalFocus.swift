/// When a view moves the focus to a field that was refused: once for each refusal, or when a screen appears that has
/// one, and never while a person types.
///
/// Give it each moment that is drawn, and do what it says:
///
/// ```swift
/// var rule = RefusalFocus(runner.snapshot)
/// for await moment in runner.snapshots() {
///   if let field = rule.draw(moment, focused: focusedField) { focus(on: field) }
/// }
/// ```
public struct RefusalFocus: Sendable, Hashable {
  /// The last refusal that the focus has followed: see ``ScreenSnapshot/refusal``.
  private var followed: Int
  private var flow: String
  private var screen: String

  /// Begins with a moment. What was refused before it moves nothing.
  public init(_ moment: ExperienceSnapshot) {
    followed = moment.screen.refusal
    flow = moment.flow
    screen = moment.screen.id
  }

  /// Notes that a moment is drawn.
  /// - Parameter focused: the field that has the focus, if one has.
  /// - Returns: The field that the focus has to move to, or `nil` where it stays.
  public mutating func draw(_ moment: ExperienceSnapshot, focused: String? = nil) -> String? {
    // A field that is covered, or hidden, can't take it.
    guard case .shown = moment.phase else { return nil }
    let isNew = moment.screen.refusal != followed || moment.screen.id != screen || moment.flow != flow
    self = RefusalFocus(moment)
    guard isNew else { return nil }
    guard let field = moment.screen.firstInvalidField?.key, field != focused else { return nil }
    return field
  }
}

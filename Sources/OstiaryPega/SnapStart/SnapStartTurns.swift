/// Which of a view's actions is under way. A newer one takes the place of the older, whose late page counts for nothing.
package struct SnapStartTurns<Action> {
  /// The number of the newest action.
  package private(set) var newest = 0
  private var action: Action?

  /// No action is under way.
  package init() {}

  /// Begins an action.
  /// - Returns: the action that was under way, which has ended.
  package mutating func begin(_ action: Action) -> Action? {
    newest += 1
    defer { self.action = action }
    return self.action
  }

  /// Whether the action of this number is under way.
  package func isUnderWay(_ turn: Int) -> Bool { turn == newest && action != nil }

  /// Ends the action of this number.
  /// - Returns: the action; `nil` when it has ended before.
  package mutating func end(_ turn: Int) -> Action? {
    guard isUnderWay(turn) else { return nil }
    defer { action = nil }
    return action
  }
}

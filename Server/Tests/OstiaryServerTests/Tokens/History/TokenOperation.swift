/// One call in a recorded history of a family.
struct TokenOperation: Sendable {
  enum Action: Sendable, Hashable {
    case refresh
    case revoke
  }

  enum Outcome: Sendable, Hashable {
    /// This successor.
    case issued(String)
    case refused(String)
    /// Of a revocation: whether there was a family.
    case found(Bool)
    /// The answer was lost, or there was none: it may have happened, then or later, or not.
    case unknown
  }

  let action: Action
  let token: String
  /// The time by the clock of the server.
  let time: Double
  /// When it began and ended, counted over all calls of the history. Of one whose answer was lost the end is unknown.
  let start: Int
  let end: Int
  let outcome: Outcome
}

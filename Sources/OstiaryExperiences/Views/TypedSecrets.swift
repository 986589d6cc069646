internal import OstiaryCore

/// What is typed into the secure fields of a view, which a runner does not give back.
///
/// Give it each moment that is drawn: what was typed on another screen, or by a person who has logged out since, is forgotten.
struct TypedSecrets: Sendable {
  private var secrets: [String: Secret] = [:]
  private var flow: String
  private var screen: String
  private var turn: String

  /// Begins with a moment, and with empty fields.
  init(_ moment: ExperienceSnapshot) {
    flow = moment.flow
    screen = moment.screen.id
    turn = moment.screen.turn
  }

  /// What was typed into a field; an empty text for nothing.
  subscript(key: String) -> String {
    get { secrets[key]?.reveal() ?? "" }
    set { secrets[key] = Secret(newValue) }
  }

  /// Notes that a moment is drawn.
  mutating func draw(_ moment: ExperienceSnapshot) {
    if moment.flow != flow || moment.screen.id != screen || moment.outcome != nil { secrets = [:] }
    // A log-out empties a screen that stays. In the same turn a moment may come late, from before the field was filled.
    if moment.screen.turn != turn {
      let filled = Set(moment.screen.fields.filter(\.isFilled).map(\.key))
      secrets = secrets.filter { filled.contains($0.key) }
    }
    (flow, screen, turn) = (moment.flow, moment.screen.id, moment.screen.turn)
  }
}

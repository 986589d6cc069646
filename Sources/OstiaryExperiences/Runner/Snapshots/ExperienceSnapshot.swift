/// What a renderer draws: everything about one moment of an experience. It holds no secret.
public struct ExperienceSnapshot: Sendable, Hashable {
  /// What goes on.
  public var phase: Phase
  /// The experience's id.
  public var experience: String
  /// The flow's id.
  public var flow: String
  /// What the flow is for.
  public var flowKind: Experience.Flow.Kind
  /// The screen that is shown, or that would be.
  public var screen: ScreenSnapshot
  /// Grows with every change.
  public var revision: Int

  /// What goes on.
  public enum Phase: Sendable, Hashable {
    /// It has not been presented yet.
    case idle
    /// The screen waits for the user.
    case shown
    /// The screen is covered while the app or a provider is asked.
    case waiting(Wait)
    /// It is hidden, and keeps what was entered.
    case paused
    /// It is over.
    case finished(ExperienceOutcome)
  }

  /// Who is asked while the screen is covered.
  public enum Wait: String, Sendable, Hashable {
    /// The app, about a screen's fields.
    case validation
    /// The app, about a whole flow.
    case flow
    /// The app, about fields handed to it.
    case fields
    /// The app, about a trigger.
    case trigger
    /// A provider, and then the app.
    case provider
    /// The system, and through it the user.
    case permission
  }

  /// Whether the screen is covered.
  public var isWaiting: Bool { if case .waiting = phase { true } else { false } }

  /// How it ended, if it has.
  public var outcome: ExperienceOutcome? { if case .finished(let outcome) = phase { outcome } else { nil } }
}

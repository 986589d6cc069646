/// What of an experience is seen at a moment, and whether the app behind it is.
public enum ExperienceCover: Sendable, Hashable {
  /// The app alone, which can be used: the experience is not presented yet, paused or over.
  case app
  /// The screen, which waits for the user.
  case screen
  /// The screen, under a sign that an answer is awaited.
  case waitingScreen
}

extension ExperienceSnapshot {
  /// What is seen now.
  public var cover: ExperienceCover {
    switch phase {
    case .idle, .paused, .finished: .app
    case .shown: .screen
    case .waiting: .waitingScreen
    }
  }
}

/// What a presenter does with a view that lies over the app: a value that takes the moments of an experience and says when to put
/// the view up and when to take it down.
///
/// A paused experience is taken down, because a view that is only invisible still takes the touches meant for the app behind it.
package struct ExperiencePresentation: Sendable {
  private var isUp = false
  private var isOver = false

  /// One step of a presenter.
  package enum Step: Sendable, Hashable {
    /// Put the view up.
    case show
    /// Take the view down, and keep it with what was typed.
    case withdraw
    /// Take the view down for good.
    case remove
  }

  /// Begins before the first moment.
  package init() {}

  /// What to do about a moment; `nil` for nothing. Moments may be left out and told twice.
  package mutating func step(_ moment: ExperienceSnapshot) -> Step? {
    guard !isOver else { return nil }
    if moment.outcome != nil {
      isOver = true
      return .remove
    }
    let isWanted = moment.cover != .app
    guard isWanted != isUp else { return nil }
    isUp = isWanted
    return isUp ? .show : .withdraw
  }

  /// What to do when no moment follows, such as after the runner was let go: `nil` where the view was removed before.
  package mutating func end() -> Step? {
    guard !isOver else { return nil }
    isOver = true
    return .remove
  }
}

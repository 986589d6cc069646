internal import OstiaryCore

/// Takes an app's answer to a question for settings. The first call counts; later ones do nothing, and neither does one
/// whose question is over.
///
/// An app that lets go of its reply without calling it can't answer any more, and the question ends at once.
public final class SalesforceSettingsReply: Sendable {
  enum Answer: Sendable {
    /// The app's settings, or `nil` for a guest.
    case settings(SalesforceSettings?)
    /// The app can't answer any more.
    case abandoned
    /// The app has said that nothing will come.
    case insufficient
  }

  private let work: SharedWork<Answer>

  init(_ work: SharedWork<Answer>) { self.work = work }

  deinit { work.finish(.success(.abandoned)) }

  /// Answers.
  /// - Parameter settings: what to use; `nil` goes on as a guest.
  public func callAsFunction(_ settings: SalesforceSettings?) {
    work.finish(.success(.settings(settings)))
  }
}

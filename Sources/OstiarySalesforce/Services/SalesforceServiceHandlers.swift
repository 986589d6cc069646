public import OstiaryCore

/// What an app answers when a service needs its user. Both are optional, as in the vendor's delegate.
///
/// They are called in no particular thread and with no lock held; hop to the main actor inside them if need be. They are
/// called at most once at a time for each service type.
///
/// A handler may call its service back: ``SalesforceService/set(_:)`` and the reply never wait for it. A call that needs the
/// outcome of the question fails at once when the handler makes or awaits it; one from another task waits as long as an app
/// may take to answer.
public struct SalesforceServiceHandlers: Sendable {
  /// Asked when something needs a user. Answer `true` and call the reply, before or after returning: with settings, or
  /// with `nil` for a guest. Answer `false` when what is set is enough. Without this, services are used by guests unless
  /// settings are set.
  public var shouldAuthenticate: (@Sendable (SalesforceServiceType, SalesforceSettingsReply) async -> Bool)?
  /// Told when settings have failed. Answer `true` to be asked again, `false` to go on as a guest, which is also what
  /// happens without this.
  public var authenticationFailed: (@Sendable (OstiaryError, SalesforceServiceType) async -> Bool)?

  /// Makes handlers.
  public init(
    shouldAuthenticate: (@Sendable (SalesforceServiceType, SalesforceSettingsReply) async -> Bool)? = nil,
    authenticationFailed: (@Sendable (OstiaryError, SalesforceServiceType) async -> Bool)? = nil
  ) {
    self.shouldAuthenticate = shouldAuthenticate
    self.authenticationFailed = authenticationFailed
  }
}

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

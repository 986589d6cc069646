public import Foundation

/// What an app decides while an experience runs. Every function is optional: those that a delegate leaves out accept.
///
/// A delegate that leaves a function out has decided so, as in Primer's SDK, whose page calls every method of its protocol
/// optional: an app with no server of its own needs no answers. **No delegate is another case, and accepts nothing**: where a
/// runner has none, or the one that ``WeakExperienceDelegate`` stands for is gone, the user stays on the screen and is told
/// that the app does not answer (``DelegateMissing``). A permission counts as not granted then.
///
/// While a question is open, the screen is covered and further submissions are ignored. Any error that is thrown leaves
/// the user on the screen: a `CancellationError` and ``CompletionAbandoned`` say nothing, ``DelegateMissing`` that the app does
/// not answer, an `OstiaryError` shows its message, any other error a general one. An answer that comes after the experience was closed is ignored; the task
/// that waits for it is cancelled.
///
/// What the app is told comes in its order: each function when the one before has returned, and questions after what was
/// told before. ``record(_:)`` is for statistics: only later events and ``ExperienceRunner/outcome()`` wait for it. A function
/// that uses the runner while it is being told something may wait for what follows; nothing waits for it any longer. Nothing
/// is asked after the end.
///
/// The runner holds its delegate until the experience is over. ``WeakExperienceDelegate`` holds another one weakly.
/// Source of the calls and their fields: Primer iOS SDK 3.6, "Authentication".
public protocol ExperienceDelegate: AnyObject, Sendable {
  /// A screen with fields was submitted.
  /// - Parameters:
  ///   - fields: exactly the fields of that screen.
  ///   - screen: its id.
  func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult

  /// A log-in flow was submitted.
  /// - Parameter fields: all fields of the flow.
  func logIn(with fields: [String: FieldValue]) async throws -> UserValidation

  /// A sign-up flow was submitted.
  /// - Parameter fields: all fields of the flow.
  func signUp(with fields: [String: FieldValue]) async throws -> UserValidation

  /// A flow for a forgotten password was submitted.
  /// - Parameter fields: all fields of the flow.
  func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult

  /// A Submit Fields action was executed.
  /// - Returns: Whether its success action is to be executed.
  func handle(_ fields: [String: FieldValue]) async throws -> Bool

  /// A trigger was set off.
  /// - Returns: `true` for its success action, `false` for its failure action.
  func handleTrigger(_ name: String) async throws -> Bool

  /// The user wants to sign in with a provider, such as `facebook`. Do all of it: ask the provider, and check with your own
  /// server. Without an implementation, nothing happens.
  func signIn(with provider: String) async throws -> ProviderValidation

  /// A permission of the system is to be asked for, such as `notifications`.
  /// - Returns: Whether it was granted.
  func requestPermission(_ name: String) async throws -> Bool

  /// The user has logged in or signed up. Comes before the events that tell of it.
  func didSignIn(_ user: SignedInUser) async

  /// A screen has appeared.
  /// - Parameter triggers: what can be set off on it.
  func screenDidAppear(_ screen: String, triggers: [String]) async

  /// The experience is about to be closed, for another reason than a successful log-in or sign-up. Called once.
  /// - Parameter fields: what was entered so far, into any flow, secrets included; of one key the newest entry.
  func willClose(with fields: [String: FieldValue]) async

  /// Something happened that statistics may want to know.
  func record(_ event: ExperienceEvent) async

  /// An address is to be opened.
  func open(_ url: URL) async
}

extension ExperienceDelegate {
  public func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult { .valid }
  public func logIn(with fields: [String: FieldValue]) async throws -> UserValidation { .accepted() }
  public func signUp(with fields: [String: FieldValue]) async throws -> UserValidation { .accepted() }
  public func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult { .valid }
  public func handle(_ fields: [String: FieldValue]) async throws -> Bool { true }
  public func handleTrigger(_ name: String) async throws -> Bool { true }
  public func signIn(with provider: String) async throws -> ProviderValidation { throw CompletionAbandoned() }
  public func requestPermission(_ name: String) async throws -> Bool { false }
  public func didSignIn(_ user: SignedInUser) async {}
  public func screenDidAppear(_ screen: String, triggers: [String]) async {}
  public func willClose(with fields: [String: FieldValue]) async {}
  public func record(_ event: ExperienceEvent) async {}
  public func open(_ url: URL) async {}
}

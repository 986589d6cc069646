/// Recognises one kind of challenge and answers it, with the credential that it is given or by asking a person itself.
///
/// It must be a value without memory of sessions: what it learns goes into the conversation. It must never queue,
/// repeat a request of the app, or remember that it is busy: one challenge is answered at a time, and all other callers
/// wait.
public protocol ChallengeHandler: Sendable {
  /// A name for messages: "WebSEAL".
  var name: String { get }

  /// Which responses are its challenges. Asked for every response.
  var recogniser: ChallengeRecogniser { get }

  /// The origins of the gateway's own pages that it goes to. By default none that is known.
  var origins: [Origin] { get }

  /// Answers a challenge: one round of perhaps several.
  ///
  /// It may take as long as a person does; when the app cancels the sign-in or its time is up, the task is cancelled.
  /// - Returns: what came of it.
  /// - Throws: ``OstiaryError``. ``OstiaryError/Disposition-swift.enum/terminal`` is the definite word:
  ///   `invalidCredentials`, `accountLocked`, `interactionCancelled`. Every waiting caller gets it.
  func answer(_ challenge: Challenge, in conversation: inout ChallengeConversation) async throws -> ChallengeAnswer
}

extension ChallengeHandler {
  public var origins: [Origin] { [] }
}

/// What came of one round of answering a challenge.
public enum ChallengeAnswer: Sendable {
  /// The handler is satisfied. The conversation's proof is the session's, and the requests that wait are sent again.
  case answered
  /// This is what the server said to what was submitted. If it is a challenge again, that is the next round; if not,
  /// the challenge has been answered.
  case submitted(TransportResponse)
  /// It is no challenge after all: each request that waits gets the response that it met, as it is.
  case notMine
}

/// How a session manager behaves where there is a choice.
public struct SessionConfiguration: Sendable {
  /// How long before its expiry a session counts as expired, so that a request does not die on the way. 10 seconds.
  public var expiryMargin: Duration = .seconds(10)
  /// How long to wait for another process that is signing in or renewing with the same store, and for the server's answer to a
  /// sign-in that was given up meanwhile. 60 seconds.
  public var patience: Duration = .seconds(60)
  /// How long callers wait for a store that can't be read yet, such as a keychain before the first unlock, until they
  /// are told so. 15 seconds.
  public var storePatience: Duration = .seconds(15)
  /// How often one request is sent again after a challenge. 1. At least twice, unless never, if it was sent without a
  /// session first: the one that it then got may be over before the request's turn comes.
  public var maximumReplays: Int = 1
  /// How often one request is sent again because proof that is made for it was stale or missing, before that counts as
  /// failure. 3.
  public var maximumProofRepetitions: Int = 3
  /// How many sessions in a row that this manager was given may be refused before any was accepted, before it stops signing in
  /// and renewing for a while. 3.
  public var maximumFreshRejections: Int = 3
  /// How often a credential source is asked in one go when the server refuses what it gives. 3.
  public var maximumCredentialAttempts: Int = 3
  /// How long a sign-in may take, a person's answer included, until all callers that wait are told that there was no answer.
  /// `nil`, the default, waits as long as it takes; ``SessionManager/cancelSignIn()`` ends it earlier.
  public var signInPatience: Duration?
  /// How attempts are spaced when the network or the server fails.
  public var retry = RetryPolicy()
  /// Lets the response of any server demand a sign-in or refuse the session, for requests to any origin. `false`.
  ///
  /// For a gateway that stands in front of every server, and for handlers that know their gateway's pages wherever they
  /// come from. Any server can then begin a sign-in, and a handler that submits the form of a page submits it where that
  /// server says. Proof still goes to the session's own origins alone, and cookies are taken from them alone.
  public var unsafelyAcceptsChallengesFromAnyOrigin = false
  /// How redirects are followed.
  public var redirects = RedirectPolicy()
  /// How long a change that is not proof (a cookie's new expiry, say) may wait to be written. 2 seconds.
  public var writeDelay: Duration = .seconds(2)
  /// How old what the store says of the session's last use (``SessionSummary/lastUsedAt``) may become before it is
  /// written for its own sake; every other write says it, too. 6 hours. `nil` writes nothing for its sake.
  public var lastUseInterval: Duration? = .seconds(6 * 3600)
  /// How many events are remembered. 100.
  public var historyLength: Int = 100

  /// The defaults.
  public init() {}
}
